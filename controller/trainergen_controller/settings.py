"""How one process of the controller is to run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from trainergen.releases import NEWEST
from trainergen_controller.cache.reflector import FIRST_RETRY
from trainergen_controller.lease.hold import Terms

AUDIT, RECONCILE = "audit", "reconcile"
REVIEW, OIDC = "review", "oidc"
TRAINER_LEASE = "trainer.kubeflow.org"
"""The Lease of the Trainer's own controller.
kubeflow/trainer charts/kubeflow-trainer/values.yaml @ v2.1.0 to v2.3.0."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What is answered besides health and metrics: nothing without an address."""

    webhook: tuple[str, int] | None = None
    """Where the admission webhook listens."""
    status: tuple[str, int] | None = None
    """Where training code reports its progress."""
    tokens: str = REVIEW
    """How the tokens of training code are judged: by the API server one by one, or with its public keys."""
    files: tuple[Path, Path] | None = None
    """Certificate chain and key that somebody else keeps; else we keep our own in ``secret``."""
    secret: str = "trainergen-controller-cert"
    services: tuple[str, ...] = ("trainergen-controller",)
    """The Services in front of us, for which our own certificate is made."""
    configuration: str = "trainergen-controller"
    """The webhook configurations that our own authority is put into; empty for none."""
    drain_seconds: float = 5.0
    """How long is still answered after the end was asked for, until everybody knows that we are going."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it has defaults but the mode's leases, which follow from the rest."""

    mode: str = AUDIT
    release: str = NEWEST.name
    namespace: str = ""
    """Empty: all namespaces."""
    selector: str = ""
    """Label selector of the TrainJobs of this shard."""
    features: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    profile: str = "recommended"
    """The rules of ``audit``."""
    workers: int = 5
    qps: float = 50.0
    burst: int = 100
    system_namespace: str = "kubeflow-system"
    """Where the leases lie."""
    terms: Terms = field(default_factory=Terms)
    identity: str = "trainergen-controller"
    first_retry: float = FIRST_RETRY
    """Seconds before a list or watch that failed is tried again for the first time."""
    sync_seconds: float = 120.0
    """How long the first lists may take."""
    serving: Serving = field(default_factory=Serving)

    @property
    def shard(self) -> str:
        """What tells the names of a shard apart; empty for who looks at everything."""
        shard = f"{self.namespace}|{self.selector}"
        return "" if shard == "|" else f"-{hashlib.sha256(shard.encode()).hexdigest()[:8]}"

    @property
    def leases(self) -> tuple[tuple[str, str], ...]:
        """Name and holder of each Lease to be held, in order.

        A shard has a Lease of its own. In ``reconcile`` mode all shards hold the Trainer's Lease in common, under one
        name, so that the Trainer's controller cannot start to write beside them.
        """
        ours = (f"trainergen-controller-{self.mode}{self.shard}", self.identity)
        return (ours, (TRAINER_LEASE, "trainergen-controller")) if self.mode == RECONCILE else (ours,)
