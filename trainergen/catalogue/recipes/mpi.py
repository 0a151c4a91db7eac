"""Any program under mpirun, Horovod among them."""

from __future__ import annotations

from trainergen.api import Trainer
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node
from trainergen.catalogue.recipes.hardening import Size
from trainergen.catalogue.recipes.launched import CHANGES, HOME, SINCE, launched_jobset, launched_policy

NAME = "mpi-horovod"
SIZE = Size(cpu=4, memory="8Gi")

MPI = Recipe(
    use="Horovod and any other program that is started by mpirun. The image holds Open MPI, SSH and a small program "
    "only: it shows that nodes find each other.",
    change=(
        *CHANGES,
        (
            "For Horovod, build it (with HOROVOD_WITH_MPI=1) into an image that starts from mpioperator/openmpi: the "
            "public ones of Horovod run SSH as root."
        ),
        (
            "NET_BIND_SERVICE has to stay, the only capability that 'restricted' lets a container keep: in images made "
            "from mpioperator/base, sshd carries it, and the kernel starts no such program in a container without it."
        ),
    ),
    lifespan=SINCE,
    runtime=cluster_runtime(
        NAME,
        launched_policy(),
        launched_jobset("mpioperator/mpi-pi:v0.8.2-openmpi", SIZE, memory="1Gi", keeps=("NET_BIND_SERVICE",)),
        labels={FRAMEWORK: "mpi"},
    ),
    job=example_job(
        NAME,
        Trainer(num_nodes=2, args=[f"{HOME}/pi"], num_proc_per_node=2, resources_per_node=per_node(SIZE)),
        deadline=None,
    ),
)
