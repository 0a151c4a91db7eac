"""A key without a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.runner import NO_VALUE
from trainergen.source.classify import LEGACY_KINDS

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path


@rule(
    "TG218",
    "empty-field",
    severity="info",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", *sorted(LEGACY_KINDS)),
    triggers=(NO_VALUE,),
    answers=("A126",),
)
def empty_field(source: Source) -> Findings:
    """A field has a key and no value.

    ## Why
    The API server drops a field that is null and then sets its default, without a word. Mostly the value was forgotten,
    or its lines are not indented below the key.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        command:  # <-
        numNodes: 2
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, train.py]
        numNodes: 2
    ```
    """
    for path in _nulls(source.document.object.get("spec"), ("spec",)):
        yield source.at(str(path[0]), *path[1:]).key.report(
            f"{path[-1]} has no value, so that the API server takes the field for absent",
            help="Write the value, or remove the key.",
        )


def _nulls(value: JsonValue, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if inner is None:
                yield (*path, key)
            else:
                yield from _nulls(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _nulls(inner, (*path, index))
