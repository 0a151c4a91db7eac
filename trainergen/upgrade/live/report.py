"""What an audit of a cluster found, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject


@dataclass(frozen=True, slots=True)
class Definition:
    """A CRD: the release that its fields are nearest to, with ``differing`` fields that are not the same.

    ``stored`` are the versions that objects may be stored in, ``trouble`` the conditions that are not as they should
    be, ``owners`` who manages it in words, ``writers`` the field managers. ``kept`` tells whether Helm leaves it alone.
    """

    name: str
    of: str
    release: str
    differing: int
    stored: tuple[str, ...]
    trouble: tuple[str, ...]
    owners: tuple[str, ...]
    writers: tuple[str, ...]
    kept: bool


@dataclass(frozen=True, slots=True)
class Controller:
    """A Deployment of the Trainer or of what is beside it; ``release`` is empty when its image does not tell."""

    component: str
    namespace: str
    name: str
    image: str
    version: str
    release: str
    args: tuple[str, ...]
    chart: str
    owners: tuple[str, ...]
    helm: tuple[str, str] = ("", "")
    """Namespace and name of the Helm release that it is part of."""


@dataclass(frozen=True, slots=True)
class HelmRelease:
    """The newest revision of a Helm release, by the labels of its Secret."""

    namespace: str
    name: str
    revision: int
    status: str
    chart: str


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook for the Trainer's or JobSet's kinds; ``has_ca`` tells whether the API server can trust it."""

    kind: str
    configuration: str
    name: str
    service: str
    failure_policy: str
    has_ca: bool


@dataclass(frozen=True, slots=True)
class LiveRuntime:
    """A runtime; ``shipped`` is the release that ships it, empty for one of the cluster's own.

    ``changed`` tells that it goes by a shipped name and says something else.
    """

    kind: str
    namespace: str
    name: str
    shipped: str
    changed: bool
    deprecated: bool
    in_use: bool
    deleting: bool
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveJob:
    """A TrainJob that is not finished and that the upgrade touches.

    ``notes`` say what has to become of it, ``reasons`` why its Pods would be other ones when they are made anew.
    """

    namespace: str
    name: str
    phase: str
    notes: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LegacyCount:
    """How many objects of a kind of the Training Operator are left, and in which namespaces."""

    api_version: str
    kind: str
    count: int
    namespaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveCompanion:
    """A component beside the Trainer, with whether its version goes with the old and the new release.

    ``wanted`` are the versions that go with the new one; None where the version does not tell.
    """

    name: str
    version: str
    fits_old: bool | None
    fits_new: bool | None
    wanted: str


@dataclass(frozen=True, slots=True)
class Drift:
    """The names of the objects of one kind that are only in Git, or only in the cluster."""

    kind: str
    only_in_git: tuple[str, ...]
    only_in_cluster: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotRead:
    """A part of the audit that could not be made, and why."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class LiveAudit:
    """All that was found in one cluster; ``phases`` counts its TrainJobs."""

    context: str
    definitions: tuple[Definition, ...] = ()
    controllers: tuple[Controller, ...] = ()
    helm_releases: tuple[HelmRelease, ...] = ()
    webhooks: tuple[Webhook, ...] = ()
    companions: tuple[LiveCompanion, ...] = ()
    runtimes: tuple[LiveRuntime, ...] = ()
    phases: tuple[tuple[str, int], ...] = ()
    jobs: tuple[LiveJob, ...] = ()
    legacy: tuple[LegacyCount, ...] = ()
    drift: tuple[Drift, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_evaluated: tuple[NotRead, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveObjects:
    """The runtimes and TrainJobs of the cluster as manifests would say them.

    ``runtimes`` are the cluster's own, ``jobs`` all TrainJobs with their phases.
    """

    runtimes: tuple[JsonObject, ...] = ()
    jobs: tuple[tuple[str, JsonObject], ...] = ()
