"""What the recipes under mpirun share: nodes that wait for SSH as a plain user, and a launcher that waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainergen.api import JobSetSpec, MLPolicy, MPIPolicy, SuccessPolicy
from trainergen.catalogue.parts import LAUNCHER, NODE, TRAINER, ready
from trainergen.catalogue.recipes.hardening import (
    SHARED_MEMORY_MOUNT,
    Size,
    container,
    hardened_job,
    hardened_jobset,
    pod,
    shared_memory,
)
from trainergen.releases import Lifespan

if TYPE_CHECKING:
    from trainergen.api.fields import JsonMap

HOME = "/home/mpiuser"
"""The home of user 1000 in the images: ssh and sshd refuse a user without an entry in the passwd file."""
SINCE = Lifespan(since="2.1")
"""The first release lacks the groups of replicated jobs, which the server of later ones fills in."""
PORT = 2222
CHANGES = (
    (
        "The image, in both jobs: that of a TrainJob reaches the launcher only. It needs a user 1000 with home "
        "/home/mpiuser, whose .sshd_config listens on port 2222 and has StrictModes off, since the keys belong to root."
    ),
    (
        "Resources, in both jobs alike; those of a TrainJob reach both. With more than one GPU a node, Trainer starts "
        "a process for each."
    ),
    (
        "numNodes belongs into the TrainJob, at least 2: the launcher counts, and there is always a node beside it. "
        "Here it has to stay 1, for Trainer makes as many launchers."
    ),
)


def launched_policy() -> MLPolicy:
    """Keys in the home of the user, and a launcher that trains as well."""
    return MLPolicy(
        # NB: it has to be one. Trainer starts as many launchers, and sets only the number of nodes from the TrainJob's.
        num_nodes=1,
        mpi=MPIPolicy(
            num_proc_per_node=1,
            mpi_implementation="OpenMPI",
            ssh_auth_mount_path=f"{HOME}/.ssh",
            run_launcher_as_node=True,
        ),
    )


def launched_jobset(image: str, size: Size, *, memory: str, keeps: Sequence[str] = ()) -> JobSetSpec:
    """The node first, because a job can wait only for those before it, then the launcher."""
    env = [{"name": "PYTHONUNBUFFERED", "value": "1"}]
    fields: JsonMap = {"env": env, "volumeMounts": [SHARED_MEMORY_MOUNT]}
    # The keys are readable for the group alone, which fsGroup of the Pod makes the user's.
    in_pod = pod(grace=60, volumes=[shared_memory(memory)])
    sshd: JsonMap = {
        "command": ["/usr/sbin/sshd"],
        "args": ["-De", "-f", f"{HOME}/.sshd_config"],
        "ports": [{"name": "ssh", "containerPort": PORT, "protocol": "TCP"}],
        "readinessProbe": {"tcpSocket": {"port": PORT}, "initialDelaySeconds": 2, "periodSeconds": 5},
    }
    node = hardened_job(NODE, container(NODE, image, size, sshd | fields, keeps=keeps), in_pod)
    launcher = hardened_job(
        LAUNCHER,
        container(NODE, image, size, {"command": ["mpirun"]} | fields, keeps=keeps),
        in_pod,
        step=TRAINER,
        depends_on=ready(NODE),
    )
    return hardened_jobset(node, launcher, success=SuccessPolicy(operator="All", target_replicated_jobs=[LAUNCHER]))
