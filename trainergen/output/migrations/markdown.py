"""A migration as a page for a change request: the summary, the plan, each job, and the files as patches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.migrate.report import severities
from trainergen.output.markdown import escape
from trainergen.output.markdown_blocks import fenced, finding_lines
from trainergen.output.migrations.phrases import becomes, counted
from trainergen.output.phrases import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.migrate.report import FileMigration, MigratedObject, MigrateReport


def render(report: MigrateReport) -> str:
    """``report`` as GitHub and GitLab flavoured Markdown, complete and so without a limit to its length."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: MigrateReport) -> Iterator[str]:
    yield from (f"# Migration to Trainer {report.target}", "", _counts(report))
    if report.objects:
        yield from ("", "## Summary", "", "| job | becomes | place | found |", "| --- | --- | --- | --- |")
        for file in report.files:
            yield from (_row(file, one) for one in file.objects)
    if report.steps:
        yield from ("", "## Plan", "")
        yield from (f"{number}. {escape(step)}" for number, step in enumerate(report.steps, start=1))
    left = [*report.findings, *(each for file in report.files for each in file.findings)]
    if left:
        yield from ("", "## Left to do by hand", "")
        for each in left:
            yield from finding_lines(each)
    if report.objects:
        yield from ("", "## Jobs")
        for file in report.files:
            for one in file.objects:
                yield from _job(file, one)
    yield from _files(report)


def _counts(report: MigrateReport) -> str:
    found = severities(report.warnings)
    numbers = ", ".join(plural(found[each], each.value) for each in Severity)
    held = len(report.files) - report.written
    jobs, files = plural(report.objects, "legacy job"), plural(report.written, "file")
    return f"{jobs}, {files} to write, {held} held back: {numbers}."


def _row(file: FileMigration, one: MigratedObject) -> str:
    held = ", not written" if file.held else ""
    cells = (one.title, becomes(one), f"{file.name}:{one.document.line}", f"{counted(one)}{held}")
    return f"| {' | '.join(map(escape, cells))} |"


def _job(file: FileMigration, one: MigratedObject) -> Iterator[str]:
    yield from ("", f"### {escape(one.title)}", "")
    yield f"{escape(f'{file.name}:{one.document.line}')} becomes {escape(becomes(one))}."
    if file.held:
        yield from ("", f"Not written: {escape(file.held)}.")
    if one.warnings:
        yield ""
        for finding in one.ordered:
            yield from finding_lines(finding)
    if one.migration.notes:
        yield from ("", "What scripts and dashboards must change:", "")
        yield from (f"- {escape(note)}" for note in one.migration.notes)


def _files(report: MigrateReport) -> Iterator[str]:
    if any(file.patch for file in report.files):
        yield from ("", "## Files")
    for file in report.files:
        if file.patch:
            yield from ("", f"### {escape(file.name)}", "")
            if file.held:
                yield from (f"Not written: {escape(file.held)}.", "")
            yield from fenced(file.patch.rstrip("\n"), "diff")
