"""The pace of requests, and that whoever waited for its turn still has to ask the fence."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.errors import TooManyRequestsError
from trainergen_controller.kinds import CONFIG_MAP
from trainergen_controller.lease import Fence, FencedClient, NotLeadingError
from trainergen_controller.queue import TokenBucket
from trainergen_controller.throttle import ThrottledClient
from trainergen_controller.wrapped import WrappedClient

from tests.controller.clocks import TurnedClock

if TYPE_CHECKING:
    from trainergen_controller.client import WatchEvent


class Server:
    """Takes everything, or is busy for a while."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.busy = 0

    def __getattr__(self, verb: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> dict[str, Any]:
            if self.busy:
                self.busy -= 1
                raise TooManyRequestsError(429, "TooManyRequests", "busy", retry_after=20.0)
            self.calls.append(verb)
            return {}

        call.__name__ = verb
        return call


def throttled(server: Any, clock: TurnedClock, rate: float = 2.0) -> tuple[ThrottledClient, list[str]]:
    counted: list[str] = []
    bucket = TokenBucket(rate, 1, clock)
    return ThrottledClient(server, bucket, clock, threading.Event(), on_call=counted.append), counted


def test_requests_keep_to_their_rate_and_are_counted() -> None:
    clock, server = TurnedClock(), Server()
    client, counted = throttled(server, clock)
    for name in ("a", "b", "c"):
        client.get(CONFIG_MAP, name, "ns")
    client.delete(CONFIG_MAP, "a", "ns")
    assert clock.seconds == 1001.5
    assert counted == ["get", "get", "get", "delete"]


def test_after_a_busy_answer_everybody_waits_as_long_as_it_says() -> None:
    clock, server = TurnedClock(), Server()
    client, _ = throttled(server, clock, rate=0.0)
    server.busy = 1
    with pytest.raises(TooManyRequestsError):
        client.get(CONFIG_MAP, "a", "ns")
    client.list(CONFIG_MAP)
    assert clock.seconds == 1020.0
    assert server.calls == ["list"]


def test_a_write_that_waited_until_the_lease_was_lost_is_not_sent() -> None:
    clock, server = TurnedClock(), Server()
    fence = Fence(clock)
    fence.open_until(clock.monotonic() + 10)
    client, _ = throttled(FencedClient(server, fence), clock, rate=0.05)  # type: ignore[arg-type]
    body = {"metadata": {"name": "a", "namespace": "ns"}}
    client.apply(CONFIG_MAP, body, manager="trainer", force=True)
    with pytest.raises(NotLeadingError):
        client.apply(CONFIG_MAP, body, manager="trainer", force=True)
    assert server.calls == ["apply"]


def test_a_watch_that_is_refused_makes_everybody_wait_too() -> None:
    clock, server = TurnedClock(), Server()

    class Watched(WrappedClient):
        def watch(self, *args: Any, **kwargs: Any) -> Iterator[WatchEvent]:
            raise TooManyRequestsError(429, "TooManyRequests", "busy", retry_after=20.0)
            yield  # a watch is asked for when its first event is read

    client, _ = throttled(Watched(server), clock, rate=0.0)  # type: ignore[arg-type]
    with pytest.raises(TooManyRequestsError):
        next(client.watch(CONFIG_MAP, resource_version="1"))
    client.list(CONFIG_MAP)
    assert clock.seconds == 1020.0
