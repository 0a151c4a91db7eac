"""Every write asks the fence, and a client behind it cannot forget to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from trainergen_controller.wrapped import P, R, WrappedClient

if TYPE_CHECKING:
    from trainergen_controller.client import Client
    from trainergen_controller.clocks import Clock


class NotLeadingError(Exception):
    """This replica may not write now; nothing was sent."""


class Fence:
    """Open until a moment on the monotonic clock, which each renewal of the lease moves on.

    The moment lies so that a request begun before it is over, or given up, before another replica can take the lease.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0
        self._lock = threading.Lock()

    def open_until(self, moment: float) -> None:
        """Lets writes begin until then."""
        with self._lock:
            self._until = moment

    def close(self) -> None:
        """No write begins any more."""
        self.open_until(0.0)

    @property
    def is_open(self) -> bool:
        """Whether a write may begin."""
        return self._clock.monotonic() < self._until

    def ask(self) -> None:
        """NotLeadingError unless a write may begin."""
        if not self.is_open:
            raise NotLeadingError


class FencedClient(WrappedClient):
    """A client whose writes ask the fence; reads pass. Nothing that waits may lie between it and the server."""

    def __init__(self, client: Client, fence: Fence) -> None:
        super().__init__(client)
        self._fence = fence

    def _write(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        self._fence.ask()
        return call(*args, **kwargs)
