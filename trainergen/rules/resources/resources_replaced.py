"""Resources of the runtime that a TrainJob takes away."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.amounts import container_of_runtime

_FIELD = "spec.trainer.resourcesPerNode"
_HALVES = ("limits", "requests")


@rule(
    "TG307",
    "resources-replaced",
    severity="warning",
    until="2.2",
    triggers=("resourcesPerNode",),
    mirrors=("kubeflow/trainer#3551", "NVIDIA/aicr#2306"),
    answers=("A48",),
)
def resources_replaced(job: Job) -> Findings:
    """The resources of a TrainJob take away those of its runtime that they do not name.

    ## Why
    Up to 2.2 `resourcesPerNode` replaces the resources of the container as a whole: who asks for more memory loses the
    GPUs, who asks for GPUs loses CPU and memory and is evicted first. Since 2.3 the two are merged.

    ## Bad
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
                          resources:
                            limits:
                              memory: 32Gi
                              nvidia.com/gpu: 8
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
        name: torch
      trainer:
        numProcPerNode: 8
        resourcesPerNode:  # <-
          limits:
            memory: 64Gi
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
                          resources:
                            limits:
                              memory: 32Gi
                              nvidia.com/gpu: 8
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
        name: torch
      trainer:
        numProcPerNode: 8
        resourcesPerNode:
          limits:
            memory: 64Gi
            nvidia.com/gpu: 8
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or not job.mapping(_FIELD):
        return
    before = container_of_runtime(job, container.pods.name, container.name)
    had = {name for half in _HALVES for name in (before.mapping("resources", half) if before else ())}
    lost = sorted(had - container.requests.keys())
    if lost:
        yield job.at(_FIELD).key.report(
            f"resourcesPerNode takes {', '.join(lost)} of the {job.runtime.words} away from {container.words}",
            help="Name all resources that the node needs: up to 2.2 they are replaced, not merged.",
        )
