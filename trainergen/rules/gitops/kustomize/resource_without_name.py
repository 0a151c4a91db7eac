"""A TrainJob without a fixed name in a kustomization."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import TRAINER


@rule("TG723", "resource-without-name", severity="error", profile="minimal", answers=("K024",))
def resource_without_name(kustomization: Kustomization) -> Findings:
    """A kustomization lists a TrainJob that has `generateName` instead of a name.

    ## Why
    kustomize identifies objects by their names and fails on one without. `generateName` works with `kubectl create`, in
    plain folders of Argo CD and in charts, but never in a kustomization. A name of its own for each run, such as
    `bert-r2`, serves the same end and tells in Git what ran.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - job.yaml
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      generateName: bert-  # <-
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/bert:3.2.1
        command: [torchrun, /workspace/bert.py]
        numNodes: 2
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - job.yaml
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/bert:3.2.1
        command: [torchrun, /workspace/bert.py]
        numNodes: 2
    ```
    """
    for entry in kustomization.own_objects:
        if entry.group == TRAINER and not entry.name and entry.object.text("metadata.generateName"):
            yield entry.object.at("metadata.generateName").report(
                f"the {entry.kind} has generateName '{entry.object.text('metadata.generateName')}' and no name, so "
                f"the kustomization in '{kustomization.folder or '.'}' does not build",
                help="Give it a name, a new one for each run.",
            )
