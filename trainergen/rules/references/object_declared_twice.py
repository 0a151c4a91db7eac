"""Two objects of one kind, namespace and name that are applied together."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Workspace, rule

if TYPE_CHECKING:
    from trainergen.rules import Entry

_KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")
_BUILT = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization", "Chart.yaml"})


@rule("TG216", "object-declared-twice", severity="error", kinds=_KINDS)
def object_declared_twice(workspace: Workspace) -> Findings:
    """A TrainJob or runtime is in one file, or in one folder of plain manifests, twice.

    ## Why
    The second is an update of the first. For a TrainJob it is refused, since what it trains with cannot change; for a
    runtime the last one wins, and which one that is depends on the order of the files. Folders that kustomize or Helm
    build are left out, and so are bases and overlays.

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
        if not entry.name or entry.rank:
            continue
        folder = posixpath.dirname(entry.file)
        known = first.setdefault((*entry.identity, folder), entry)
        if known is entry:
            continue
        if known.file == entry.file:
            yield entry.object.at("metadata.name").report(
                f"the {entry.kind} '{entry.name}' is in this file twice",
                help="Give one of the two another name, or remove it.",
            )
        elif _BUILT.isdisjoint(workspace.tree.names(folder)):
            yield entry.object.at("metadata.name").report(
                f"the {entry.kind} '{entry.name}' is in '{posixpath.basename(known.file)}' of this folder as well",
                help="Give one of the two another name, or move them to folders of their own.",
                severity="warning",
            )
