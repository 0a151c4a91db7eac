"""A migration for people: what each legacy job becomes, what is lost or changes, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.migrate.report import severities
from trainergen.output.migrations.phrases import becomes
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.migrate.report import MigrateReport


def render(report: MigrateReport) -> str:
    """``report`` for reading; ends with a line break."""
    return "\n".join([*map(escape_controls, _lines(report)), ""])


def _lines(report: MigrateReport) -> Iterator[str]:
    for finding in report.findings:
        yield from _finding(finding)
    for file in report.files:
        for finding in file.findings:
            yield from _finding(finding)
        for one in file.objects:
            yield f"{file.name}:{one.document.line}: {one.title} -> {becomes(one)}"
            for finding in one.ordered:
                yield from _finding(finding)
            if one.migration.notes:
                yield "  what scripts and dashboards must change:"
                yield from (f"    {note}" for note in one.migration.notes)
        if file.held:
            yield f"{file.name}: not written: {file.held}"
    if report.steps:
        yield "plan, in order:"
        yield from (f"  {number}. {step}" for number, step in enumerate(report.steps, start=1))
    yield _summary(report)


def _finding(finding: Finding) -> Iterator[str]:
    head = f"{finding.severity}[{finding.rule}] {finding.name}"
    yield f"  {finding.file}:{finding.line}:{finding.column}: {head}: {finding.message}"
    if finding.help:
        first, *others = finding.help.split("\n")
        yield f"    help: {first}"
        yield from (f"      {line}" if line else "" for line in others)


def _summary(report: MigrateReport) -> str:
    counts = severities(report.warnings)
    return (
        f"{report.objects} legacy jobs in {len(report.files)} files for Trainer {report.target}, {report.written} to "
        f"be written: {counts[Severity.ERROR]} errors, {counts[Severity.WARNING]} warnings, "
        f"{counts[Severity.INFO]} infos"
    )
