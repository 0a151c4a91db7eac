"""A TrainJob for MultiKueue that runs in the managing cluster as well."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule


@rule(
    "TG511",
    "multikueue-runs-twice",
    severity="error",
    profile="minimal",
    until="2.2",
    triggers=("kueue.x-k8s.io/multikueue",),
)
def multikueue_runs_twice(source: Source) -> Findings:
    """A TrainJob for MultiKueue is run by the controller of this cluster too.

    ## Why
    `managedBy` is accepted by all releases, but read by the controller only since 2.3. Before that the managing cluster
    creates the JobSet as well as the worker cluster does.

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
      managedBy: kueue.x-k8s.io/multikueue  # <-
      trainer:
        numNodes: 1
        command: [torchrun, /workspace/train.py]
    ```

    ## Good
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
        numNodes: 1
        command: [torchrun, /workspace/train.py]
    ```
    """
    if source.text("spec.managedBy") == "kueue.x-k8s.io/multikueue":
        yield source.at("spec.managedBy").report(
            f"the controller of Trainer {source.release.name} does not read managedBy and runs the TrainJob here too",
            help="Use MultiKueue from Trainer 2.3 on.",
        )
