"""GPUs that no process of a node uses, or processes that share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule

if TYPE_CHECKING:
    from trainergen.rules import Container

_PROCESSES = "PET_NPROC_PER_NODE"


@rule(
    "TG310",
    "gpus-without-processes",
    severity="warning",
    triggers=("torch",),
    mirrors=("kubeflow/trainer#3974", "kubeflow/trainer#3551", "NVIDIA/aicr#2280"),
    answers=("A10", "A49", "A51", "T1"),
)
def gpus_without_processes(job: Job) -> Findings:
    """The number of torch processes on a node differs from the number of its GPUs.

    ## Why
    The controller counts processes by the `resourcesPerNode` of the TrainJob alone. When that names no GPU, while the
    container keeps those of the runtime, one process starts per node and all other GPUs are idle and paid for. More
    processes than GPUs fight for devices, and most training code fails with an invalid device ordinal.
    Fewer processes than GPUs are fine where `numProcPerNode` says so.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch-8gpu
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
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
        name: torch-8gpu
      trainer:
        resourcesPerNode:  # <-
          requests:
            memory: 64Gi
          limits:
            memory: 64Gi
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch-8gpu
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
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
        name: torch-8gpu
      trainer:
        numProcPerNode: 8
        resourcesPerNode:
          requests:
            memory: 64Gi
          limits:
            memory: 64Gi
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    processes = container.variable(_PROCESSES) if container else None
    gpus = _gpus(container) if container else 0
    if not gpus or processes is None or not processes.isdigit() or int(processes) == gpus:
        return
    if int(processes) < gpus and job.has("spec.trainer.numProcPerNode"):
        return
    place = "spec.trainer.numProcPerNode" if job.has("spec.trainer.numProcPerNode") else "spec.trainer.resourcesPerNode"
    assert container is not None
    yield job.at(place).key.report(
        f"{container.words} has {gpus} GPUs, but {processes} torch process(es) start on each node",
        help=f"Set spec.trainer.numProcPerNode to {gpus}.",
    )


def _gpus(container: Container) -> int:
    """Whole GPUs; slices and shares of one are not told by their names."""
    return sum(count for name, count in container.devices.items() if name.endswith("/gpu"))
