"""Values of a runtime that differ from release to release, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from trainergen.releases import Lifespan

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Changing(Generic[Value]):
    """A value by the release that brought it; each holds until the next one."""

    since: Mapping[str, Value]

    def at(self, release: str) -> Value:
        """The value in the release called ``release``; LookupError if it came later."""
        known = [value for first, value in self.since.items() if Lifespan(since=first).covers(release)]
        if not known:
            raise LookupError(f"there is no value for Trainer {release}, the first came with {min(self.since)}")
        return known[-1]
