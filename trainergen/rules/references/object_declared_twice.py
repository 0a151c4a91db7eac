"""Two objects of one kind, namespace and name in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Workspace, rule

if TYPE_CHECKING:
    from trainergen.rules import Entry

_KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")


@rule("TG216", "object-declared-twice", severity="error", kinds=_KINDS)
def object_declared_twice(workspace: Workspace) -> Findings:
    """A TrainJob or runtime is in one file twice.

    ## Why
    The second is an update of the first. For a TrainJob it is refused since 2.2, as what it trains with cannot change;
    for a runtime the last one wins, and kustomize refuses both. Variants in files of their own are left alone: who has
    them applies one of them.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 2
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert  # <-
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 4
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert-2
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 2
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert-4
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 4
    ```
    """
    first: dict[tuple[object, ...], Entry] = {}
    for entry in workspace.objects.of(*_KINDS):
        known = first.setdefault((*entry.identity, entry.file), entry)
        if entry.name and known is not entry:
            yield entry.object.at("metadata.name").report(
                f"the {entry.kind} '{entry.name}' is in this file twice",
                help="Give one of the two another name, or remove it.",
            )
