"""The sentences on counts and undecided checks that the formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Finding, ObjectRef
    from trainergen.report import LocatedNotEvaluated, Report


class Undecided:
    """The undecided checks that share a reason: their ids, how often, and the first place."""

    __slots__ = ("checks", "count", "first", "reason")

    def __init__(self, reason: str, checks: tuple[str, ...], count: int, first: str) -> None:
        self.reason = reason
        self.checks = checks
        self.count = count
        self.first = first


def plural(count: int, noun: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def place_of(item: Finding | LocatedNotEvaluated) -> str:
    """``file:line:column``, as far as it is known."""
    if not item.line:
        return item.file
    return f"{item.file}:{item.line}:{item.column}" if item.column else f"{item.file}:{item.line}"


def object_name(ref: ObjectRef | None) -> str:
    """``TrainJob team-a/bert``, as far as it is known."""
    if ref is None:
        return ""
    name = f"{ref.namespace}/{ref.name}" if ref.namespace and ref.name else ref.name
    return " ".join(part for part in (ref.kind, name) if part)


def found(report: Report) -> str:
    """``2 errors, 1 warning``, or ``no findings``."""
    summary = report.summary
    pairs = ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
    return ", ".join(plural(count, noun) for count, noun in pairs if count) or "no findings"


def looked_at(report: Report) -> str:
    """``5 documents, 3 files``."""
    return f"{plural(report.documents, 'document')}, {plural(report.files, 'file')}"


def release_line(report: Report) -> str:
    """``Trainer 2.3 (newest release)``."""
    return (
        f"Trainer {report.release} ({report.release_reason})" if report.release_reason else f"Trainer {report.release}"
    )


def skipped_line(report: Report) -> str:
    """``helm template (3), other kind (2)``."""
    return ", ".join(f"{reason} ({count})" for reason, count in report.skipped.items())


def apart_line(report: Report) -> str:
    """``3 fixed, 2 suppressed, 5 in the baseline (1 of them refused by the cluster)``, empty when there is nothing."""
    hidden = report.hidden
    refused = f" ({hidden.refused} of them refused by the cluster)" if hidden.refused else ""
    counts = (
        (report.fixed, f"{report.fixed} fixed"),
        (hidden.suppressed, f"{hidden.suppressed} suppressed"),
        (hidden.baseline, f"{hidden.baseline} in the baseline{refused}"),
    )
    return ", ".join(words for count, words in counts if count)


def fixable_line(report: Report) -> str:
    """``2 with --fix, 1 with --fix --unsafe``, empty when nothing can be fixed."""
    grades = [finding.fix for finding in report.findings]
    counts = ((grades.count("safe"), "--fix"), (grades.count("unsafe"), "--fix --unsafe"))
    return ", ".join(f"{count} with {option}" for count, option in counts if count)


def undecided(report: Report) -> list[Undecided]:
    """What could not be evaluated, grouped by reason, in the order of the first place."""
    groups: dict[str, list[LocatedNotEvaluated]] = {}
    for item in report.not_evaluated:
        groups.setdefault(item.reason, []).append(item)
    return [
        Undecided(reason, tuple(sorted({item.check for item in items})), len(items), place_of(items[0]))
        for reason, items in groups.items()
    ]
