"""How a runtime sets up its machine-learning framework, and how its pods are scheduled as a gang."""

from typing import Annotated, ClassVar, Literal

from trainergen.api.fields import (
    LIST_ATOMIC,
    LIST_SET,
    Bool,
    Int32,
    IntOrString,
    Marker,
    Rule,
    default,
    enum,
    lasts,
    list_map,
    max_items,
    max_length,
    min_items,
    min_length,
)
from trainergen.api.kubernetes import MetricSpec, NetworkTopologySpec
from trainergen.api.model import Model
from trainergen.releases import Lifespan


class TorchElasticPolicy(Model):
    """Range of nodes for elastic training. No release acts on it."""

    max_restarts: Int32 | None = None
    """How often torchrun may restart."""
    min_nodes: Int32 | None = None
    """Fewest nodes to train with."""
    max_nodes: Int32 | None = None
    """Most nodes to train with."""
    metrics: Annotated[list[MetricSpec] | None, LIST_ATOMIC] = None
    """Metrics to scale by."""


class EnvInjectionTarget(Model):
    """Containers of one replicated job."""

    job_name: Annotated[str, min_length(1), max_length(253)]
    """Name of the replicated job."""
    container_names: Annotated[
        list[Annotated[str, max_length(63)]],
        LIST_SET,
        min_items(1),
        max_items(8),
        Rule(
            "!self.exists(c, c == 'node')",
            "containerNames must not include the main node container because PET_* envs are always injected into it",
        ),
    ]
    """Names of the containers; ``node`` gets the variables anyway."""


class EnvInjection(Model):
    """Which further containers get the torchrun variables."""

    targets: Annotated[list[EnvInjectionTarget] | None, list_map("jobName"), max_items(16)] = None
    """The containers, by replicated job."""


class TorchPolicy(Model):
    """Training with PyTorch: the ``PET_*`` variables of torchrun are set in the container ``node``."""

    num_proc_per_node: Annotated[
        IntOrString | None,
        default("auto"),
        Rule(
            "self > 0 || self in ['auto', 'cpu', 'gpu']",
            "NumProcPerNode must be equal to auto, cpu, gpu, or int value",
        ),
        lasts(until="2.1", successor="spec.trainer.numProcPerNode of the TrainJob"),
    ] = None
    """Processes on each node: a number, or ``auto``, ``cpu`` or ``gpu``."""
    elastic_policy: Annotated[TorchElasticPolicy | None, lasts(until="2.1", successor="mlPolicy.numNodes")] = None
    """Range of nodes for elastic training. No release acts on it."""
    env_injection: Annotated[EnvInjection | None, lasts(since="2.3")] = None
    """Further containers that get the torchrun variables."""


class MPIPolicy(Model):
    """Training with MPI: a launcher reaches the nodes through SSH with generated keys and a host file."""

    num_proc_per_node: Annotated[Int32 | None, default(1)] = None
    """Slots of each node in the host file."""
    mpi_implementation: Annotated[Literal["OpenMPI", ""] | None, default("OpenMPI"), enum("OpenMPI", until="2.0")] = (
        None
    )
    """The MPI in the image. Only ``OpenMPI`` works."""
    ssh_auth_mount_path: Annotated[str | None, default("/root/.ssh"), max_length(4096, since="2.2")] = None
    """Where the SSH keys are mounted."""
    run_launcher_as_node: Annotated[Bool | None, default(False)] = None
    """Whether the launcher also trains."""


class FluxPolicy(Model):
    """Training under a Flux scheduler that is started across the nodes."""

    num_proc_per_node: Annotated[
        Int32 | None, default(1), Rule("self >= 1", "NumProcPerNode in fluxPolicy must be >= 1")
    ] = None
    """Processes on each node."""


class JAXPolicy(Model):
    """Training with JAX: the ``JAX_*`` variables are set. There is nothing to configure."""


class XGBoostPolicy(Model):
    """Training with XGBoost: the ``DMLC_*`` variables of its tracker are set. There is nothing to configure."""


class MLPolicy(Model):
    """Number of nodes and the framework that is set up on them; one framework at most."""

    markers: ClassVar[tuple[Marker, ...]] = (
        Rule(
            "!(has(self.numNodes) && (has(self.torch) && has(self.torch.elasticPolicy)))",
            "numNodes should not be set if torch.elasticPolicy is configured",
            Lifespan(until="2.1"),
        ),
        Rule(
            "!(has(self.torch) && has(self.mpi))",
            "Only one of the policy can be configured",
            Lifespan(until="2.1"),
        ),
        Rule(
            "[has(self.torch), has(self.mpi), has(self.jax), has(self.xgboost),has(self.flux)]"
            ".filter(x, x).size() <= 1",
            "Only one of the policy can be configured",
            Lifespan(since="2.2"),
        ),
    )

    num_nodes: Int32 | None = None
    """Number of training nodes, unless the TrainJob says otherwise."""
    torch: TorchPolicy | None = None
    """PyTorch with torchrun."""
    mpi: MPIPolicy | None = None
    """MPI with a launcher."""
    jax: Annotated[JAXPolicy | None, lasts(since="2.2")] = None
    """JAX."""
    xgboost: Annotated[XGBoostPolicy | None, lasts(since="2.2")] = None
    """XGBoost."""
    flux: Annotated[FluxPolicy | None, lasts(since="2.2")] = None
    """A Flux scheduler."""


class CoschedulingPolicy(Model):
    """Gang scheduling by the coscheduling plugin of the scheduler."""

    schedule_timeout_seconds: Annotated[Int32 | None, default(60)] = None
    """How long the gang may wait for its last pod."""


class VolcanoPolicy(Model):
    """Gang scheduling by Volcano."""

    network_topology: NetworkTopologySpec | None = None
    """How close together the pods have to be."""


class PodGroupPolicy(Model):
    """Which scheduler starts the pods of a TrainJob all together or not at all."""

    coscheduling: CoschedulingPolicy | None = None
    """The coscheduling plugin."""
    volcano: Annotated[VolcanoPolicy | None, lasts(since="2.1")] = None
    """Volcano."""
