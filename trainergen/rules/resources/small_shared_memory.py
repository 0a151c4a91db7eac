"""Training processes with the shared memory of a container that has none to share."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.counted import whole_gpus

_SHARED = "/dev/shm"


@rule("TG316", "small-shared-memory", severity="info", profile="strict", triggers=("torch", "mpi"))
def small_shared_memory(job: Job) -> Findings:
    """A node with several GPUs has the shared memory of a plain container.

    ## Why
    Data loaders of PyTorch hand batches over through `/dev/shm`, and NCCL exchanges data between GPUs there. Without a
    volume it has 64 MiB, and training dies with a bus error or a failed allocation, often after hours.

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
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 8  # <-
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
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 8
      runtimePatches:
        - manager: platform.example.com/gitops
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            volumes:
                              - name: shared-memory
                                emptyDir:
                                  medium: Memory
                                  sizeLimit: 32Gi
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: shared-memory
                                    mountPath: /dev/shm
    ```
    """
    for pods in job.pods:
        container = pods.container("node")
        if container is None or whole_gpus(container) < 2 or pods.spec.get("hostIPC") is True:
            continue
        if all(mount.text("mountPath").rstrip("/") != _SHARED for mount in container.parts("volumeMounts")):
            gpu = next(name for name in container.devices if name.endswith("/gpu"))
            half = "limits" if gpu in container.limits else "requests"
            yield container.at("resources", half, gpu).key.report(
                f"{container.words} has {whole_gpus(container)} GPUs and 64 MiB of shared memory",
                help="Mount an emptyDir with medium Memory at /dev/shm; it counts as memory of the container.",
            )
            return
