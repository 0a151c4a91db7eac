"""Time as the machinery sees it, so that tests can turn the hands."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Monotonic seconds for durations, wall time for what is written down, and waiting."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back, whatever happens to the wall clock."""

    def now(self) -> datetime:
        """The time of day, aware, in UTC."""

    def wait(self, condition: threading.Condition, seconds: float | None) -> None:
        """Waits on a held condition until it is notified or the time is over; None waits for ever."""

    def sleep(self, stop: threading.Event, seconds: float) -> bool:
        """Sleeps; True, at once, when ``stop`` is set."""


class SystemClock:
    """The clocks of the machine."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def wait(self, condition: threading.Condition, seconds: float | None) -> None:
        condition.wait(seconds)

    def sleep(self, stop: threading.Event, seconds: float) -> bool:
        return stop.wait(seconds)
