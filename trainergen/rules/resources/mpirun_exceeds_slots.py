"""An mpirun for more processes than there are slots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import mpirun_processes

if TYPE_CHECKING:
    from trainergen.rules import Container, Spot

_SLOTS = re.compile(r" slots=(\d+)$", re.MULTILINE)


@rule(
    "TG322",
    "mpirun-exceeds-slots",
    severity="error",
    triggers=("mpi",),
    mirrors="kubeflow/mpi-operator#472",
    answers=("A61",),
)
def mpirun_exceeds_slots(job: Job) -> Findings:
    """The command asks mpirun for more processes than the host file has slots.

    ## Why
    The host file lists each node with its slots: `numProcPerNode`, else the number of GPUs, else one. mpirun refuses to
    start more processes than there are slots in all, and the launcher fails at once. Without `-np` it fills all slots.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: t5
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        numNodes: 2
        numProcPerNode: 4
        command: [mpirun, -np, "16", python, t5.py]  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: t5
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        numNodes: 2
        numProcPerNode: 4
        command: [mpirun, python, t5.py]
    ```
    """
    files = [part.text("data.hostfile") for part in job.rendered_objects("ConfigMap")]
    slots = sum(int(number) for text in files for number in _SLOTS.findall(text))
    container = job.trainer.container("node") if job.trainer else None
    if container is None or not slots:
        return
    words = " ".join([*container.command, *container.args])
    for wanted in mpirun_processes(words):
        if wanted > slots and "oversubscribe" not in words:
            yield _place(container).report(
                f"mpirun is asked for {wanted} processes, but the host file has {slots} slots",
                help="Leave -np out to fill all slots, or set numNodes and numProcPerNode to fit.",
            )


def _place(container: Container) -> Spot:
    """Where mpirun is written."""
    in_command = any(program in word for word in container.command for program in ("mpi", "orterun", "horovod"))
    return container.at("command" if in_command or not container.args else "args").key
