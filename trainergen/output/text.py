"""The format for people: each finding with its code frame and help, then what was looked at and what was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.output.colour import paint
from trainergen.output.frame import FrameStyle, Place, draw, split_lines
from trainergen.output.phrases import (
    apart_line,
    fixable_line,
    found,
    looked_at,
    place_of,
    release_line,
    skipped_line,
    undecided,
)
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding
    from trainergen.output.options import OutputOptions
    from trainergen.report import Report


def render(report: Report, options: OutputOptions) -> str:
    """``report`` for reading; ends with a line break."""
    blocks = list(_findings(report, options))
    blocks.append("\n".join(_closing(report, options)))
    return "\n\n".join(blocks) + "\n"


def _findings(report: Report, options: OutputOptions) -> Iterator[str]:
    file, lines = "", list[str]()
    for finding in report.findings:
        if finding.file != file:
            file = finding.file
            lines = split_lines(options.source(file) or "")
        yield "\n".join(_finding(finding, lines, options))


def _finding(finding: Finding, lines: list[str], options: OutputOptions) -> Iterator[str]:
    colour = options.colour
    place = escape_controls(place_of(finding))
    label = paint(finding.severity, f"{finding.severity}[{escape_controls(finding.rule)}]", colour)
    head = f"{paint('place', place, colour)}: {label}" if place else label
    yield f"{head} {escape_controls(finding.message)}"
    if finding.line and lines != [""]:
        style = FrameStyle(options.context, options.width, colour, finding.severity)
        yield from draw(lines, Place(finding.line, finding.column, finding.end_line, finding.end_column), style)
    if finding.help:
        yield f"   {paint('help', 'help:', colour)} {escape_controls(finding.help)}"


def _closing(report: Report, options: OutputOptions) -> Iterator[str]:
    yield f"{paint(_worst(report), found(report), options.colour)} in {looked_at(report)}"
    yield escape_controls(f"release: {release_line(report)}")
    if fixable := fixable_line(report):
        yield f"fixable: {fixable}"
    if apart := apart_line(report):
        yield f"apart from these: {apart}"
    if report.skipped:
        yield escape_controls(f"skipped: {skipped_line(report)}")
    if report.not_evaluated:
        yield f"not evaluated: {len(report.not_evaluated)}"
    for group in undecided(report):
        checks = ", ".join(group.checks)
        yield escape_controls(f"  {group.reason}: {checks} ({_where(group.count, group.first)})")


def _worst(report: Report) -> str:
    severities = {finding.severity for finding in report.findings}
    return next((severity for severity in Severity if severity in severities), "good")


def _where(count: int, first: str) -> str:
    if not first:
        return f"{count} times"
    return first if count == 1 else f"{count} times, first at {first}"
