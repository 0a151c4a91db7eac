"""What is known of the Pods of a TrainJob: one kind for each replicated job, and what rules all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.render.resources import summed

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.pods.containers import ContainerView
    from trainergen.render.resources import Amounts

RANDOM = "<random>"
"""Stands for the five letters and digits at the end of a Pod's name."""
CLUSTER_DOMAIN = "svc.cluster.local"
"""The domain of Services unless the cluster was set up with another one."""


@dataclass(frozen=True, slots=True)
class Pod:
    """One Pod. ``hostname`` and ``dns`` are empty where it has none that can be known before it runs."""

    name: str
    job: str
    replica: int
    index: int | None
    """The completion index; None in a Job that is not indexed."""
    hostname: str = ""
    dns: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How often is tried, and for how long. None is no limit."""

    restart_policy: str
    backoff_limit: int
    backoff_limit_is_default: bool = False
    backoff_limit_per_index: int | None = None
    max_failed_indexes: int | None = None
    active_deadline_seconds: int | None = None
    ttl_seconds_after_finished: int | None = None
    failure_rules: tuple[str, ...] = ()
    """The rules of the Job's Pod failure policy, readable."""
    termination_grace_period_seconds: int = 30


@dataclass(frozen=True, slots=True)
class Scheduling:
    """Where Pods may run and who places them; texts are readable summaries."""

    scheduler: str
    node_selector: dict[str, str] = field(default_factory=dict)
    tolerations: tuple[str, ...] = ()
    affinity: tuple[str, ...] = ()
    topology_spread: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    priority_class: str = ""
    runtime_class: str = ""
    service_account: str = "default"
    host_network: bool = False


@dataclass(frozen=True, slots=True)
class VolumeView:
    """A volume of the Pods and a readable summary of what is in it."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class PodKind:
    """The equal Pods of one replicated job."""

    name: str
    step: str
    """The ancestor label: ``trainer``, ``dataset-initializer``, ``model-initializer`` or empty."""
    jobset: str
    namespace: str
    replicas: int
    """Jobs made of the replicated job."""
    pods_per_job: int
    indexed: bool
    subdomain: str
    """The headless Service that gives the Pods their addresses; empty without one."""
    processes: int | str | None
    """Per Pod, as the framework is told; ``auto`` leaves it to the framework."""
    waits_for: tuple[str, ...]
    labels: dict[str, str]
    annotations: dict[str, str]
    limits: Limits
    scheduling: Scheduling
    init_containers: tuple[ContainerView, ...]
    containers: tuple[ContainerView, ...]
    volumes: tuple[VolumeView, ...]
    requests: Amounts
    """What the scheduler reserves for one Pod, limits that stand in for requests included."""
    bounds: Amounts
    """The limits of one Pod: the sum over its containers."""

    @property
    def count(self) -> int:
        """All Pods of this kind."""
        return max(self.replicas, 0) * max(self.pods_per_job, 0)

    @property
    def jobs(self) -> list[str]:
        """The names of the Jobs, at most the first thousand."""
        return [self.job_name(replica) for replica in range(min(max(self.replicas, 0), 1000))]

    def job_name(self, replica: int | str) -> str:
        """The name of the Job with that index."""
        return f"{self.jobset}-{self.name}-{replica}"

    def pod(self, replica: int, index: int) -> Pod:
        """One Pod by the index of its Job and its own in it.

        Source: kubernetes/kubernetes pkg/controller/job/indexed_job_utils.go @ v1.35.0,
        kubernetes-sigs/jobset pkg/util/placement/placement.go @ v0.12.0.
        """
        job = self.job_name(replica)
        if not self.indexed:
            return Pod(f"{job}-{RANDOM}", job, replica, None)
        host = f"{job}-{index}"
        dns = f"{host}.{self.subdomain}.{self.namespace}.{CLUSTER_DOMAIN}" if self.subdomain else ""
        return Pod(f"{host}-{RANDOM}", job, replica, index, host, dns)

    def pods(self) -> Iterator[Pod]:
        """All Pods, replica by replica; there may be billions of them."""
        for replica in range(max(self.replicas, 0)):
            for index in range(max(self.pods_per_job, 0)):
                yield self.pod(replica, index)

    @property
    def total_processes(self) -> int | None:
        """The processes of all Pods, None where they are not known; for ``auto`` one for each GPU."""
        return None if self.processes_per_pod is None else self.processes_per_pod * self.count

    @property
    def processes_per_pod(self) -> int | None:
        """The processes of one Pod as far as they can be counted: ``auto`` is one for each GPU it gets."""
        if isinstance(self.processes, int):
            return self.processes
        if self.processes == "auto":
            return self.gpus or None
        return None

    @property
    def gpus(self) -> int:
        """The GPUs of one Pod: all extended resources with ``gpu`` in their names."""
        return sum(amount.ceil() for name, amount in self.requests.items() if "/" in name and "gpu" in name.lower())


@dataclass(frozen=True, slots=True)
class HostFile:
    """The MPI host file, or the host list of Flux, which is one line for all hosts."""

    title: str
    object: str
    """The ConfigMap it is in."""
    lines: tuple[str, ...]
    hosts: int


@dataclass(frozen=True, slots=True)
class Gang:
    """The PodGroup that makes all Pods start together or not at all."""

    scheduler: str
    name: str
    min_member: int
    min_resources: dict[str, str]
    queue: str = ""


@dataclass(frozen=True, slots=True)
class JobPods:
    """All Pods of a TrainJob. ``kinds`` are in the order of the JobSet's replicated jobs."""

    job: str
    namespace: str
    suspended: bool
    kinds: tuple[PodKind, ...]
    restarts: str
    """What happens when a Job fails: the JobSet's failure policy, readable."""
    success: str
    """When the JobSet counts as done, readable."""
    deadline_seconds: int | None = None
    service: str = ""
    host_file: HostFile | None = None
    gang: Gang | None = None
    warnings: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """All Pods."""
        return sum(kind.count for kind in self.kinds)

    @property
    def processes(self) -> int | None:
        """All processes that frameworks are told to start, None where any of them is not known."""
        counted = [kind.total_processes for kind in self.kinds if kind.processes is not None]
        if not counted or any(number is None for number in counted):
            return None
        return sum(number for number in counted if number is not None)

    @property
    def requests(self) -> dict[str, str]:
        """What all Pods request together."""
        return summed((kind.count, kind.requests) for kind in self.kinds)

    def kind(self, name: str) -> PodKind | None:
        """The Pods of the replicated job of that name."""
        return next((kind for kind in self.kinds if kind.name == name), None)

    def to_dict(self) -> JsonObject:
        """Everything as plain JSON values."""
        from trainergen.render.pods.plain import job_pods_to_dict

        return job_pods_to_dict(self)
