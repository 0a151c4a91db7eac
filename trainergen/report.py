"""The result of one run as a value: the engine builds it, output formats take it, the exit code follows from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from trainergen.finding import Finding, Layer, ObjectRef, Severity

FAIL_ON = ("error", "warning", "not-evaluated")
"""What ``--fail-on`` may name; errors always fail a run, the other two only when named."""

FORMAT_NAMES = ("text", "json", "sarif", "junit", "github", "gitlab", "markdown")
"""The output formats, for ``--format``, ``--output`` and the configuration."""


class LocatedNotEvaluated(NamedTuple):
    """A check that could not be decided for one object, with the place (line and column from 1) and the reason."""

    check: str
    reason: str
    layer: Layer
    file: str = ""
    line: int = 0
    column: int = 0
    document: int = 0
    object: ObjectRef | None = None
    path: str = ""


class Summary(NamedTuple):
    """The counts that open the machine formats and close the text format."""

    files: int
    documents: int
    errors: int
    warnings: int
    infos: int
    not_evaluated: int


class Hidden(NamedTuple):
    """How many findings there are that a report does not list.

    ``suppressed`` ones are ignored by a comment or annotation, those in the ``baseline`` were there before; of these
    ``refused`` are such that the cluster would say no.
    """

    suppressed: int = 0
    baseline: int = 0
    refused: int = 0


NOTHING_HIDDEN = Hidden()


@dataclass(frozen=True, slots=True)
class Report:
    """All that one run found. Findings and undecided checks are sorted here, so that equal runs give equal bytes.

    ``files`` and ``documents`` count what was judged, ``skipped`` what was recognised and left alone, by reason, and
    ``checked`` names the judged files for formats that list what passed; it may be left empty. ``fixed`` counts what
    the run mended, ``hidden`` what it found and does not list.
    A finding's ``end_column`` is exclusive: the column after the last character of the place. ``line`` 0 means that the
    finding is about the whole file.
    """

    release: str
    release_reason: str = ""
    findings: tuple[Finding, ...] = ()
    not_evaluated: tuple[LocatedNotEvaluated, ...] = ()
    files: int = 0
    documents: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    version: str = ""
    checked: tuple[str, ...] = ()
    fixed: int = 0
    hidden: Hidden = NOTHING_HIDDEN

    def __post_init__(self) -> None:
        object.__setattr__(self, "findings", tuple(sorted(self.findings, key=_finding_order)))
        object.__setattr__(self, "not_evaluated", tuple(sorted(self.not_evaluated, key=_undecided_order)))
        object.__setattr__(self, "skipped", dict(sorted(self.skipped.items())))
        object.__setattr__(self, "checked", tuple(sorted(self.checked)))

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(1 for finding in self.findings if finding.severity is severity)

    @property
    def summary(self) -> Summary:
        """The counts of this run."""
        return Summary(
            files=self.files,
            documents=self.documents,
            errors=self.count(Severity.ERROR),
            warnings=self.count(Severity.WARNING),
            infos=self.count(Severity.INFO),
            not_evaluated=len(self.not_evaluated),
        )

    def fails(self, fail_on: Collection[str] = ("error",)) -> bool:
        """True when the run ends with exit code 1; ``fail_on`` holds names of ``FAIL_ON``."""
        if self.count(Severity.ERROR):
            return True
        if "warning" in fail_on and self.count(Severity.WARNING):
            return True
        return "not-evaluated" in fail_on and bool(self.not_evaluated)


def _finding_order(finding: Finding) -> tuple[str | int, ...]:
    place = (finding.file, finding.line, finding.column, finding.rule, finding.end_line, finding.end_column)
    # The rest decides only between findings at one place, so that the order in which they were made never shows.
    return (*place, finding.document, finding.path, finding.message, finding.help, finding.name, finding.severity)


def _undecided_order(item: LocatedNotEvaluated) -> tuple[str | int, ...]:
    return (item.file, item.line, item.column, item.check, item.document, item.path, item.reason)
