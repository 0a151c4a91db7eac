"""A queue of keys: deduplicating, delaying, rate-limited per key, fair between many producers and workers."""

from __future__ import annotations

import heapq
import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from trainergen_controller.clocks import Clock, SystemClock

KeyT = TypeVar("KeyT", bound=Hashable)
_FEW = 100


@dataclass(slots=True)
class WorkQueue(Generic[KeyT]):
    """Keys wait in order of arrival. A key that waits already is not added twice; one that is being worked on comes
    back after its worker is done, so no key is ever in two hands.

    Delays of failed keys double from ``first_delay`` to ``longest_delay`` seconds, each key for itself, as in
    kubernetes/client-go util/workqueue/default_rate_limiters.go @ v0.35.0.
    """

    clock: Clock = field(default_factory=SystemClock)
    first_delay: float = 0.005
    longest_delay: float = 1000.0
    _waiting: OrderedDict[KeyT, None] = field(default_factory=OrderedDict)
    _working: set[KeyT] = field(default_factory=set)
    _again: set[KeyT] = field(default_factory=set)
    _due: dict[KeyT, float] = field(default_factory=dict)
    _heap: list[tuple[float, int, KeyT]] = field(default_factory=list)
    _failures: dict[KeyT, int] = field(default_factory=dict)
    _count: int = 0
    _closed: bool = False
    _ready: threading.Condition = field(default_factory=threading.Condition)

    def __len__(self) -> int:
        """Keys that could be worked on now."""
        return len(self._waiting)

    def delayed(self) -> int:
        """Keys whose time has not come."""
        return len(self._due)

    def add(self, key: KeyT) -> None:
        """Work on it as soon as a hand is free."""
        with self._ready:
            self._put(key)

    def add_after(self, key: KeyT, seconds: float) -> None:
        """Work on it then; the earliest of several such wishes counts."""
        with self._ready:
            if seconds <= 0:
                self._put(key)
                return
            when = self.clock.monotonic() + seconds
            if self._closed or self._due.get(key, when + 1.0) <= when:
                return
            self._due[key] = when
            self._count += 1
            heapq.heappush(self._heap, (when, self._count, key))
            self._tidy()
            self._ready.notify()

    def add_failed(self, key: KeyT, at_least: float = 0.0) -> float:
        """Work on it again, later each time it fails; the seconds until then."""
        with self._ready:
            failures = self._failures.get(key, 0)
            self._failures[key] = failures + 1
        seconds = max(at_least, min(self.longest_delay, self.first_delay * 2.0 ** min(failures, 60)))
        self.add_after(key, seconds)
        return seconds

    def forget(self, key: KeyT) -> None:
        """It went well: the next failure is a first one."""
        with self._ready:
            self._failures.pop(key, None)

    def get(self, timeout: float | None = None) -> KeyT | None:
        """The next key, to be given back by ``done``; None when the queue is closed or the time is over."""
        end = None if timeout is None else self.clock.monotonic() + timeout
        with self._ready:
            while True:
                wake = self._promote()
                if self._waiting and not self._closed:
                    key, _ = self._waiting.popitem(last=False)
                    self._working.add(key)
                    return key
                now = self.clock.monotonic()
                if self._closed or (end is not None and now >= end):
                    return None
                until = min((moment for moment in (wake, end) if moment is not None), default=None)
                self.clock.wait(self._ready, None if until is None else max(0.0, until - now))

    def done(self, key: KeyT) -> None:
        """The worker has finished with it, well or not."""
        with self._ready:
            self._working.discard(key)
            if key in self._again:
                self._again.discard(key)
                self._put(key)

    def clear(self) -> None:
        """Drops what waits, now or for its time; what is being worked on is not touched."""
        with self._ready:
            for kept in (self._waiting, self._due, self._heap, self._failures):
                kept.clear()

    def close(self) -> None:
        """Wakes all workers; what still waits is dropped, since the next leader begins with everything anyway."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    def _put(self, key: KeyT) -> None:
        if self._closed:
            return
        self._due.pop(key, None)
        if key in self._working:
            self._again.add(key)
        elif key not in self._waiting:
            self._waiting[key] = None
            self._ready.notify()

    def _tidy(self) -> None:
        """Drops times that count no more once they are the most: those of deadlines would lie there for days."""
        if len(self._heap) > 2 * len(self._due) + _FEW:
            self._heap = [one for one in self._heap if self._due.get(one[2]) == one[0]]
            heapq.heapify(self._heap)

    def _promote(self) -> float | None:
        """Moves what is due to what waits; the moment at which the next key is due."""
        now = self.clock.monotonic()
        while self._heap:
            when, _, key = self._heap[0]
            if self._due.get(key) != when:
                heapq.heappop(self._heap)
            elif when <= now:
                heapq.heappop(self._heap)
                self._put(key)
            else:
                return when
        return None
