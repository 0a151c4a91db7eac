"""Which rules a run has: by profile, by words of the command line and the configuration, and by release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.rules.declare import DEFAULT_PROFILE, FAMILIES, PROFILES
from trainergen.rules.registry import RENAMED

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.rules.declare import Rule


@dataclass(frozen=True, slots=True)
class PathSetting:
    """What holds for some files only: checks to leave out and severities, by id or name."""

    paths: tuple[str, ...]
    """Patterns as in .gitignore, relative to ``root``."""
    root: str = ""
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What is set about rules, by id or name of a rule: severities, options as written, and settings by path."""

    profile: str = DEFAULT_PROFILE
    severities: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, JsonObject] = field(default_factory=dict)
    per_path: tuple[PathSetting, ...] = ()


def names(word: str, rule: str, name: str, family: str = "") -> bool:
    """Whether a word of a selection names a check: its id, the start of one, its name, or its family or sub-family."""
    word = RENAMED.get(word, word)
    if word == name or (word.startswith("TG") and rule.startswith(word)):
        return True
    return bool(family) and (family == word or word in family.split("."))


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


def setting_for(values: Mapping[str, object], rule: str, name: str) -> object:
    """What a mapping by id or name has for a rule, None when it has nothing."""
    for key, value in values.items():
        if RENAMED.get(key, key) in (rule, name):
            return value
    return None


def known_words(rules: Iterable[Rule]) -> set[str]:
    """Every word that can name rules, but for the starts of ids."""
    words = {*RENAMED, *FAMILIES}
    for rule in rules:
        words |= {rule.id, rule.name, *rule.family.split("."), rule.family}
    return words
