"""A launcher that knows nothing of the other nodes."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import place_of, program, words_of

_OPTIONS = {
    "accelerate": frozenset({"num-machines", "machine-rank", "main-process-ip", "config-file"}),
    "accelerate-launch": frozenset({"num-machines", "machine-rank", "main-process-ip", "config-file"}),
    "deepspeed": frozenset({"hostfile", "H", "no-ssh", "node-rank", "num-nodes"}),
}
"""The options that name other machines."""


@rule(
    "TG408",
    "launcher-ignores-nodes",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("torch",),
    mirrors=("kubeflow/trainer#3492", "kubeflow/sdk#142"),
    answers=("A24", "A25"),
)
def launcher_ignores_nodes(job: Job) -> Findings:
    """accelerate or deepspeed starts the program on each node by itself.

    ## Why
    `accelerate launch` and `deepspeed` do not read the `PET_*` variables: the number of machines and the rank come from
    their own options or files, and are one and zero without them. Each node then trains the whole model for itself, and
    says so nowhere.

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
        command: [accelerate, launch, /workspace/train.py]  # <-
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
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    if container is None or job.nodes < 2 or job.runtime.policy("torch") is None:
        return
    words = words_of(container)
    starter = next((name for name in map(program, words) if name in _OPTIONS), "")
    options = {word.partition("=")[0].lstrip("-").replace("_", "-") for word in words if word.startswith("-")}
    if starter and not options & _OPTIONS[starter]:
        yield place_of(container, starter).report(
            f"'{starter}' does not read the PET_* variables, so each of the {job.nodes} nodes trains by itself",
            help="Start the program with torchrun, or give it the machines, the rank and the address of the first.",
        )
