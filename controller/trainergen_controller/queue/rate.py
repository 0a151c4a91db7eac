"""How fast requests may be made."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from trainergen_controller.clocks import Clock, SystemClock


@dataclass(slots=True)
class TokenBucket:
    """``rate`` tokens a second, at most ``burst`` of them saved up; a rate of zero means no limit."""

    rate: float
    burst: int
    clock: Clock = field(default_factory=SystemClock)
    _tokens: float = 0.0
    _filled: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._tokens = float(self.burst)
        self._filled = self.clock.monotonic()

    def reserve(self) -> float:
        """Takes one token, perhaps of the future: the seconds to wait until it is there."""
        if self.rate <= 0:
            return 0.0
        with self._lock:
            now = self.clock.monotonic()
            self._tokens = min(float(self.burst), self._tokens + (now - self._filled) * self.rate)
            self._filled = now
            self._tokens -= 1.0
            return max(0.0, -self._tokens / self.rate)

    def give_back(self) -> None:
        """Returns a token that was reserved and is not used."""
        with self._lock:
            self._tokens += 1.0

    def take(self, stop: threading.Event) -> None:
        """Waits for a token, or for ``stop``."""
        if (seconds := self.reserve()) > 0:
            self.clock.sleep(stop, seconds)
