"""Time that only moves when it is told to, and identities that are the same in every run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

START = datetime(2026, 1, 1, tzinfo=UTC)


class VirtualClock:
    """``seconds`` since the start of the simulation."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        """The time of day."""
        return START + timedelta(seconds=self.seconds)


class Uids:
    """One uid after the other."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def __call__(self) -> str:
        return f"00000000-0000-4000-8000-{next(self._numbers):012d}"
