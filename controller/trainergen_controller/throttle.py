"""A client that keeps to a number of requests a second, and to what a busy server asks for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from trainergen_controller.errors import TooManyRequestsError
from trainergen_controller.wrapped import P, R, WrappedClient

if TYPE_CHECKING:
    from trainergen_controller.client import Client, WatchEvent
    from trainergen_controller.clocks import Clock
    from trainergen_controller.queue.rate import TokenBucket


class ThrottledClient(WrappedClient):
    """Takes a token for each request. After a 429 all threads hold back as long as its Retry-After says, so that a busy
    server gets the rest it asked for; the request itself fails and is tried again by whoever made it."""

    def __init__(
        self,
        client: Client,
        bucket: TokenBucket,
        clock: Clock,
        stop: threading.Event,
        *,
        on_call: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(client)
        self._on_call = on_call
        self._bucket = bucket
        self._clock = clock
        self._stop = stop
        self._quiet_until = 0.0

    def _read(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        self._bucket.take(self._stop)
        if (seconds := self._quiet_until - self._clock.monotonic()) > 0:
            self._clock.sleep(self._stop, seconds)
        if self._on_call is not None:
            self._on_call(call.__name__)
        try:
            return call(*args, **kwargs)
        except TooManyRequestsError as error:
            self._hold_back(error)
            raise

    def _stream(self, events: Iterator[WatchEvent]) -> Iterator[WatchEvent]:
        try:
            yield from events
        except TooManyRequestsError as error:  # a watch is asked for when its first event is read
            self._hold_back(error)
            raise

    def _hold_back(self, error: TooManyRequestsError) -> None:
        self._quiet_until = self._clock.monotonic() + (error.retry_after or 1.0)

    def _write(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return self._read(call, *args, **kwargs)
