"""What the Pods of a migrated job see otherwise than those of the legacy one, said where it is not as it should be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trainergen.migrate import catalogue as c
from trainergen.migrate.places import places_in
from trainergen.migrate.simulation import compare

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.migrate.simulation.comparison import Difference
    from trainergen.migrate.work import Work

_ABOUT_VARIABLES: Final = frozenset({c.RESERVED.id, c.OVERRIDDEN.id, c.LOCAL_RANK.id, c.NEVER_EXPANDED.id})


def say_environment(work: Work, objects: list[JsonObject]) -> tuple[str, ...]:
    """Warn of variables that Pods see otherwise, and give notes on those that differ for a reason."""
    if not objects or any(each.rule == c.LEGACY_REFUSED.id for each in work.findings):
        return ()
    found = compare(work.job, objects, places_in(work.job, objects), work.target.release) or []
    reasons: dict[str, list[str]] = {}
    for one in found:
        if one.reason:
            reasons.setdefault(one.reason, []).append(one.short)
        elif not _is_said(work, one):
            work.say(c.ENVIRONMENT, (), one.text, remedy="Set it by hand if something reads it.")
    return tuple(f"Pods see other variables: {', '.join(names)}; {why}." for why, names in reasons.items())


def _is_said(work: Work, one: Difference) -> bool:
    """Whether a warning about this variable was given already."""
    word = re.compile(rf"\b{re.escape(one.name)}\b")
    return any(each.rule in _ABOUT_VARIABLES and word.search(each.message) for each in work.findings)
