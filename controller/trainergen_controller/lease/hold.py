"""One Lease, taken and kept: what is written there, and whether somebody else's word on it still counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from trainergen_controller.errors import AlreadyExistsError, ApiError, ConflictError, NotFoundError, UnavailableError
from trainergen_controller.kinds import LEASE

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object
    from trainergen_controller.clocks import Clock


@dataclass(frozen=True, slots=True)
class Terms:
    """Seconds: a lease is another's to take after ``duration``; its holder writes until ``renew_deadline`` after its
    last renewal and tries to renew every ``retry_period``.

    The defaults are those of the Trainer's own configuration.
    """

    duration: float = 15.0
    renew_deadline: float = 10.0
    retry_period: float = 2.0

    @property
    def write_timeout(self) -> float:
        """What a write may take at most, so that one begun at the last moment is over before the lease is another's."""
        return self.duration - self.renew_deadline


@dataclass(slots=True)
class Hold:
    """Holds a Lease for an identity, or sees who does.

    Whether another holder is alive is judged by our own monotonic clock: from the moment at which its record was last
    seen to change, never by the times it wrote, so clocks that differ do no harm.
    """

    client: Client
    namespace: str
    name: str
    identity: str
    """Several processes may hold it in common under one identity; then none of them gives it up for the others."""
    terms: Terms
    clock: Clock
    in_common: bool = False
    renewed: float = 0.0
    """Monotonic moment before the request of the last renewal that succeeded; zero if we do not hold it."""
    holder: str = ""
    """Who holds it, as last seen; empty for nobody."""
    _seen: tuple[str, str, object] = ("", "", None)
    _seen_at: float = 0.0
    _overtaken: bool = False
    """Somebody wrote between our read and our write: perhaps another process under the common identity."""
    _failure: str = field(default="", repr=False)

    def try_hold(self) -> bool:
        """Takes or renews the Lease with a read and a write; False if it is another's or the server does not say."""
        began = self.clock.monotonic()
        try:
            held = self._hold() or (self._overtaken and self._hold())
        except (ApiError, UnavailableError) as error:
            self._failure = str(error)
            return False
        if held:
            self.renewed, self.holder, self._failure = began, self.identity, ""
        else:
            self.renewed = 0.0
        return held

    @property
    def failure(self) -> str:
        """Why the last attempt had no answer, empty if it had one."""
        return self._failure

    def release(self) -> None:
        """Gives the Lease up so that the next holder need not wait; best effort."""
        held, self.renewed = bool(self.renewed), 0.0
        if not held or self.in_common:
            return
        try:
            lease = self.client.get(LEASE, self.name, self.namespace)
            if (lease.get("spec") or {}).get("holderIdentity") == self.identity:
                lease["spec"] |= {"holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": self._time()}
                self.client.update(LEASE, lease)
        except (ApiError, UnavailableError):
            return

    def _hold(self) -> bool:
        self._overtaken = False
        try:
            lease = self.client.get(LEASE, self.name, self.namespace)
        except NotFoundError:
            return self._create()
        self._observe(lease)
        if self.holder != self.identity and self._is_alive(lease):
            return False
        spec = dict(lease.get("spec") or {})
        now = self._time()
        if self.holder != self.identity:
            spec |= {"acquireTime": now, "leaseTransitions": int(spec.get("leaseTransitions") or 0) + 1}
        spec |= {"holderIdentity": self.identity, "leaseDurationSeconds": round(self.terms.duration), "renewTime": now}
        try:
            self._observe(self.client.update(LEASE, {**lease, "spec": spec}))
        except ConflictError:
            self._overtaken = True
            return False
        return True

    def _create(self) -> bool:
        now = self._time()
        spec = {
            "holderIdentity": self.identity,
            "leaseDurationSeconds": round(self.terms.duration),
            "acquireTime": now,
            "renewTime": now,
            "leaseTransitions": 0,
        }
        body: Object = {
            "apiVersion": LEASE.api_version,
            "kind": LEASE.kind,
            "metadata": {"name": self.name, "namespace": self.namespace},
            "spec": spec,
        }
        try:
            self._observe(self.client.create(LEASE, body, self.namespace))
        except AlreadyExistsError:
            return False
        return True

    def _observe(self, lease: Object) -> None:
        spec = lease.get("spec") or {}
        self.holder = str(spec.get("holderIdentity") or "")
        seen = (self.holder, str(spec.get("renewTime") or ""), spec.get("leaseTransitions"))
        if seen != self._seen or not self._seen_at:
            self._seen, self._seen_at = seen, self.clock.monotonic()

    def _is_alive(self, lease: Object) -> bool:
        duration = float((lease.get("spec") or {}).get("leaseDurationSeconds") or self.terms.duration)
        return bool(self.holder) and self.clock.monotonic() < self._seen_at + duration

    def _time(self) -> str:
        return micro_time(self.clock.now())


def micro_time(moment: datetime) -> str:
    """As Kubernetes' MicroTime is written: ``2026-01-02T03:04:05.000006Z``."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
