"""A comparison for people: by TrainJob, then by object, with signs, impacts and reasons, and the counts at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.diff.change import Impact, Kind, rank_of
from trainergen.output.colour import paint
from trainergen.output.diffs.words import (
    MEANINGS,
    SIGNS,
    change_lines,
    compared_line,
    counts_line,
    footprint_line,
    particulars,
    refusals,
    sides_line,
    tags,
    whole_line,
)
from trainergen.output.phrases import object_name, place_of, plural
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.diff.change import Change, ObjectChanges
    from trainergen.diff.report import DiffReport, JobChanges, NotCompared, RuntimeChanges

_STYLES = {"+": "good", "-": "error", "~": "warning"}
_IMPACT_STYLES = {Impact.REFUSED: "error", Impact.PROCESSES: "warning", Impact.RESOURCES: "warning"}


def render(report: DiffReport, *, colour: bool = False) -> str:
    """``report`` for reading; ends with a line break."""
    blocks = [list(_runtime(runtime, colour)) for runtime in report.runtimes]
    blocks += [list(_job(job, colour)) for job in report.jobs]
    blocks += [list(_closing(report, colour))]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _runtime(runtime: RuntimeChanges, colour: bool) -> Iterator[str]:
    yield _head(object_name(runtime.ref), runtime.file, "~", colour)
    yield f"  used by {escape_controls(', '.join(runtime.used_by))}"
    yield escape_controls(f"  note: {runtime.note}")
    for change in runtime.verdicts:
        yield from _verdict(change, colour)


def _job(job: JobChanges, colour: bool) -> Iterator[str]:
    yield _head(object_name(job.ref), job.file, SIGNS[job.kind], colour)
    for note in job.notes:
        yield f"  note: {escape_controls(note)}"
    amounts = footprint_line(job.before, job.after)
    if amounts:
        yield f"  in all: {amounts}"
    for change in job.verdicts:
        yield from _verdict(change, colour)
    for obj in job.objects:
        yield from _object(obj, colour)
    for refusal, remedy, count in refusals(job):
        yield f"  {paint('error', 'refused:', colour)} {refusal} ({plural(count, 'change')})"
        yield f"    {paint('help', 'help:', colour)} {remedy}"


def _head(name: str, file: str, sign: str, colour: bool) -> str:
    place = f"  {paint('dim', escape_controls(file), colour)}" if file else ""
    return f"{paint(_STYLES[sign], sign, colour)} {paint('place', escape_controls(name), colour)}{place}"


def _verdict(change: Change, colour: bool) -> Iterator[str]:
    place = escape_controls(change.place)
    sign = paint(_STYLES[SIGNS[change.kind]], SIGNS[change.kind], colour)
    head = " ".join(part for part in (f"  {sign}", place, _tags(change, colour)) if part)
    who = f"{change.refusal}: " if change.refusal else ""
    yield head
    yield f"      {escape_controls(who + change.reason)}"
    if change.remedy:
        yield f"      {paint('help', 'help:', colour)} {escape_controls(change.remedy)}"


def _object(obj: ObjectChanges, colour: bool) -> Iterator[str]:
    if obj.kind is not Kind.CHANGED:
        sign = SIGNS[obj.kind]
        yield f"  {paint(_STYLES[sign], sign, colour)} {whole_line(obj)}"
        return
    yield escape_controls(f"    {obj.ref.kind} {obj.ref.name}")
    said = ""
    for change in obj.changes:
        yield from _change(change, colour)
        words = particulars(change)
        if words and words != said:
            yield f"          {paint('dim', words, colour)}"
        said = words


def _change(change: Change, colour: bool) -> Iterator[str]:
    first, *more = change_lines(change)
    sign = paint(_STYLES[first.sign], first.sign, colour)
    yield f"      {sign} {first.text}  {_tags(change, colour)}"
    for line in more:
        yield f"        {paint(_STYLES.get(line.sign, 'dim'), line.sign + line.text, colour)}"


def _tags(change: Change, colour: bool) -> str:
    return paint(_IMPACT_STYLES.get(change.impact, "dim"), tags(change), colour)


def _closing(report: DiffReport, colour: bool) -> Iterator[str]:
    yield f"{compared_line(report)} ({sides_line(report)})"
    if report.worst is None:
        yield paint("good", "nothing differs", colour)
    else:
        yield f"impact: {counts_line(report)}; the worst is {report.worst}"
        for impact in sorted(report.counts, key=rank_of, reverse=True):
            yield paint("dim", f"  {impact}: {MEANINGS[impact]}", colour)
    yield from _not_compared(report.not_compared)
    for finding in report.findings:
        yield escape_controls(f"{place_of(finding)}: {finding.severity}[{finding.rule}] {finding.message}")


def _not_compared(items: tuple[NotCompared, ...]) -> Iterator[str]:
    if items:
        yield f"not compared: {len(items)}"
    for item in items:
        yield escape_controls(f"  {object_name(item.ref)} ({item.file}): {item.reason}")
