"""A migration as one self-contained page: summary, plan, each job with what became of it, and the files as patches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.finding import Severity, format_path
from trainergen.migrate.report import severities
from trainergen.output.migrations.phrases import OUTCOMES, becomes, counted
from trainergen.output.pages.blocks import (
    bullets,
    chapter,
    counts,
    findings,
    folded,
    numbered,
    patch,
    place,
    table,
    text,
)
from trainergen.output.pages.document import document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.migrate.ledger import Mapped
    from trainergen.migrate.report import FileMigration, MigratedObject, MigrateReport

_JOBS = {"job": "30%", "becomes": "auto", "place": "22%", "found": "20%"}
_VALUES = {"value of the legacy job": "auto", "is": "11rem", "at": "42%"}


def render(report: MigrateReport) -> str:
    """``report`` as an HTML document that needs nothing but itself: no script, no font, no picture from elsewhere."""
    return document(f"Migration to Trainer {report.target}", _body(report), contents=_contents(report))


def _contents(report: MigrateReport) -> dict[str, str]:
    left = report.findings or any(file.findings for file in report.files)
    chapters = {
        "summary": ("Summary", report.objects),
        "plan": ("Plan, in order", report.steps),
        "left": ("Left to do by hand", left),
        "jobs": ("Jobs", report.objects),
        "files": ("Files", any(file.patch for file in report.files)),
    }
    return {key: name for key, (name, there) in chapters.items() if there}


def _body(report: MigrateReport) -> Iterator[str]:
    found = severities(report.warnings)
    yield counts(
        (
            (report.objects, "legacy jobs"),
            (report.written, "files to write"),
            (len(report.files) - report.written, "held back"),
            (found[Severity.ERROR], "errors"),
            (found[Severity.WARNING], "warnings"),
            (found[Severity.INFO], "infos"),
        )
    )
    chapters = {"summary": _summary, "plan": _plan, "left": _left, "jobs": _jobs, "files": _files}
    for key, name in _contents(report).items():
        yield chapter(key, name)
        yield from chapters[key](report)


def _numbered(report: MigrateReport) -> Iterator[tuple[str, FileMigration, MigratedObject]]:
    """The jobs with the ids of their parts of the page."""
    pairs = ((file, one) for file in report.files for one in file.objects)
    return ((f"job-{number}", file, one) for number, (file, one) in enumerate(pairs, start=1))


def _summary(report: MigrateReport) -> Iterator[str]:
    yield table(_JOBS, (_row(*each) for each in _numbered(report)))


def _row(key: str, file: FileMigration, one: MigratedObject) -> Iterator[str]:
    yield f'<a href="#{key}">{text(one.title)}</a>'
    yield text(becomes(one))
    yield place(f"{file.name}:{one.document.line}")
    held = '<br><span class="held">not written</span>' if file.held else ""
    yield f"{text(counted(one))}{held}"


def _plan(report: MigrateReport) -> Iterator[str]:
    yield numbered(report.steps)


def _left(report: MigrateReport) -> Iterator[str]:
    yield findings([*report.findings, *(each for file in report.files for each in file.findings)])


def _jobs(report: MigrateReport) -> Iterator[str]:
    for key, file, one in _numbered(report):
        yield f'<h3 id="{key}">{text(one.title)}</h3>'
        yield f"<p>{text(f'{file.name}:{one.document.line}')} becomes {text(becomes(one))}.</p>"
        if file.held:
            yield f'<p class="held">Not written: {text(file.held)}.</p>'
        if one.warnings:
            yield "<h4>What is lost, changes, or is to know</h4>"
            yield findings(one.ordered)
        if one.migration.notes:
            yield "<h4>What scripts and dashboards must change</h4>"
            yield bullets(one.migration.notes)
        values = one.migration.mapping
        if values:
            title = f"What became of its {len(values)} values"
            yield folded(title, table(_VALUES, (_value(each) for each in values)))


def _value(mark: Mapped) -> Iterator[str]:
    yield place(format_path(mark.source))
    yield OUTCOMES[mark.outcome]
    yield place(f"{mark.kind} {format_path(mark.target)}".strip() or mark.check)


def _files(report: MigrateReport) -> Iterator[str]:
    for file in report.files:
        if file.patch:
            yield f"<h3>{text(file.name)}</h3>"
            if file.held:
                yield f'<p class="held">Not written: {text(file.held)}.</p>'
            yield patch(file.patch)
