"""GPUs against the workers that MPI, XGBoost and Flux count on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.counted import processes, whole_gpus

if TYPE_CHECKING:
    from trainergen.rules import Spot

_FIELD = "spec.trainer.numProcPerNode"
_RESOURCES = "spec.trainer.resourcesPerNode"


@rule(
    "TG304",
    "workers-differ-from-gpus",
    severity="warning",
    triggers=("mpi", "xgboost", "flux"),
    mirrors="kubeflow/trainer#3974",
    answers=("A49", "T1"),
)
def workers_differ_from_gpus(job: Job) -> Findings:
    """The workers that MPI, XGBoost or Flux count on do not fit the GPUs of a node.

    ## Why
    MPI counts slots by the `resourcesPerNode` of the TrainJob alone: when that names no GPU, while the container keeps
    those of the runtime, one process starts per node. XGBoost expects a worker for each GPU, but each Pod starts one
    program, and the tracker waits for the others. Flux asks for all GPUs of a node for each of its tasks, so that two
    tasks on a node are never scheduled.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: boost
      namespace: team-a
    spec:
      runtimeRef:
        name: xgboost-distributed
      trainer:
        numNodes: 2
        image: ghcr.io/example/boost:1.0
        resourcesPerNode:  # <-
          limits:
            nvidia.com/gpu: 4
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: boost
      namespace: team-a
    spec:
      runtimeRef:
        name: xgboost-distributed
      trainer:
        numNodes: 8
        image: ghcr.io/example/boost:1.0
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
    ```
    """
    for pods in job.pods:
        container = pods.container("node") if pods.name == "node" else None
        count = processes(job, pods)
        gpus = whole_gpus(container) if container else 0
        if container is None or not gpus or not isinstance(count, int):
            continue
        place = _place(job)
        if job.runtime.policy("mpi") and count != gpus and (count > gpus or not _is_chosen(job)):
            yield place.report(
                f"{container.words} has {gpus} GPUs, but mpirun gets {count} slot(s) on each node",
                help=f"Set {_FIELD} to {gpus}.",
            )
        elif job.runtime.policy("xgboost") and count > 1:
            yield place.report(
                f"XGBoost waits for {count} workers on each node, one for each GPU, but each Pod starts one program",
                help="Give each node one GPU and ask for more nodes, or start a worker for each GPU yourself.",
            )
        elif job.runtime.policy("flux") and count > 1:
            yield place.report(
                f"each of {count} Flux tasks on a node asks for all {gpus} GPUs of the node, so they never run",
                help=f"Set {_FIELD} to 1, and start a process for each GPU from the program.",
            )


def _is_chosen(job: Job) -> bool:
    """Whether somebody said how many processes there are; the 1 of a runtime stands for counting."""
    policy = job.runtime.policy("mpi")
    return job.has(_FIELD) or (policy is not None and (policy.integer("numProcPerNode") or 1) > 1)


def _place(job: Job) -> Spot:
    return job.at(_FIELD).key if job.has(_FIELD) else job.at(_RESOURCES).key
