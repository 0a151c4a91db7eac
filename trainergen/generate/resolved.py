"""What a specification means: the complete objects of every environment, as plain values for the writers of trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api.access import text_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.releases import Release

PARTS = ("queues", "runtimes", "namespace", "neighbours", "jobs")
"""The parts of an environment, in the order in which a cluster should get them."""
CLUSTER_PARTS = ("queues", "runtimes")
"""The parts that belong to the platform; the others belong to the team's namespace."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One object of one environment.

    ``part`` is one of ``PARTS``: "queues" (cluster-scoped objects of Kueue), "runtimes", "namespace" (Namespace, quota,
    LocalQueue, ServiceAccount, …), "neighbours" (what other tools run) and "jobs" (TrainJobs and their ConfigMaps).
    ``key`` is a path-safe name that is the same in every environment: what has one ``(part, key)`` in two environments
    is the same thing there. ``object`` is complete, with its namespace if its kind has one.
    """

    part: str
    key: str
    object: JsonObject


@dataclass(frozen=True, slots=True)
class Environment:
    """One environment: where it is, and everything in it, sorted by part and key."""

    name: str
    namespace: str
    cluster: str
    """The API server's URL or the name Argo CD has for it; empty for the cluster that the delivery runs in."""
    revision: str
    """The git revision that the delivery follows."""
    objects: tuple[Placed, ...]

    def of(self, *parts: str) -> tuple[Placed, ...]:
        """The objects of these parts, in order."""
        return tuple(placed for placed in self.objects if placed.part in parts)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A whole specification, resolved."""

    name: str
    """The workspace's (the team's) name, a DNS label."""
    release: Release
    companions: Mapping[str, str]
    """Versions of ``kubernetes``, ``jobset``, ``kueue``, …, as given or as the release was built with."""
    format: str
    """kustomize, helm or plain."""
    delivery: str
    """argocd, flux or none."""
    install: bool
    """Whether units that install the Trainer itself are wanted."""
    repository: str
    """The git URL for the delivery; empty when there is none."""
    directory: str
    """The folder of the tree inside the repository; empty for its root."""
    environments: tuple[Environment, ...]
    await_jobs: bool = False
    """Whether the delivery waits for the end of the jobs, with a deadline to match."""
    credentials: str = ""
    """The Secret with which Flux reads the repository; Argo CD has its own for each repository."""


@dataclass(frozen=True, slots=True)
class ResolvedJob:
    """A job of one environment as its neighbours see it."""

    key: str
    """The key of its TrainJob among the placed objects."""
    environment: str
    release: Release
    train_job: JsonObject
    runtime: JsonObject
    """The TrainingRuntime or ClusterTrainingRuntime that it names."""

    @property
    def name(self) -> str:
        """The name of the TrainJob."""
        return text_at(self.train_job, "metadata", "name")

    @property
    def namespace(self) -> str:
        """The namespace of the TrainJob."""
        return text_at(self.train_job, "metadata", "namespace")
