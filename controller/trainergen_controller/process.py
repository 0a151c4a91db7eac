"""One process of the controller: clients, caches, leases, workers and their end, put together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen.releases import get_release
from trainergen_controller.applier import Applier
from trainergen_controller.caches import KINDS, READ_KINDS, Caches
from trainergen_controller.clocks import Clock, SystemClock
from trainergen_controller.engine import Engine
from trainergen_controller.lease import Election, Fence, FencedClient, Hold, NotLeadingError
from trainergen_controller.logs import logger
from trainergen_controller.metrics import Metrics
from trainergen_controller.queue import TokenBucket
from trainergen_controller.reconciling import ReconcileMode
from trainergen_controller.recorder import Recorder
from trainergen_controller.services import Services, ServingError
from trainergen_controller.settings import RECONCILE, Settings
from trainergen_controller.throttle import ThrottledClient

if TYPE_CHECKING:
    from trainergen_controller.cache import Change
    from trainergen_controller.client import Client
    from trainergen_controller.kinds import ApiKind
    from trainergen_controller.passes.secret_values import SshKeys
    from trainergen_controller.work import Item, Mode

_LOG = logger("process")
_CLOSING_SECONDS = 10.0
_STALE_SECONDS = 1.0


@dataclass(slots=True)
class Process:
    """``connect`` makes a client whose requests take at most so many seconds; the leases get one of their own, so that
    nothing that queues for the API server keeps them from being renewed."""

    settings: Settings
    connect: Callable[[float], Client]
    ssh_keys: SshKeys
    clock: Clock = field(default_factory=SystemClock)
    stop: threading.Event = field(default_factory=threading.Event)
    metrics: Metrics = field(default_factory=Metrics)
    fetch: Callable[[str], Mapping[str, Any]] | None = None
    """Reads any JSON document of the API server by its path."""
    fence: Fence = field(init=False)
    caches: Caches = field(init=False)
    mode: Mode = field(init=False)
    engine: Engine = field(init=False)
    election: Election = field(init=False)
    services: Services = field(init=False)
    _single: bool = False
    """One pass only, so that what is put off would never come."""

    def __post_init__(self) -> None:
        terms = self.settings.terms
        bucket = TokenBucket(self.settings.qps, self.settings.burst, self.clock)
        self.fence = Fence(self.clock)
        self.caches = Caches(
            self._throttled(self.connect(30.0), bucket),
            self._on_change,
            namespace=self.settings.namespace,
            selector=self.settings.selector,
            clock=self.clock,
            kinds=KINDS if self.settings.mode == RECONCILE else READ_KINDS,
            first_retry=self.settings.first_retry,
        )
        # asked last, for whoever waits for its turn may have lost the lease meanwhile
        writer = self._throttled(FencedClient(self.connect(terms.write_timeout), self.fence), bucket)
        self.mode = self._mode(writer)
        self.engine = Engine(self.mode, self.clock, self.fence, self.metrics, self.settings.workers, leads=False)
        lease_client = self.connect(terms.renew_deadline / 2)
        holds = [
            Hold(
                lease_client,
                self.settings.system_namespace,
                name,
                holder,
                terms,
                self.clock,
                in_common=holder != self.settings.identity,
            )
            for name, holder in self.settings.leases
        ]
        self.election = Election(holds, self.fence, terms, self.clock, self.engine.take_over, self._on_stop)
        self.metrics.watch_queue(lambda: len(self.engine.queue), self.engine.queue.delayed)
        self.metrics.watch_cache({kind.kind: store.__len__ for kind, store in self.caches.stores.items()})
        self.metrics.watch_leading(lambda: self.fence.is_open)
        self.services = self._services()

    def run(self) -> None:
        """Until ``stop`` is set: reads, answers, leads or waits, works; then ends in order.

        Raises ``services.ServingError`` when it cannot answer as it was asked to.
        """
        self.caches.start(self.stop)
        self.services.start(self.stop)
        try:
            while not self._synced() and not self.stop.is_set():
                _LOG.warning("still waiting for the first lists", kinds=self.caches.missing)
            self.engine.start(self.stop)
            self.election.run(self.stop)
        finally:
            self._end()
        if self.services.failure:
            raise ServingError(self.services.failure)

    def once(self) -> dict[str, str]:
        """One pass over everything there is; what failed, or is wrong with an object, by kind and name.

        Raises ``lease.NotLeadingError`` when a Lease that is needed is another's.
        """
        self._single = True
        self.caches.start(self.stop)
        try:
            if not self._synced():
                return {"cache": f"not read in time: {self.caches.missing}"}
            self._work_off()
            wrong = {**self.mode.complaints(), **self.engine.errors}
            return {f"{item.kind.kind} {'/'.join(filter(None, item.key))}": text for item, text in wrong.items()}
        finally:
            self.election.resign()
            self._end()

    @property
    def not_alive(self) -> str:
        """What is broken beyond repair, for ``/healthz``."""
        return self.engine.dead and f"threads ended: {self.engine.dead}"

    @property
    def not_ready(self) -> str:
        """What is still missing, for ``/readyz``. A replica that waits for its turn is ready: it serves admission."""
        return self.caches.missing and f"not listed yet: {self.caches.missing}"

    def _end(self) -> None:
        """Ends the watches, then waits for what is under way."""
        self.stop.set()
        self.caches.client.close()
        self.engine.join(_CLOSING_SECONDS)
        self.caches.join(_CLOSING_SECONDS)
        self.services.close()

    def _synced(self) -> bool:
        return self.caches.wait_synced(self.stop, self.settings.sync_seconds)

    def _work_off(self) -> None:
        """Takes the leases and works on what waits until nothing does."""
        renewed = self.clock.monotonic() - self.settings.terms.retry_period
        while not self.stop.is_set():
            if self.clock.monotonic() - renewed >= self.settings.terms.retry_period or not self.fence.is_open:
                renewed = self.clock.monotonic()
                if not self.election.step():
                    raise NotLeadingError(self.election.waiting_for)
            item = self.engine.queue.get(timeout=_STALE_SECONDS if self.engine.waits else 0)
            if item is None:
                return
            self.engine.step(item)

    def _mode(self, writer: Client) -> Mode:
        release = get_release(self.settings.release)
        recorder = Recorder(writer, self.clock, "trainergen-controller", self.settings.identity)
        if self.settings.mode == RECONCILE:
            applier = Applier(writer, self.caches.stores)
            return ReconcileMode(
                self.caches, applier, recorder, release, self.settings.features, self.ssh_keys, self.clock
            )
        # the rules take their time to load, and to reconcile needs none
        from trainergen_controller.audit import Auditor
        from trainergen_controller.auditing import AuditMode

        auditor = Auditor(release=release.name, features=self.settings.features, profile=self.settings.profile)
        mode = AuditMode(self.caches, writer, recorder, auditor, self.clock, self.metrics, self._add_after)
        if self.settings.selector:
            mode.report += self.settings.shard
        return mode

    def _services(self) -> Services:
        """With a client and a budget of their own: who asks them waits for the answer."""
        bucket = TokenBucket(self.settings.qps, self.settings.burst, self.clock)
        client = self._throttled(self.connect(self.settings.terms.write_timeout), bucket)
        return Services(self.settings, self.caches, client, self.clock, self.metrics, self.fetch)

    def _throttled(self, client: Client, bucket: TokenBucket) -> Client:
        return ThrottledClient(
            client, bucket, self.clock, self.stop, on_call=lambda verb: self.metrics.requests.labels(verb).inc()
        )

    def _on_change(self, kind: ApiKind, change: Change) -> None:
        self.engine.on_change(kind, change)

    def _add_after(self, item: Item, seconds: float) -> None:
        self.engine.queue.add_after(item, 0.0 if self._single else seconds)

    def _on_stop(self) -> None:
        self.mode.retire()
        self.engine.hand_over()
        _LOG.info("writes have stopped")
