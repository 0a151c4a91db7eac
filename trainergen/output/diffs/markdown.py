"""A comparison as a comment for a pull request: counts as a table, the changes of each TrainJob folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from trainergen.diff.change import Impact, Kind
from trainergen.output.diffs.words import (
    MEANINGS,
    SIGNS,
    change_lines,
    compared_line,
    footprint_line,
    particulars,
    refusals,
    sides_line,
    tags,
    whole_line,
)
from trainergen.output.markdown import LIMIT, escape
from trainergen.output.phrases import object_name, place_of, plural
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.diff.change import Change
    from trainergen.diff.report import DiffReport, JobChanges, RuntimeChanges

MARKER = "<!-- trainergen-diff -->"
"""The first line of every comment, by which a bot finds its own comment again."""

# How much of a comment the table of TrainJobs, and each list beside it, may take.
_PART = 10_000
_FENCES = re.compile("`{3,}")


def render(report: DiffReport) -> str:
    """``report`` as GitHub and GitLab flavoured Markdown, cut to what a comment may hold."""
    head = [MARKER, f"### trainergen diff: {_verdict_line(report)}", "", f"{escape(sides_line(report))}.", ""]
    head += [f"{compared_line(report)}.", *_impacts(report)]
    head += [*_jobs(report), *_fitting(_runtimes(report.runtimes), _PART)]
    closing = [*_not_compared(report), *_fitting(_findings(report), _PART)]
    room = LIMIT - _size([*head, *closing])
    body: list[str] = []
    shown = 0
    for job in report.jobs:
        block = _details(job, room)
        if not block:
            break
        room -= _size(block)
        body += block
        shown += 1
    if shown < len(report.jobs):
        body += ["", f"The changes of {plural(len(report.jobs) - shown, 'TrainJob')} more are not shown here."]
    return "\n".join([*head, *body, *closing]) + "\n"


def _fitting(lines: Iterable[str], room: int, *, more: str = "and more, not shown here") -> Iterator[str]:
    """The first lines that fit, and ``more`` in place of the rest."""
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            yield more
            return
        yield line


def _size(lines: list[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _verdict_line(report: DiffReport) -> str:
    return "nothing differs" if report.worst is None else f"{plural(len(report.jobs), 'TrainJob')} with changes"


def _impacts(report: DiffReport) -> Iterator[str]:
    if report.worst is None:
        return
    yield from ("", "| impact | changes | what it means |", "| :--- | ---: | :--- |")
    for impact in reversed(Impact):
        if report.counts[impact]:
            yield f"| {impact} | {report.counts[impact]} | {MEANINGS[impact]} |"


def _jobs(report: DiffReport) -> Iterator[str]:
    if not report.jobs:
        return
    yield from ("", "| TrainJob | file | | worst impact | in all |", "| :--- | :--- | :--- | :--- | :--- |")
    yield from _fitting(map(_row, report.jobs), _PART, more="| and more | | | | |")


def _row(job: JobChanges) -> str:
    amounts = escape(footprint_line(job.before, job.after))
    return f"| {escape(_name(job))} | {escape(job.file)} | {job.kind} | {job.worst or ''} | {amounts} |"


def _name(job: JobChanges) -> str:
    return object_name(job.ref).removeprefix("TrainJob ")


def _runtimes(runtimes: tuple[RuntimeChanges, ...]) -> Iterator[str]:
    for runtime in runtimes:
        yield ""
        users = plural(len(runtime.used_by), "TrainJob")
        name, file = escape(object_name(runtime.ref)), escape(runtime.file)
        yield f"**{name}** ({file}), used by {users}: {escape(runtime.note)}."
        for change in runtime.verdicts:
            yield f"- {_verdict(change)}"


def _verdict(change: Change) -> str:
    who = f"{change.refusal}: " if change.refusal else ""
    place = f"<code>{escape(change.place)}</code> " if change.path else ""
    remedy = f" {escape(change.remedy)}" if change.remedy else ""
    return f"{place}**{change.impact}** {escape(who + change.reason)}.{remedy}"


def _details(job: JobChanges, room: int) -> list[str]:
    """The folded changes of a TrainJob, cut to ``room``; nothing when not even their frame fits."""
    count = sum(1 for _ in job.changes)
    opening = ["", f"<details><summary>{escape(_name(job))}: {plural(count, 'change')}</summary>", ""]
    opening += [f"- {escape(note)}." for note in job.notes]
    opening += [f"- {_verdict(change)}" for change in job.verdicts]
    opening += [
        f"- **refused** ({plural(number, 'change')}) {escape(who)}. {escape(help_)}"
        for who, help_, number in refusals(job)
    ]
    lines = list(_lines(job))
    fence = "`" * (max((len(run) for line in lines for run in _FENCES.findall(line)), default=2) + 1)
    if not lines:
        block = [*opening, "", "</details>"]
        return block if _size(block) <= room else []
    frame = [*opening, "", f"{fence}diff", fence, "", "</details>"]
    room -= _size(frame) + 40
    if room < 0:
        return []
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            kept.append(f"  … {len(lines) - len(kept)} lines more")
            break
        kept.append(line)
    return [*opening, "", f"{fence}diff", *kept, fence, "", "</details>"]


def _lines(job: JobChanges) -> Iterator[str]:
    for obj in job.objects:
        if obj.kind is not Kind.CHANGED:
            yield f"{SIGNS[obj.kind]} {whole_line(obj)}"
            continue
        yield escape_controls(f"  {obj.ref.kind} {obj.ref.name}")
        said = ""
        for change in obj.changes:
            comment = f"# {tags(change)} {particulars(change)}".rstrip()
            if comment != said:
                yield comment
            said = comment
            yield from (f"{line.sign} {line.text}" for line in change_lines(change, signed=True))


def _not_compared(report: DiffReport) -> Iterator[str]:
    if not report.not_compared:
        return
    yield from ("", f"<details><summary>not compared: {plural(len(report.not_compared), 'TrainJob')}</summary>", "")
    items = (
        f"- {escape(object_name(item.ref))} ({escape(item.file)}): {escape(item.reason)}"
        for item in report.not_compared
    )
    yield from _fitting(items, _PART, more="- and more")
    yield from ("", "</details>")


def _findings(report: DiffReport) -> Iterator[str]:
    if report.findings:
        yield ""
    for finding in report.findings:
        yield f"- {escape(place_of(finding))}: {escape(finding.message)}"
