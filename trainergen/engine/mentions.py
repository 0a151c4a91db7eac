"""Which files must be parsed for the sake of rules: those that mention a kind, and a word, that some rule is for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from trainergen.source.identity import TRAINER_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.rules.declare import Rule

_OTHER_VIEWS = frozenset({"kustomization", "chart", "failure"})
"""Views of files that are found by their names, or of none."""


class Mentions:
    """A cheap look at bytes; what is written with escapes is not seen."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        groups: dict[tuple[str, ...], set[str]] = {}
        for rule in rules:
            kinds = {*rule.looks_up} if rule.view in _OTHER_VIEWS else {*rule.kinds, *rule.looks_up}
            kinds -= {"*", *TRAINER_KINDS}
            if kinds:
                groups.setdefault(rule.triggers, set()).update(kinds)
        self._wanted = groups

    def found_in(self, data: bytes) -> bool:
        """Whether a file can hold what a rule is called for."""
        if self._any is None or self._any.search(data) is None:
            return False
        return any(kinds.search(data) and words.search(data) for kinds, words in self._groups)

    # Files that are named are parsed without a look, so for most small runs nothing of this is ever compiled.
    @cached_property
    def _any(self) -> re.Pattern[bytes] | None:
        return _kinds(set().union(*self._wanted.values())) if self._wanted else None

    @cached_property
    def _groups(self) -> list[tuple[re.Pattern[bytes], re.Pattern[bytes]]]:
        return [
            (_kinds(kinds), re.compile("|".join(map(re.escape, triggers)).encode()))
            for triggers, kinds in self._wanted.items()
        ]


def _kinds(kinds: set[str]) -> re.Pattern[bytes]:
    words = "|".join(sorted(kinds)).encode()
    return re.compile(rb"\bkind[\"']?[ \t]*:[ \t]*[\"']?(?:" + words + rb")\b")
