"""A TrainJob or runtime that asks for no nodes at all."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import replace_value

_PLACES = {"TrainJob": "spec.trainer.numNodes"}
_IN_RUNTIME = "spec.mlPolicy.numNodes"


@rule(
    "TG301",
    "no-nodes",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("numNodes",),
    mirrors="kubeflow/trainer#3805",
    answers=("A21",),
    fix="unsafe",
)
def no_nodes(source: Source) -> Findings:
    """The number of nodes is zero or negative.

    ## Why
    No release up to 2.3 checks `numNodes`. With 0 the JobSet has no Pods to run and is complete at once, so that the
    TrainJob reports success without having trained. A negative number ends in a Job that the API server refuses,
    which only the controller's log says.

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
        numNodes: 0  # <-
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
        numNodes: 1
    ```
    """
    place = _PLACES.get(source.kind, _IN_RUNTIME)
    nodes = source.integer(place)
    if nodes is None or nodes > 0:
        return
    edit = replace_value(source.document, source.at(place).path, 1)
    yield source.at(place).report(
        f"numNodes is {nodes}, but training needs one node at least",
        help="Ask for 1 node or more, or remove the field for what the runtime says.",
        fix=fix("set numNodes to 1", edit),
    )
