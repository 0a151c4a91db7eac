"""The view of suppressions: a comment or annotation that ignores findings, once all findings are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainergen.fix import Fix
    from trainergen.rules.found import Spot


class Directive(NamedTuple):
    """A suppression, and what came of it."""

    spot: Spot
    title: str
    """The words it ignores, quoted."""
    until: str = ""
    """The last day it holds, as written."""
    expired: bool = False
    undated: bool = False
    """Whether it has a last day while nobody says what day it is."""
    unused: tuple[str, ...] = ()
    """The words that ignore nothing, although what they name was looked for."""
    removal: Fix | None = None
    """Takes the unused words out."""
    refusals: tuple[str, ...] = ()
    """The checks whose findings cannot be ignored, since the cluster refuses the object for them."""
    faults: tuple[tuple[str, str], ...] = ()
    """What is wrong with it, each with the way out."""
