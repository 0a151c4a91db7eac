"""Faults that a server plays to its clients, each for a number of requests that it is meant for."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Refuse:
    """An error answer instead of the real one; nothing is done."""

    code: int
    reason: str = ""
    retry_after: float | None = None
    message: str = "played fault"


@dataclass(frozen=True, slots=True)
class Drop:
    """No answer: the connection is closed, before the request is carried out or ``after`` it."""

    after: bool = False


@dataclass(frozen=True, slots=True)
class Hang:
    """No answer for so many seconds, and none then."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Slow:
    """The real answer, so many seconds late."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Garble:
    """An answer that is not the API's language."""

    text: str = "<html>502 Bad Gateway</html>"


@dataclass(frozen=True, slots=True)
class Stale:
    """A read from the past: the objects as they were at a version, as a lagging cache would answer."""

    version: int


@dataclass(frozen=True, slots=True)
class CutWatch:
    """A watch that breaks off after so many events; ``expired`` with a 410 in the stream, else without a word."""

    after: int = 0
    expired: bool = False


Fault: TypeAlias = Refuse | Drop | Hang | Slow | Garble | Stale | CutWatch


@dataclass(slots=True)
class _Planned:
    fault: Fault
    verb: str
    plural: str
    name: str
    times: int
    skip: int

    def meets(self, verb: str, plural: str, name: str) -> bool:
        wanted = ((self.verb, verb), (self.plural, plural), (self.name, name))
        return self.times > 0 and all(own in ("", seen) for own, seen in wanted)


@dataclass(slots=True)
class Faults:
    """The faults that are still to come. Verbs: get list watch create update patch apply delete."""

    _planned: list[_Planned] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    played: list[tuple[str, str, str, Fault]] = field(default_factory=list)
    """Verb, plural and name of every request that got a fault, with it."""

    def plan(
        self, fault: Fault, *, verb: str = "", plural: str = "", name: str = "", times: int = 1, skip: int = 0
    ) -> None:
        """Plays ``fault`` to the next ``times`` requests of the kind described, after ``skip`` that go well."""
        with self._lock:
            self._planned.append(_Planned(fault, verb, plural, name, times, skip))

    def clear(self) -> None:
        """Plays no more of them."""
        with self._lock:
            self._planned.clear()

    def next(self, verb: str, plural: str, name: str) -> Fault | None:
        """The fault for a request."""
        with self._lock:
            for planned in self._planned:
                if not planned.meets(verb, plural, name):
                    continue
                if planned.skip > 0:
                    planned.skip -= 1
                    continue
                planned.times -= 1
                self.played.append((verb, plural, name, planned.fault))
                return planned.fault
        return None
