"""What is set about rules for a run; here alone, since every run has it and few need more of the rules' machinery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

PROFILES = ("minimal", "recommended", "strict", "production")
"""Each holds all rules of those before it."""
DEFAULT_PROFILE = "recommended"
RULE_FAILED = "TG901"
"""The check whose findings mean that a rule is broken; they end a run with the exit code of an internal error."""
RENAMED: dict[str, str] = {}
"""Former ids and names of rules and what they are called now; both keep working in selections and configuration."""
# NB: a read-only view could not go to another process.
_NOTHING: Mapping[str, Any] = {}


class PathSetting(NamedTuple):
    """What holds for some files only: checks to leave out and severities, by id or name."""

    paths: tuple[str, ...]
    """Patterns as in .gitignore, relative to ``root``."""
    root: str = ""
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, str] = _NOTHING


class RuleSettings(NamedTuple):
    """What is set about rules, by id or name of a rule: severities, options as written, and settings by path."""

    profile: str = DEFAULT_PROFILE
    severities: Mapping[str, str] = _NOTHING
    options: Mapping[str, JsonObject] = _NOTHING
    per_path: tuple[PathSetting, ...] = ()


def names(word: str, rule: str, name: str, family: str = "") -> bool:
    """Whether a word of a selection names a check: its id, the start of one, its name, or its family or sub-family."""
    word = RENAMED.get(word, word)
    if word == name or (word[:1].isupper() and rule.startswith(word)):
        return True
    return bool(family) and (family == word or word in family.split("."))


def setting_for(values: Mapping[str, object], rule: str, name: str) -> object:
    """What a mapping by id or name has for a rule, None when it has nothing."""
    for key, value in values.items():
        if RENAMED.get(key, key) in (rule, name):
            return value
    return None
