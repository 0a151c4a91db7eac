"""What the walk over an object notes down; it becomes a finding only once there is something to report."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from trainergen.finding import Check, JsonValue, Path


class Fault(NamedTuple):
    """A fault as the walk sees it: cheap to make, and free of wording."""

    check: Check
    path: Path
    value: JsonValue = None
    wanted: object = None
    """What was expected: a type, a limit, the allowed values, a pattern; each check has its own kind."""


Faults: TypeAlias = list[Fault]
"""The faults noted so far."""
