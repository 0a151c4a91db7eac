"""Which rules a run has: by profile, by words of the command line and the configuration, and by release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trainergen.rules.declare import FAMILIES
from trainergen.rules.settings import PROFILES, RENAMED, names

if TYPE_CHECKING:
    from trainergen.rules.declare import Rule
    from trainergen.rules.settings import RuleSettings


def enabled(
    rules: Iterable[Rule],
    settings: RuleSettings,
    *,
    release: str,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    with_base: bool = True,
) -> list[Rule]:
    """The rules to run for a release.

    Words of ``select`` switch rules on whatever the profile; ``ignore`` beats all. Rules on changes need a base.
    """
    from trainergen.releases import Lifespan

    selected, ignored = tuple(select), tuple(ignore)
    last = PROFILES.index(settings.profile)
    found = []
    for rule in rules:
        if selected:
            wanted = any(names(word, rule.id, rule.name, rule.family) for word in selected)
        else:
            wanted = PROFILES.index(rule.profile) <= last
        if not wanted or any(names(word, rule.id, rule.name, rule.family) for word in ignored):
            continue
        if rule.view == "change" and not with_base:
            continue
        if (rule.since or rule.until) and not Lifespan(rule.since, rule.until).covers(release):
            continue
        found.append(rule)
    return found


def known_words(rules: Iterable[Rule]) -> set[str]:
    """Every word that can name rules, but for the starts of ids."""
    words = {*RENAMED, *FAMILIES}
    for rule in rules:
        words |= {rule.id, rule.name, *rule.family.split("."), rule.family}
    return words
