"""Waiting longer after each failure."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(slots=True)
class Backoff:
    """Delays that double from ``first`` to ``longest`` seconds; with jitter, so that replicas do not call in chorus."""

    first: float
    longest: float
    jitter: float = 0.5
    failures: int = 0

    def next(self) -> float:
        """The delay after one more failure: at most half longer than the bare doubling says."""
        delay = min(self.longest, self.first * 2.0 ** min(self.failures, 60))
        self.failures += 1
        return delay * (1.0 + self.jitter * random.random())

    def reset(self) -> None:
        """Forgets the failures."""
        self.failures = 0
