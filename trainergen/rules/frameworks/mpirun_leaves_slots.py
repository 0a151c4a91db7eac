"""A number of processes for mpirun that leaves nodes without any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import is_python, place_of, program, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_MPIRUN = frozenset({"mpirun", "mpiexec", "orterun"})
_OPTIONS = frozenset({"-n", "-np", "--np", "-c"})


@rule(
    "TG426",
    "mpirun-leaves-slots",
    severity="warning",
    triggers=("mpi",),
    mirrors="kubeflow/mpi-operator#472",
    answers=("A61",),
)
def mpirun_leaves_slots(job: Job) -> Findings:
    """mpirun gets fewer processes than there are slots, and leaves nodes or GPUs idle.

    ## Why
    Without `-np`, mpirun starts a process for each slot of the host file, which Trainer writes from nodes and GPUs.
    With fewer it fills the first host and then the next: the last ones stay idle, and with no more processes than one
    host has slots everything runs there.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        numNodes: 4
        command: [mpirun, -np, "2", python, /workspace/train.py]  # <-
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
        name: deepspeed-distributed
      trainer:
        numNodes: 4
        command: [mpirun, python, /workspace/train.py]
    ```
    """
    launcher = next((pods for pods in job.pods if pods.name == "launcher"), None)
    container = launcher.container("node") if launcher else None
    own = job.has("spec.trainer.command") or job.has("spec.trainer.args")
    if job.runtime.policy("mpi") is None or container is None or not own:
        return
    number, slots = _processes(words_of(container)), _slots(job)
    if number is None or not 0 < number < sum(slots):
        return
    yield place_of(container, str(number)).report(
        f"mpirun starts {number} process(es) for {sum(slots)} slots on {len(slots)} hosts, so some stay empty",
        help="Leave the option out: mpirun starts a process for each slot.",
    )


def _processes(words: Sequence[str]) -> int | None:
    """The number that mpirun gets, None where it gets none."""
    start = next((number for number, word in enumerate(words) if program(word) in _MPIRUN), len(words))
    for number, word in enumerate(words[start + 1 : -1], start + 1):
        if is_python(word) or word in ("bash", "sh"):
            return None
        if word in _OPTIONS:
            return int(words[number + 1]) if words[number + 1].isdigit() else None
    return None


def _slots(job: Job) -> list[int]:
    """The slots of the hosts in the host file."""
    maps = [one for one in job.rendered_objects("ConfigMap") if one.has("data.hostfile")]
    lines = maps[0].text("data.hostfile").split() if maps else []
    return [int(word.partition("=")[2]) for word in lines if word.startswith("slots=") and word[6:].isdigit()]
