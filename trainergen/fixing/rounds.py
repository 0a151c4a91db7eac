"""Fixing until nothing is left to fix: rounds of fixes, each judged, and taken back where the cluster says no."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from trainergen.fix import apply_edits
from trainergen.fixing.apply import apply

if TYPE_CHECKING:
    from typing import Protocol

    from trainergen.finding import Finding
    from trainergen.fix import Edit, Fix
    from trainergen.report import Report

    class Files(Protocol):
        """The files that findings name."""

        def identity(self, name: str) -> str:
            """What tells a file from others, whatever it is called."""

        def read(self, identity: str) -> bytes:
            """The bytes of a file."""

        def obstacle(self, name: str) -> str:
            """Why a file may not be changed, empty when it may."""


MOST_ROUNDS = 10
Texts = Mapping[str, bytes]
Judge = Callable[[Texts], "Report"]
"""The report on the files as they are, but for those whose new bytes are given by identity."""
_Key = tuple[str, str, str, str]


class Fixed(NamedTuple):
    """A fix that is in the new bytes of a file."""

    file: str
    rule: str
    title: str


class Note(NamedTuple):
    """Something that was not fixed, and why."""

    file: str
    text: str


@dataclass(slots=True)
class Outcome:
    """The new bytes by identity of the file, the report on them, and what was done."""

    report: Report
    texts: dict[str, bytes] = field(default_factory=dict)
    fixed: dict[str, list[Fixed]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many fixes there are in the new bytes."""
        return sum(map(len, self.fixed.values()))


def fix_all(judge: Judge, files: Files, *, unsafe: bool = False) -> Outcome:
    """Apply every fix that is offered, up to ``MOST_ROUNDS`` times as new ones appear.

    A fix after which the cluster refuses an object that it accepted, or a file cannot be read, is left out. A file
    whose fixes lead back to bytes that it had, or do not end, stays as it was.
    """
    return _Rounds(judge, files, unsafe=unsafe).run()


def refused(report: Report) -> set[tuple[object, ...]]:
    """The objects, and documents that cannot be read, which the cluster refuses."""
    return {(finding.file, finding.document, finding.object) for finding in report.findings if finding.refuses}


class _Offer(NamedTuple):
    finding: Finding
    identity: str
    fix: Fix

    @property
    def key(self) -> _Key:
        """What tells the offer again in a later round."""
        finding = self.finding
        return self.identity, finding.rule, f"{finding.document} {finding.path}", self.fix.title


class _Rounds:
    def __init__(self, judge: Judge, files: Files, *, unsafe: bool) -> None:
        self._judge = judge
        self._files = files
        self._grades = {"safe", "unsafe"} if unsafe else {"safe"}
        self._outcome = Outcome(judge({}))
        self._read: dict[str, bytes] = {}
        self._seen: dict[str, set[bytes]] = {}
        self._out: set[_Key] = set()
        self._frozen: set[str] = set()
        self._noted: set[Note] = set()

    def run(self) -> Outcome:
        for _ in range(MOST_ROUNDS):
            chosen = self._choose()
            if not chosen:
                return self._outcome
            changed = self._take(chosen)
            self._freeze(
                [identity for identity in changed if self._text(identity) in self._seen[identity]],
                "its fixes undo each other, so the file stays as it was",
            )
            for identity in changed:
                self._seen[identity].add(self._text(identity))
        left = {offer.identity for offer in self._choose()}
        self._freeze(left, f"there was still something to fix after {MOST_ROUNDS} rounds, so the file stays as it was")
        return self._outcome

    def _text(self, identity: str) -> bytes:
        return self._outcome.texts.get(identity, self._read.get(identity, b""))

    def _offers(self) -> Iterable[_Offer]:
        for finding in self._outcome.report.findings:
            if finding.remedy is None or finding.fix not in self._grades:
                continue
            obstacle = self._files.obstacle(finding.file)
            if obstacle:
                self._note(finding.file, obstacle)
                continue
            identity = self._files.identity(finding.file)
            offer = _Offer(finding, identity, finding.remedy)
            if identity not in self._frozen and offer.key not in self._out:
                yield offer

    def _choose(self) -> list[_Offer]:
        """The offers that this round takes: none of them touches another."""
        by_file: dict[str, list[_Offer]] = {}
        for offer in self._offers():
            by_file.setdefault(offer.identity, []).append(offer)
        chosen: list[_Offer] = []
        for identity, offers in by_file.items():
            if identity not in self._read:
                self._read[identity] = self._files.read(identity)
                self._seen[identity] = {self._read[identity]}
            result = apply(self._text(identity), [offer.fix for offer in offers])
            applied = Counter(result.applied)
            chosen += [offer for offer in offers if applied[offer.fix]]
        return chosen

    def _take(self, chosen: list[_Offer]) -> list[str]:
        """Apply them, but for those that the cluster would say no to; the files that are other now."""
        before = refused(self._outcome.report)
        base = dict(self._outcome.texts)
        accepted: list[_Offer] = []
        waiting = [chosen]
        judged: tuple[list[_Offer], Report] | None = None
        while waiting:
            part = waiting.pop()
            report = self._judge(self._applied(base, [*accepted, *part]))
            if refused(report) <= before:
                accepted = [*accepted, *part]
                judged = accepted, report
            elif len(part) == 1:
                self._reject(part[0])
            else:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
        if judged is None:
            return []
        self._outcome.texts, self._outcome.report = self._applied(base, accepted), judged[1]
        for offer in accepted:
            done = Fixed(offer.finding.file, offer.finding.rule, offer.fix.title)
            self._outcome.fixed.setdefault(offer.identity, []).append(done)
        return sorted({offer.identity for offer in accepted})

    def _applied(self, base: Texts, offers: list[_Offer]) -> dict[str, bytes]:
        edits: dict[str, set[Edit]] = {}
        for offer in offers:
            edits.setdefault(offer.identity, set()).update(offer.fix.edits)
        new = {
            identity: apply_edits(base.get(identity, self._read[identity]), made) for identity, made in edits.items()
        }
        return {**base, **new}

    def _reject(self, offer: _Offer) -> None:
        self._out.add(offer.key)
        text = f"'{offer.fix.title}' ({offer.finding.rule}) is left out: the cluster would refuse the result"
        self._note(offer.finding.file, text)

    def _freeze(self, identities: Iterable[str], reason: str) -> None:
        """Put files back to what they were and leave them alone from now on."""
        frozen = sorted(set(identities))
        for identity in frozen:
            done = self._outcome.fixed.pop(identity, [])
            rules = sorted({fixed.rule for fixed in done})
            self._outcome.texts.pop(identity, None)
            self._note(done[0].file if done else identity, f"{reason} ({', '.join(rules)})")
        if frozen:
            self._frozen.update(frozen)
            self._outcome.report = self._judge(self._outcome.texts)

    def _note(self, file: str, text: str) -> None:
        note = Note(file, text)
        if note not in self._noted:
            self._noted.add(note)
            self._outcome.notes.append(note)


def with_count(outcome: Outcome) -> Report:
    """The report on what remains, with how many findings were fixed."""
    return replace(outcome.report, fixed=outcome.count)
