"""What suppressions take out of the findings of a run, and what is to be said about the suppressions themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from trainergen.rules.declare import FAMILIES
from trainergen.rules.found import Spot
from trainergen.rules.settings import RENAMED, RULE_FAILED, names
from trainergen.rules.views.directive import Directive
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import Check, Finding
    from trainergen.rules.declare import Rule
    from trainergen.suppress.written import Written


class KnownChecks(NamedTuple):
    """The checks there are, by id, and which of them this run made."""

    checks: Mapping[str, Check]
    rules: Mapping[str, Rule]
    ran: Collection[str]
    left_out: Collection[str] = frozenset()
    """Checks of the profile that this run did without, so that nobody knows what they would find."""

    def family(self, rule: str) -> str:
        """The family of a rule, empty for checks that are none."""
        return self.rules[rule].family if rule in self.rules else ""

    def named(self, word: str) -> list[str]:
        """The ids of the checks that a word names."""
        return [one.id for one in self.checks.values() if names(word, one.id, one.name, self.family(one.id))]


@dataclass(slots=True)
class _Used:
    written: Written
    words: set[str] = field(default_factory=set)
    refusals: set[str] = field(default_factory=set)


class Suppression:
    """Settles findings with the suppressions of all files.

    ``today`` is a date as in ``2027-01-31``; when it is empty no suppression expires.
    """

    def __init__(self, written: Iterable[Written], known: KnownChecks, *, today: str = "") -> None:
        self._known = known
        self._today = today
        self._used = [_Used(one) for one in written]
        self._by_file: dict[str, list[_Used]] = defaultdict(list)
        for one in self._used:
            self._by_file[one.written.file].append(one)

    def settle(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that remain."""
        return [finding for finding in findings if not self._is_suppressed(finding)]

    def _is_suppressed(self, finding: Finding) -> bool:
        suppressed = False
        for used in self._by_file.get(finding.file, ()):
            words = self._naming(used.written, finding) if used.written.covers(finding) else []
            if not words:
                continue
            used.words.update(words)
            if finding.refuses:
                used.refusals.add(finding.rule)
            elif not self._has_expired(used.written):
                suppressed = True
        return suppressed

    def _naming(self, written: Written, finding: Finding) -> list[str]:
        if finding.rule == RULE_FAILED:
            return []
        family = self._known.family(finding.rule)
        return [word for word in written.parsed.words if names(word, finding.rule, finding.name, family)]

    def _has_expired(self, written: Written) -> bool:
        return bool(self._today) and bool(written.parsed.until) and written.parsed.until < self._today

    def directives(self) -> Iterator[Directive]:
        """Every suppression with what came of it, once ``settle`` has seen all findings."""
        for used in self._used:
            written = used.written
            expired = self._has_expired(written)
            unused = () if expired else tuple(word for word in written.parsed.words if self._is_unused(word, used))
            yield Directive(
                spot=Spot(_Place(written), written.path),
                title=written.title,
                until=written.parsed.until,
                expired=expired,
                undated=bool(written.parsed.until) and not self._today,
                unused=unused,
                removal=written.without(unused) if unused else None,
                refusals=tuple(sorted(used.refusals)),
                faults=tuple(self._faults(written)),
            )

    def _is_unused(self, word: str, used: _Used) -> bool:
        if word in used.words:
            return False
        named = [check for check in self._known.named(word) if not self._is_ours(check)]
        ran = any(check in self._known.ran for check in named)
        return ran and not any(check in self._known.left_out for check in named)

    def _faults(self, written: Written) -> Iterator[tuple[str, str]]:
        if written.parsed.fault:
            yield f"this suppression ignores nothing: {written.parsed.fault}", written.parsed.help
        for word in written.parsed.words:
            named = self._known.named(word)
            if not named:
                yield (
                    f"there is no check '{word}'{did_you_mean(word, self._words())}, so it ignores nothing",
                    "'trainergen explain checks' lists them all.",
                )
            elif all(map(self._is_ours, named)):
                yield (
                    f"'{word}' is about trainergen itself, which no suppression can ignore",
                    "Leave it out with --ignore, or in the configuration.",
                )

    def _is_ours(self, check: str) -> bool:
        return check.startswith("TG9")

    def _words(self) -> list[str]:
        checks = self._known.checks.values()
        return [*(one.id for one in checks), *(one.name for one in checks), *FAMILIES, *RENAMED]


class _Place:
    """A suppression as a place to report at."""

    def __init__(self, written: Written) -> None:
        self._written = written

    @property
    def document(self) -> _Place:
        return self

    def place(self, finding: Finding) -> Finding:
        written = self._written
        where = written.where
        return replace(
            finding,
            file=written.file,
            line=where.line,
            column=where.column,
            end_line=where.end_line,
            end_column=where.end_column,
            document=written.document,
            object=written.object,
        )
