"""The view of the tool's own failures: a rule that raised while it looked at something."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainergen.rules.declare import Rule
    from trainergen.rules.found import Spot


class Failure(NamedTuple):
    """A rule, what it raised, and the place of the object that it was looking at."""

    rule: Rule
    error: Exception
    spot: Spot
