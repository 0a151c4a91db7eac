"""A clock whose hands only tests turn."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class TurnedClock:
    """Sleeping and waiting take no time at all: they turn the hands."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds - 1000.0)

    def wait(self, condition: threading.Condition, seconds: float | None) -> None:
        assert seconds is not None, "nothing would ever wake this"
        self.seconds += seconds

    def sleep(self, stop: threading.Event, seconds: float) -> bool:
        self.slept.append(seconds)
        self.seconds += seconds
        return stop.is_set()

    def turn(self, seconds: float) -> None:
        self.seconds += seconds
