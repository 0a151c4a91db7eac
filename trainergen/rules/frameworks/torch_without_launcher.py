"""A torch program that is started without anything that reads the variables of the runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import place_of, plain_python, text_of

if TYPE_CHECKING:
    from trainergen.rules import Container

_STARTERS = (
    *("torchrun", "torch.distributed", "tune", "accelerate", "deepspeed", "mpirun", "mpiexec", "horovodrun", "srun"),
    *("lightning", "fabric", "composer", "colossalai", "llamafactory", "swift", "axolotl", "torchx"),
    *("spawn", "PET_"),
)
"""What starts processes by itself, or reads the variables, as far as the command line tells."""
_WIRED = frozenset({"RANK", "NODE_RANK", "MASTER_ADDR", "WORLD_SIZE"})


@rule(
    "TG401",
    "torch-without-launcher",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("torch",),
    mirrors=("kubeflow/trainer#3492", "kubeflow/sdk#142"),
    answers=("A24", "A25", "A57"),
)
def torch_without_launcher(job: Job) -> Findings:
    """A torch program is started by python alone, so that its processes do not find each other.

    ## Why
    A torch runtime sets `PET_*` variables and never a command. Only torchrun (or what is built on it) reads them.
    `python train.py` starts one process on each node, which knows nothing of the others: every node trains the whole
    model by itself, or one of eight GPUs does. On a single node some libraries start their own processes, so that this
    is a remark there.

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
        numNodes: 4
        command: [python, /workspace/train.py]  # <-
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
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
        numNodes: 4
        command: [torchrun, /workspace/train.py]
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or job.runtime.policy("torch") is None or "PET_NNODES" not in container.env:
        return
    processes = _several(job, container)
    text = text_of(container)
    if not processes or _WIRED & container.env.keys() or any(word in text for word in _STARTERS):
        return
    if " -c " in text and "torch" not in text:
        return
    word = plain_python(container)
    if word:
        certain = job.nodes > 1 and container.command
        yield place_of(container, word).report(
            f"'{word}' starts one process on a node, which does not join the others: {processes} are meant",
            help="Start the program with torchrun, which reads the PET_* variables that the runtime sets.",
            severity="" if certain else "info",
        )


def _several(job: Job, container: Container) -> str:
    """How many nodes or processes are meant; empty for one."""
    if job.nodes > 1:
        return f"{job.nodes} nodes"
    processes = job.integer("spec.trainer.numProcPerNode") or 1
    gpus = max(container.devices.values(), default=0) if container.variable("PET_NPROC_PER_NODE") == "auto" else 0
    return f"{max(processes, gpus)} processes" if max(processes, gpus) > 1 else ""
