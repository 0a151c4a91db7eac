"""Workflow commands of GitHub Actions: an annotation for each finding, one notice for what was not evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.output.phrases import found, looked_at, plural, release_line, undecided
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.output.options import OutputOptions
    from trainergen.report import Report

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, options: OutputOptions) -> str:  # noqa: ARG001
    """``report`` as workflow commands, one a line, then one plain line for the log."""
    lines = [_annotation(finding) for finding in report.findings]
    if report.not_evaluated:
        groups = [f"{escape_controls(group.reason)} ({plural(group.count, 'check')})" for group in undecided(report)]
        text = f"{plural(len(report.not_evaluated), 'check')} not evaluated\n" + "\n".join(groups)
        lines.append(command("notice", text, {"title": "trainergen not evaluated"}))
    lines.append(escape_controls(f"trainergen: {found(report)} in {looked_at(report)}, {release_line(report)}"))
    return "\n".join(lines) + "\n"


def command(name: str, text: str, properties: dict[str, str | int]) -> str:
    """One workflow command; what would end it or a property early is percent-encoded, empty properties are left out."""
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{name} {given}::{_data(text)}" if given else f"::{name}::{_data(text)}"


def _annotation(finding: Finding) -> str:
    # NB: GitHub takes columns only for a place on one line.
    on_one_line = finding.end_line in {0, finding.line}
    text = "\n".join(escape_controls(part) for part in (finding.message, finding.help) if part)
    return command(
        _COMMANDS[finding.severity],
        text,
        {
            "file": finding.file,
            "line": finding.line,
            "endLine": finding.end_line,
            "col": finding.column if on_one_line else 0,
            "title": f"{finding.rule} {finding.name}".strip(),
        },
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
