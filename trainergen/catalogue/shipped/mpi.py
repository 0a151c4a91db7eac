"""What runs under mpirun: DeepSpeed, MLX and, in the first release, any MPI program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api import JobSetSpec, MLPolicy, MPIPolicy, Network, SuccessPolicy
from trainergen.catalogue.changing import Changing
from trainergen.catalogue.definition import Shipped
from trainergen.catalogue.parts import FRAMEWORK, LAUNCHER, NODE, TRAINER, cluster_runtime, ready, replicated_job
from trainergen.releases import Lifespan

if TYPE_CHECKING:
    from trainergen.api import ClusterTrainingRuntime
    from trainergen.api.fields import JsonMap

POLICY = MPIPolicy(
    num_proc_per_node=1,
    mpi_implementation="OpenMPI",
    ssh_auth_mount_path="/home/mpiuser/.ssh",
    run_launcher_as_node=True,
)
AS_MPIUSER = {"securityContext": {"runAsUser": 1000}}
SSHD: JsonMap = {
    "command": ["/usr/sbin/sshd"],
    "args": ["-De", "-f", "/home/mpiuser/.sshd_config"],
    "readinessProbe": {"tcpSocket": {"port": 2222}, "initialDelaySeconds": 5},
}
WAITS_FOR_NODES = Changing({"2.0": False, "2.3": True})
"""Whether the launcher waits for the nodes, which then have to stand before it."""
POD: Changing[JsonMap] = Changing({"2.0": {}, "2.3": {"securityContext": {"fsGroup": 1000}}})


@dataclass(frozen=True, slots=True)
class Launched:
    """A runtime whose launcher starts the processes on the nodes."""

    name: str
    image: str
    labels: dict[str, str] | None
    command: Changing[JsonMap] = field(default_factory=lambda: Changing({"2.0": {}}))

    def runtime(self, release: str) -> ClusterTrainingRuntime:
        """The runtime in a release."""
        pod, waits = POD.at(release), WAITS_FOR_NODES.at(release)
        base = {"name": NODE, "image": self.image, **AS_MPIUSER}
        node = replicated_job(NODE, base | SSHD, pod=pod)
        launcher = replicated_job(
            LAUNCHER,
            base | self.command.at(release),
            step=TRAINER,
            pod=pod,
            depends_on=ready(NODE) if waits else (),
        )
        jobset = JobSetSpec(
            network=Network(publish_not_ready_addresses=True),
            success_policy=SuccessPolicy(operator="All", target_replicated_jobs=[LAUNCHER]),
            replicated_jobs=[node, launcher] if waits else [launcher, node],
        )
        return cluster_runtime(self.name, MLPolicy(num_nodes=1, mpi=POLICY), jobset, labels=self.labels)


def _shows_its_environment(title: str) -> Changing[JsonMap]:
    script = (
        f'echo "{title} Distributed Runtime"\n\necho "--------------------------------------"\nset -e\n'
        "mpirun --version\npython --version\npip list\n"
    )
    return Changing({"2.0": {"command": ["mpirun", "-n", "1", "bash", "-c", script]}, "2.1": {}})


ABOUT = (
    "{} under mpirun: the launcher reaches the nodes through SSH and trains as well, so that n nodes are the launcher "
    "and n - 1 others. The TrainJob's image and command reach the launcher only."
)
DEEPSPEED = Shipped(
    about=ABOUT.format("DeepSpeed"),
    source="manifests/base/runtimes/deepspeed_distributed.yaml",
    runtime=Launched(
        "deepspeed-distributed",
        "ghcr.io/kubeflow/trainer/deepspeed-runtime",
        {FRAMEWORK: "deepspeed"},
        _shows_its_environment("DeepSpeed"),
    ).runtime,
)
MLX = Shipped(
    about=ABOUT.format("MLX"),
    source="manifests/base/runtimes/mlx_distributed.yaml",
    runtime=Launched(
        "mlx-distributed",
        "ghcr.io/kubeflow/trainer/mlx-runtime",
        {FRAMEWORK: "mlx"},
        _shows_its_environment("MLX"),
    ).runtime,
)
MPI = Shipped(
    about=ABOUT.format("Any MPI program"),
    source="manifests/base/runtimes/mpi_distributed.yaml",
    runtime=Launched(
        "mpi-distributed",
        "mpioperator/mpi-pi:openmpi",
        None,
        Changing({"2.0": {"command": ["mpirun"], "args": ["/home/mpiuser/pi"]}}),
    ).runtime,
    lifespan=Lifespan(until="2.0"),
)
