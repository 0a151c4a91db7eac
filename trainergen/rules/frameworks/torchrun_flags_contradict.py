"""Options of torchrun that say something else than the variables of the runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import place_of, torchrun_options, words_of

if TYPE_CHECKING:
    from trainergen.rules import Container

_LOCAL = ("localhost", "127.", "0.0.0.0", "::1")


@rule(
    "TG402",
    "torchrun-flags-contradict",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("torch",),
    mirrors=("kubeflow/sdk#142", "kubeflow/trainer#1992"),
    answers=("A25", "A51"),
)
def torchrun_flags_contradict(job: Job) -> Findings:
    """Options of torchrun contradict what the runtime sets in PET_* variables.

    ## Why
    An option of torchrun beats the `PET_*` variable of the same meaning. `--standalone`, `--nnodes=1` or a local
    address make each of several nodes train by itself; a literal `--node-rank` gives all of them the same rank; too
    many `--nnodes` wait for ever, and a number of processes other than that of the GPUs leaves some idle or fails. A
    range in `--nnodes` asks for an elastic run, but the number of Pods is fixed.

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
        numNodes: 2
        command: [torchrun, --standalone, /workspace/train.py]  # <-
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
        numNodes: 2
        command: [torchrun, /workspace/train.py]
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or job.runtime.policy("torch") is None:
        return
    options = torchrun_options(words_of(container)) or {}
    for option, value in options.items():
        problem = _problem(job, container, option, value)
        if problem:
            written = f"--{option}={value}" if value else f"--{option}"
            name = option if place_of(container, option) != place_of(container, "") else option.replace("-", "_")
            yield place_of(container, f"--{name}").report(
                f"torchrun gets '{written}', {problem}",
                help="Remove the option: torchrun takes it from the PET_* variables that the runtime sets.",
            )


def _problem(job: Job, container: Container, option: str, value: str) -> str:
    """What is wrong with an option; empty when nothing is, or when the value is only known when it runs."""
    if "$" in value:
        return ""
    if option == "nproc-per-node":
        return _processes(job, container, value)
    if option == "nnodes":
        return _nodes(job.nodes, value)
    if job.nodes < 2:
        return ""
    if option == "standalone":
        return f"so that each of the {job.nodes} nodes trains by itself"
    if option == "node-rank":
        return f"so that all {job.nodes} nodes have the same rank"
    if option in ("master-addr", "rdzv-endpoint") and value.startswith(_LOCAL):
        return f"so that each of the {job.nodes} nodes waits for the others at itself"
    return ""


def _nodes(nodes: int, value: str) -> str:
    least, colon, most = value.partition(":")
    if colon:
        return "" if least == most else f"a range, but the number of Pods is always {nodes}"
    return f"but there are {nodes} nodes" if value.isdigit() and int(value) != nodes else ""


def _processes(job: Job, container: Container, value: str) -> str:
    wanted = job.integer("spec.trainer.numProcPerNode")
    if wanted is None and container.variable("PET_NPROC_PER_NODE") == "auto":
        wanted = max(container.devices.values(), default=0)
    return f"but a node has {wanted} processes to run" if wanted and value.isdigit() and int(value) != wanted else ""
