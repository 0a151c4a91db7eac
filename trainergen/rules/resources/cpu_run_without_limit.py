"""Training on CPUs without a limit to count them by."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.counted import processes

_RESOURCES = "spec.trainer.resourcesPerNode"


@rule(
    "TG313",
    "cpu-run-without-limit",
    severity="info",
    profile="strict",
    triggers=("torch",),
    mirrors=("kubeflow/trainer#2407", "NVIDIA/aicr#2280"),
    answers=("A50", "A10"),
)
def cpu_run_without_limit(job: Job) -> Findings:
    """A torch job without GPUs has no CPU limit.

    ## Why
    Without a GPU in TrainJob or runtime the processes are counted by CPUs: those requested, else the limit, else one. A
    runtime that lost its GPUs thus runs one process on each node, quietly and slowly. Without a limit each process also
    starts as many threads as the machine has cores.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, mnist.py]
        resourcesPerNode:  # <-
          requests:
            cpu: "8"
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, mnist.py]
        resourcesPerNode:
          requests:
            cpu: "8"
          limits:
            cpu: "8"
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or job.runtime.policy("torch") is None or job.has("spec.trainer.numProcPerNode"):
        return
    count = processes(job, container.pods)
    if container.devices or "cpu" in container.limits or count is None:
        return
    place = job.at(_RESOURCES) if job.has(_RESOURCES) else job.at("spec.trainer")
    started = f"{count} process(es) start" if isinstance(count, int) else "a process for each CPU of the machine starts"
    yield place.key.report(
        f"{container.words} has no GPU and no CPU limit: {started} on each node",
        help="Limit the CPUs of a node, or ask for its GPUs.",
    )
