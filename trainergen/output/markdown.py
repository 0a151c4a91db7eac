"""A comment for a pull request: the counts as a table, the findings of each file folded away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.output.phrases import apart_line, found, plural, release_line, skipped_line, undecided
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding
    from trainergen.output.options import OutputOptions
    from trainergen.report import Report

MARKER = "<!-- trainergen -->"
"""The first line of every comment, by which a bot finds its own comment again."""

# GitHub refuses comments of more than 65,536 characters; the closing lines need room as well.
LIMIT = 60_000
_LONG = 500
_GROUPS = 20

# Entities, not backslashes: they hold in tables, in HTML and against mentions and issue references alike.
_ESCAPES = str.maketrans({char: f"&#{ord(char)};" for char in "\\`*_{}[]()<>#+!|~@$&\"'"})


def render(report: Report, options: OutputOptions) -> str:  # noqa: ARG001
    """``report`` as GitHub and GitLab flavoured Markdown, cut to what a comment may hold."""
    head = [MARKER, f"### trainergen: {found(report)}", "", *_summary(report)]
    closing = [*_undecided(report), *_apart(report), *_skipped(report)]
    room = LIMIT - sum(len(line) + 1 for line in closing)
    body, shown = _details(report, room)
    left = len(report.findings) - shown
    if left:
        body += ["", f"{plural(left, 'finding')} more, not shown here."]
    return "\n".join([*head, *body, *closing]) + "\n"


def escape(text: str) -> str:
    """``text`` on one line as it is, whatever Markdown or HTML would make of it, cut when it is very long."""
    cut = text if len(text) <= _LONG else f"{text[:_LONG]}…"
    return escape_controls(cut).translate(_ESCAPES)


def _summary(report: Report) -> list[str]:
    summary = report.summary
    counts = (
        summary.errors,
        summary.warnings,
        summary.infos,
        summary.not_evaluated,
        summary.documents,
        summary.files,
    )
    return [
        "| errors | warnings | infos | not evaluated | documents | files |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
        f"| {' | '.join(map(str, counts))} |",
        "",
        f"Checked for {escape(release_line(report))}.",
    ]


def _details(report: Report, room: int) -> tuple[list[str], int]:
    """The folded findings of all files, as far as there is room, and how many are shown."""
    files: dict[str, list[Finding]] = {}
    for finding in report.findings:
        files.setdefault(finding.file, []).append(finding)
    out: list[str] = []
    shown = 0
    for file, findings in files.items():
        opening, ending = _opening(file, findings), ["", "</details>"]
        room -= sum(len(line) + 1 for line in (*opening, *ending))
        rows: list[str] = []
        for row in map(_row, findings):
            if len(row) + 1 > room:
                break
            room -= len(row) + 1
            rows.append(row)
        if not rows:
            break
        out += [*opening, *rows, *ending]
        shown += len(rows)
    return out, shown


def _opening(file: str, findings: list[Finding]) -> list[str]:
    name = f"<code>{escape(file)}</code>" if file else "the run"
    return [
        "",
        f"<details><summary>{name}: {plural(len(findings), 'finding')}</summary>",
        "",
        "| place | severity | rule | message |",
        "| :--- | :--- | :--- | :--- |",
    ]


def _row(finding: Finding) -> str:
    place = f"{finding.line}:{finding.column}" if finding.line else ""
    rule = f"{escape(finding.rule)} {escape(finding.name)}".strip()
    text = escape(finding.message)
    if finding.help:
        text += f"<br>{escape(finding.help)}"
    return f"| {place} | {finding.severity} | {rule} | {text} |"


def _undecided(report: Report) -> Iterator[str]:
    groups = undecided(report)
    if not groups:
        return
    yield ""
    yield f"<details><summary>not evaluated: {plural(len(report.not_evaluated), 'check')}</summary>"
    yield ""
    for group in groups[:_GROUPS]:
        first = f", first at {escape(group.first)}" if group.first else ""
        yield f"- {escape(group.reason)}: {escape(', '.join(group.checks))} ({group.count}{first})"
    if len(groups) > _GROUPS:
        yield f"- and {len(groups) - _GROUPS} more reasons"
    yield ""
    yield "</details>"


def _apart(report: Report) -> Iterator[str]:
    if apart := apart_line(report):
        yield ""
        yield f"Apart from these: {apart}."


def _skipped(report: Report) -> Iterator[str]:
    if report.skipped:
        yield ""
        yield f"Skipped: {escape(skipped_line(report))}."
