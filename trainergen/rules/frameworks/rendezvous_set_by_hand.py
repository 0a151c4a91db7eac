"""Rank, world size or master address that are written into the environment of all nodes."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import torchrun_options, words_of

_SET_BY_TORCHRUN = ("RANK", "NODE_RANK", "WORLD_SIZE", "MASTER_ADDR")
_SAME_EVERYWHERE = frozenset({"RANK", "NODE_RANK"})
_LOCAL = ("localhost", "127.", "0.0.0.0", "::1")
_HELP = "Remove it and start the program with torchrun, or use $(PET_NODE_RANK) and $(PET_MASTER_ADDR)."


@rule(
    "TG403",
    "rendezvous-set-by-hand",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("RANK", "NODE_RANK", "WORLD_SIZE", "MASTER_ADDR"),
    mirrors="kubeflow/trainer#1790",
    answers=("A52",),
)
def rendezvous_set_by_hand(job: Job) -> Findings:
    """RANK, WORLD_SIZE or MASTER_ADDR are set by hand on a torch runtime.

    ## Why
    All nodes run the same Pod template, so that a literal `RANK` or `NODE_RANK` gives them all the same rank, and a
    local `MASTER_ADDR` makes each wait at itself. Where torchrun starts the program, it sets these variables anew for
    each process, and what the manifest says is lost.

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
        command: [python, /workspace/train.py]
        env:
          - name: NODE_RANK
            value: "0"  # <-
          - name: MASTER_ADDR
            value: localhost  # <-
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
    torchrun = torchrun_options(words_of(container)) is not None
    for name in _SET_BY_TORCHRUN:
        value = container.variable(name)
        if value is None:
            continue
        place = container.env[name].at("value")
        if torchrun:
            yield place.report(
                f"{name} is '{value}', but torchrun sets it anew for each process",
                help="Remove the variable.",
                severity="info",
            )
        elif job.nodes > 1 and name in _SAME_EVERYWHERE and value.isdigit():
            yield place.report(f"{name} is '{value}' on all {job.nodes} nodes", help=_HELP)
        elif job.nodes > 1 and name == "MASTER_ADDR" and value.startswith(_LOCAL):
            yield place.report(f"{name} is '{value}', where each of {job.nodes} nodes finds only itself", help=_HELP)
