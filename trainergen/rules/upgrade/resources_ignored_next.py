"""Resources that a TrainJob no longer gets with the next release."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_FIELD = "spec.trainer.resourcesPerNode"


@rule(
    "TG802",
    "resources-ignored-next",
    severity="warning",
    profile="strict",
    until="2.2",
    triggers=("resourcesPerNode",),
    mirrors="kubeflow/trainer#3602",
    answers=("A48", "T11"),
)
def resources_ignored_next(job: Job) -> Findings:
    """The runtime of a TrainJob with resources has no ML policy.

    ## Why
    Up to 2.2 `resourcesPerNode` counts whatever the runtime looks like. From 2.3 on it is merged into the runtime's
    resources, and only where the runtime has an `mlPolicy`: without one the TrainJob runs with what the runtime says,
    in silence. An `mlPolicy` with the number of nodes is enough.

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
        name: plain
      trainer:
        resourcesPerNode:  # <-
          limits:
            memory: 16Gi
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: plain
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: plainml
    spec:
      mlPolicy:
        numNodes: 1
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
        name: plain
      trainer:
        resourcesPerNode:
          limits:
            memory: 16Gi
    ```
    """
    if job.has(_FIELD) and not job.runtime.has("spec.mlPolicy"):
        yield job.at(_FIELD).key.report(
            f"from Trainer 2.3 on these resources have no effect, since the {job.runtime.words} has no mlPolicy",
            help="Add 'mlPolicy: {numNodes: 1}' to the spec of the runtime.",
        )
