"""RDMA devices in containers that may not lock memory."""

from __future__ import annotations

from trainergen.rules import Container, Findings, Job, rule

_PREFIX = "rdma/"
_CAPABILITIES = ("IPC_LOCK", "CAP_IPC_LOCK", "ALL")


@rule(
    "TG557",
    "rdma-without-locked-memory",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
)
def rdma_without_locked_memory(job: Job) -> Findings:
    """A container has an RDMA device and not the capability IPC_LOCK.

    ## Why
    RDMA registers buffers, and so locks them in memory. Without IPC_LOCK the limit is 64 KiB or a little more on most
    nodes: `ibv_reg_mr` fails with "cannot allocate memory", and NCCL ends or falls back to TCP, many times slower.
    Where the container runtime of all nodes lifts the limit, suppress this. With the capability a Pod is no longer
    `restricted`.

    ## Bad
    ```yaml
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
                              rdma/hca_shared_devices_a: 1  # <-
    ```

    ## Good
    ```yaml
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
                              rdma/hca_shared_devices_a: 1
                          securityContext:
                            capabilities:
                              add: [IPC_LOCK]
    ```
    """
    for pods in job.pods:
        for container in pods.containers:
            device = _device(container)
            if device and not _may_lock(container):
                yield container.at("resources.limits", device).key.report(
                    f"{container.words} has the device '{device}', but may not lock memory for it without IPC_LOCK",
                    help="Add IPC_LOCK to securityContext.capabilities.add of the container.",
                )


def _device(container: Container) -> str:
    return next((name for name in container.mapping("resources.limits") if name.startswith(_PREFIX)), "")


def _may_lock(container: Container) -> bool:
    context = container.part("securityContext")
    return context.get("privileged") is True or any(one in _CAPABILITIES for one in context.texts("capabilities.add"))
