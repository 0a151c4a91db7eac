"""Accelerators that the count of processes gets wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.counted import counted_as_gpus, is_number_of_gpus, other_accelerators, processes

if TYPE_CHECKING:
    from trainergen.rules import Container, Spot

_FIELD = "spec.trainer.numProcPerNode"


@rule(
    "TG312",
    "devices-miscounted",
    severity="warning",
    triggers=("torch", "mpi", "xgboost", "flux"),
    mirrors=("kubeflow/trainer#2900", "kubeflow/sdk#204"),
    answers=("A56",),
)
def devices_miscounted(job: Job) -> Findings:
    """The accelerators of a node are of a kind that the Trainer does not count, or counts wrong.

    ## Why
    The controller takes any resource with `gpu` in its name for a number of GPUs. MIG slices, TPUs, Gaudi and Neuron
    devices are none to it, and as many processes start as there are CPUs. Memory and cores of a shared GPU are, so that
    8192 MiB become 8192 slots; with several such names one is picked at random, anew at every reconcile.

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
        resourcesPerNode:
          limits:
            cpu: "16"
            nvidia.com/mig-3g.40gb: 2  # <-
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
        numProcPerNode: 2
        resourcesPerNode:
          limits:
            cpu: "16"
            nvidia.com/mig-3g.40gb: 2
    ```
    """
    for pods in job.pods:
        container = pods.container("node") if pods.name == "node" or pods is job.trainer else None
        count = processes(job, pods)
        if container is None or count is None:
            continue
        gpus, others = counted_as_gpus(container), other_accelerators(container)
        if job.runtime.policy("torch") or job.runtime.policy("mpi"):
            if _is_chosen(job, container):
                continue
            if others and not gpus:
                yield _place(container, others[0]).report(
                    f"'{others[0]}' is not counted as GPUs, so {count} process(es) start on each node",
                    help="Set spec.trainer.numProcPerNode to the number of devices.",
                )
                continue
        if job.runtime.policy("torch") is None and (len(gpus) > 1 or any(not is_number_of_gpus(name) for name in gpus)):
            yield _place(container, gpus[0]).report(
                f"{' and '.join(gpus)} count(s) as numbers of GPUs, so the processes on a node come out wrong",
                help="Set spec.trainer.numProcPerNode for MPI; XGBoost and Flux need one resource that counts GPUs.",
            )


def _is_chosen(job: Job, container: Container) -> bool:
    """Whether somebody says how many processes there are, in a field or on the command line."""
    policy = job.runtime.policy("mpi")
    words = " ".join([*container.command, *container.args])
    return job.has(_FIELD) or "--nproc" in words or (policy is not None and (policy.integer("numProcPerNode") or 1) > 1)


def _place(container: Container, resource: str) -> Spot:
    half = "limits" if container.mapping("resources.limits").get(resource) is not None else "requests"
    return container.at("resources", half, resource).key
