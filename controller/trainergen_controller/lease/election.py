"""Leading: all leases held and renewed in time, or no write."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen_controller.logs import logger

if TYPE_CHECKING:
    from trainergen_controller.clocks import Clock
    from trainergen_controller.lease.fence import Fence
    from trainergen_controller.lease.hold import Hold, Terms

_LOG = logger("lease")


@dataclass(slots=True)
class Election:
    """Holds several Leases at once, taken in order: our own, and in ``reconcile`` mode the one of the Trainer's own
    controller, which then cannot start to write beside us.

    The fence stays open until ``renew_deadline`` after the oldest of the last renewals began; whoever leads and cannot
    renew stops writing by the clock alone, without needing any thread to run in time.
    """

    holds: Sequence[Hold]
    fence: Fence
    terms: Terms
    clock: Clock
    on_start: Callable[[], None]
    on_stop: Callable[[], None]
    leading: bool = False
    _said: str = field(default="", repr=False)

    def run(self, stop: threading.Event) -> None:
        """Until ``stop`` is set; then gives the leases up."""
        try:
            while not stop.is_set():
                self.step()
                self.clock.sleep(stop, self.terms.retry_period)
        finally:
            self.resign()

    def step(self) -> bool:
        """One attempt to take or renew; whether we lead after it."""
        if all(hold.try_hold() for hold in self.holds):
            self.fence.open_until(min(hold.renewed for hold in self.holds) + self.terms.renew_deadline)
            self._start()
            return self.fence.is_open
        lost = any(not hold.renewed for hold in self.holds)
        if lost:
            self.fence.close()
        if self.leading and not self.fence.is_open:
            self._stop()
        self._tell()
        return self.fence.is_open

    def resign(self) -> None:
        """Stops writing, then gives up the leases."""
        self.fence.close()
        if self.leading:
            self._stop()
        for hold in reversed(self.holds):
            hold.release()

    @property
    def waiting_for(self) -> str:
        """Who holds a lease that we need, or why none could be had; empty while leading."""
        for hold in self.holds:
            if not hold.renewed and hold.holder and hold.holder != hold.identity:
                return f"lease {hold.namespace}/{hold.name} is held by {hold.holder!r}"
            if hold.failure:
                return f"lease {hold.namespace}/{hold.name}: {hold.failure}"
        return ""

    def _start(self) -> None:
        if not self.leading:
            self.leading = True
            self._said = ""
            _LOG.info("leading", leases=[f"{hold.namespace}/{hold.name}" for hold in self.holds])
            self.on_start()

    def _stop(self) -> None:
        self.leading = False
        _LOG.info("not leading any more", reason=self.waiting_for or "resigned")
        self.on_stop()

    def _tell(self) -> None:
        if not self.leading and (reason := self.waiting_for) != self._said:
            self._said = reason
            _LOG.info("waiting", reason=reason)
