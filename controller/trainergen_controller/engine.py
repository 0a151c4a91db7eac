"""Threads around a mode: caches feed the queue, workers empty it while this replica may write."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen_controller.lease.fence import NotLeadingError
from trainergen_controller.logs import logger
from trainergen_controller.queue import WorkQueue
from trainergen_controller.work import Item, Outcome

if TYPE_CHECKING:
    from trainergen_controller.cache import Change
    from trainergen_controller.clocks import Clock
    from trainergen_controller.kinds import ApiKind
    from trainergen_controller.lease.fence import Fence
    from trainergen_controller.metrics import Metrics
    from trainergen_controller.work import Mode

_LOG = logger("engine")
_STALE_SECONDS = 0.05
_STALE = "something changed in the middle of the pass, which has to be made again"
_IDLE_SECONDS = 0.05


@dataclass(slots=True)
class Engine:
    """The queue and its workers.

    Passes are level-triggered: what is lost on the way is found again by the next change, by the next list, and by the
    pass over everything with which each reign begins.
    """

    mode: Mode
    clock: Clock
    fence: Fence
    metrics: Metrics | None = None
    workers: int = 5
    queue: WorkQueue[Item] = field(init=False)
    errors: dict[Item, str] = field(default_factory=dict)
    """What is wrong now, by item; for ``once``, whose caller wants to know."""
    leads: bool = True
    """While it does not, nothing is queued: a replica that waits would remember every object that ever was."""
    _threads: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.queue = WorkQueue(clock=self.clock)

    def on_change(self, kind: ApiKind, change: Change) -> None:
        """Queues what a change makes necessary; the cache has it already, in which ``take_over`` looks."""
        if not self.leads:
            return
        for item, after in self.mode.wishes(kind, change):
            self.queue.add_after(item, after)

    def take_over(self) -> None:
        """Queues everything: who led before may have left anything undone."""
        self.leads = True
        for item in self.mode.all_items():
            self.queue.add(item)

    def hand_over(self) -> None:
        """Forgets what waits: the next leader begins with everything."""
        self.leads = False
        self.queue.clear()

    def start(self, stop: threading.Event) -> None:
        """Begins to work, in threads."""
        for number in range(self.workers):
            thread = threading.Thread(target=self.work, args=(stop,), name=f"worker-{number}")
            self._threads.append(thread)
            thread.start()

    def join(self, seconds: float) -> None:
        """Closes the queue and waits for passes under way."""
        self.queue.close()
        for thread in self._threads:
            thread.join(seconds)

    @property
    def waits(self) -> bool:
        """Whether a pass has to be made again as soon as what it missed is here."""
        return _STALE in self.errors.values()

    @property
    def dead(self) -> str:
        """The workers that ended although nobody asked them to; empty if all are at work."""
        return ", ".join(thread.name for thread in self._threads if not thread.is_alive())

    def work(self, stop: threading.Event) -> None:
        """One worker's life."""
        while not stop.is_set():
            if not self.fence.is_open:
                self.clock.sleep(stop, _IDLE_SECONDS)
                continue
            item = self.queue.get(timeout=1.0)
            if item is not None:
                self.step(item)

    def step(self, item: Item) -> None:
        """One pass over an item that was taken from the queue."""
        began = self.clock.monotonic()
        try:
            outcome = self.mode.pass_over(item)
        except NotLeadingError:
            # it waits: a lease that is renewed a little late begins no new reign, which would pass over everything
            self.queue.add(item)
            self._count(item, "not leading", began)
            return
        except Exception as error:
            _LOG.error("pass failed unexpectedly", kind=item.kind.kind, key="/".join(item.key), error=repr(error))
            outcome = Outcome(f"unexpected: {error!r}")
        finally:
            self.queue.done(item)
        self._settle(item, outcome)
        self._count(item, "failed" if outcome.error else "stale" if outcome.stale else "done", began)

    def _settle(self, item: Item, outcome: Outcome) -> None:
        if outcome.error:
            self.errors[item] = outcome.error
            self.queue.add_failed(item, outcome.retry_after)
            _LOG.warning("pass failed", kind=item.kind.kind, key="/".join(item.key), error=outcome.error)
        elif outcome.stale:
            self.errors[item] = _STALE
            # the news that is missing queues it at once; a watch that hangs may keep it back for minutes
            self.queue.add_failed(item, _STALE_SECONDS)
        else:
            self.errors.pop(item, None)
            self.queue.forget(item)
        if outcome.requeue_after is not None:
            self.queue.add_after(item, outcome.requeue_after)

    def _count(self, item: Item, outcome: str, began: float) -> None:
        if self.metrics is not None:
            self.metrics.passes.labels(item.kind.kind, outcome).inc()
            self.metrics.seconds.labels(item.kind.kind).observe(self.clock.monotonic() - began)
