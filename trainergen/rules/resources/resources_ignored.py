"""Resources of a TrainJob that nothing applies."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_FIELD = "spec.trainer.resourcesPerNode"


@rule(
    "TG306",
    "resources-ignored",
    severity="error",
    since="2.3",
    triggers=("resourcesPerNode",),
    answers=("T11",),
)
def resources_ignored(job: Job) -> Findings:
    """The resources of a TrainJob are dropped, since its runtime has no `mlPolicy`.

    ## Why
    Since 2.3 `resourcesPerNode` is merged into the runtime's resources only where the runtime has an `mlPolicy`, even
    an empty one. Without it the Pods run with what the runtime says: no GPU, no limits. Up to 2.2 they were applied.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: plain
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: plainml
    spec:
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
      name: prepare
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: plain
      trainer:
        resourcesPerNode:  # <-
          limits:
            nvidia.com/gpu: 1
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
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
      name: prepare
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      trainer:
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
    ```
    """
    if job.mapping(_FIELD) and not job.runtime.has("spec.mlPolicy"):
        yield job.at(_FIELD).key.report(
            f"resourcesPerNode has no effect, since the {job.runtime.words} has no mlPolicy",
            help="Add 'mlPolicy: {numNodes: 1}' to the spec of the runtime, or set the resources there.",
        )
