"""A deprecated runtime of which the webhook says nothing."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_LABEL = "trainer.kubeflow.org/support"


@rule(
    "TG201",
    "deprecated-runtime-unsaid",
    severity="warning",
    triggers=(_LABEL,),
    mirrors="kubeflow/trainer#3965",
    answers=("A46",),
)
def deprecated_runtime_unsaid(job: Job) -> Findings:
    """A TrainJob refers to a runtime that is marked as deprecated, and the webhook does not warn.

    ## Why
    The label `trainer.kubeflow.org/support: deprecated` makes the webhook warn of cluster runtimes, since 2.1. For a
    TrainingRuntime nobody looks at it, and the TrainJobs that have to move are found when the runtime is gone.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch-2.7
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
        trainer.kubeflow.org/support: deprecated
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch-2.7  # <-
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
    ```
    """
    runtime = job.runtime
    if runtime.text("metadata.labels", _LABEL) != "deprecated":
        return
    if runtime.kind == "ClusterTrainingRuntime" and job.release.behaviours.warns_of_deprecated_runtimes:
        return
    yield job.at("spec.runtimeRef.name").report(
        f"the {runtime.words} is marked as deprecated",
        help="Move the TrainJob to a runtime that is supported, before this one is removed.",
    )
