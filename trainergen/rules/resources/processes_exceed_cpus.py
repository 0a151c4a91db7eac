"""More processes on a node than it has CPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.counted import processes, whole_gpus

if TYPE_CHECKING:
    from trainergen.rules import Container

_NANO = 10**9
_PLACES = ("spec.trainer.numProcPerNode", "spec.trainer.resourcesPerNode", "spec.trainer")


@rule("TG314", "processes-exceed-cpus", severity="warning", profile="strict", triggers=("torch", "mpi"))
def processes_exceed_cpus(job: Job) -> Findings:
    """More processes start on a node than it may use CPUs.

    ## Why
    Every process needs a CPU to feed its GPU or to compute on; under a lower limit they are throttled in turn, and the
    slowest holds all others up. Fractions of a CPU are rounded up when processes are counted: 1500m makes two.

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
        command: [torchrun, train.py]
        resourcesPerNode:  # <-
          limits:
            cpu: "4"
            memory: 64Gi
            nvidia.com/gpu: 8
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
        command: [torchrun, train.py]
        resourcesPerNode:
          limits:
            cpu: "32"
            memory: 64Gi
            nvidia.com/gpu: 8
    ```
    """
    pods = next((pods for pods in job.pods if pods.name == "node"), None)
    container = pods.container("node") if pods else None
    if container is None or "cpu" not in container.limits:
        return
    count, limit = _started(job, container), container.limits["cpu"]
    if count > 1 and count * _NANO > limit.nano:
        place = next((place for place in _PLACES if job.has(place)), "spec")
        yield job.at(place).key.report(
            f"{container.words} runs {count} processes, but is limited to {limit.canonical()} CPUs",
            help=f"Limit it to {count} CPUs or more, or start fewer processes.",
        )


def _started(job: Job, container: Container) -> int:
    counted = processes(job, container.pods)
    return counted if isinstance(counted, int) else whole_gpus(container) if counted == "auto" else 0
