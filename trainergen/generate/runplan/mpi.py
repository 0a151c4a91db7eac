"""A launcher's mpirun on one machine: so many processes here, without hosts and SSH.

Source of the variables: kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.3.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.render.pods import JobPods

LAUNCHER = "launcher"
_COUNTS = frozenset({"-n", "-np", "--n", "--np", "-c"})
_REMOTE = re.compile(
    r"(OMPI|PRTE|PRRTE|HYDRA|I_MPI_HYDRA)_?\w*(host_?file|rsh|HOST|LAUNCH|fqdn|default_slots)\w*", re.I
)
OVERSUBSCRIBE = {
    "OMPI_MCA_rmaps_base_oversubscribe": "true",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
"""A laptop has fewer slots than a cluster, which Open MPI 4 and 5 otherwise refuse."""


def is_mpirun(word: str) -> bool:
    """Whether a command starts processes by MPI."""
    return word.rpartition("/")[2] in ("mpirun", "mpiexec", "mpiexec.hydra")


def local_command(command: tuple[str, ...], processes: int) -> tuple[str, ...]:
    """``command`` with mpirun's number of processes set to ``processes``."""
    start = next((number for number, word in enumerate(command) if is_mpirun(word)), None)
    if start is None:
        return command
    for number in range(start + 1, len(command) - 1):
        if command[number] in _COUNTS:
            return (*command[: number + 1], str(processes), *command[number + 2 :])
        if not command[number].startswith("-") and not command[number - 1].startswith("-"):
            break
    return (*command[: start + 1], "-n", str(processes), *command[start + 1 :])


def local_variables(variables: dict[str, str]) -> dict[str, str]:
    """``variables`` without those that name other hosts and the way to them."""
    return {name: value for name, value in variables.items() if not _REMOTE.fullmatch(name)} | OVERSUBSCRIBE


def process_count(pods: JobPods) -> int:
    """All processes: the slots of the host file."""
    if pods.host_file is None:
        return 1
    slots = [re.search(r"(?:slots=|:)(\d+)\s*$", line) for line in pods.host_file.lines]
    return sum(int(found[1]) if found else 1 for found in slots)
