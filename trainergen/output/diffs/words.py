"""The words on changes that the formats for people share: values on one line, counts, what was compared."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.diff.change import Impact, Kind
from trainergen.diff.effect import OTHER_PODS
from trainergen.finding import format_path
from trainergen.output.phrases import plural
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.diff.change import Change, ObjectChanges
    from trainergen.diff.footprint import Footprint
    from trainergen.diff.report import DiffReport, JobChanges, Side
    from trainergen.finding import JsonValue

SIGNS = {Kind.ADDED: "+", Kind.REMOVED: "-", Kind.CHANGED: "~", Kind.ORDER: "~"}
MEANINGS = {
    Impact.REFUSED: "refused by the API server or a webhook, as such or as a change of what exists",
    Impact.PROCESSES: "another number of nodes, Pods or processes",
    Impact.RESOURCES: "Pods that ask for other resources",
    Impact.RESTART: "other Pods: a running job gets them only when it is created anew",
    Impact.NOTHING: "a change that leaves the Pods as they are",
    Impact.COSMETIC: "written differently, but the same",
}
_LEVELS = (
    (("template", "spec", "template", "spec"), "Pod"),
    (("template", "spec", "template"), "Pod"),
    (("template", "spec"), "Job"),
)
_LONGEST = 160
_MOST_LINES = 40


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a change: ``+``, ``-``, ``~`` or a space, and the text after it."""

    sign: str
    text: str


def short_place(change: Change) -> str:
    """The path of a change; that of a Pod of a JobSet without its six levels: ``job node, Pod: nodeSelector``."""
    path = change.path
    if path[:2] != ("spec", "replicatedJobs") or len(path) < 4:
        return escape_controls(change.place)
    job, inner = f"job {path[2]}", path[3:]
    for steps, name in _LEVELS:
        if inner[: len(steps)] == steps and len(inner) > len(steps):
            return escape_controls(f"{job}, {name}: {format_path(inner[len(steps) :])}")
    return escape_controls(f"{job}: {format_path(inner)}")


def change_lines(change: Change, *, signed: bool = False) -> Iterator[Line]:
    """A change as lines; ``signed`` splits what changed into a removed and an added line, as a patch does."""
    place = short_place(change)
    sign = SIGNS[change.kind]
    if change.kind in (Kind.ADDED, Kind.REMOVED):
        value = change.new if change.kind is Kind.ADDED else change.old
        yield Line(sign, f"{place}: {in_line(value)}" if value is not None else place)
        return
    suffix = " (order)" if change.kind is Kind.ORDER else ""
    if change.old is None and change.new is None:
        yield Line(sign, place)
    elif _is_text(change.old) and _is_text(change.new):
        yield Line(sign, f"{place}:")
        yield from _text_lines(str(change.old), str(change.new))
    elif signed:
        yield Line("-", f"{place}: {in_line(change.old)}{suffix}")
        yield Line("+", f"{place}: {in_line(change.new)}{suffix}")
    else:
        yield Line(sign, f"{place}: {in_line(change.old)} → {in_line(change.new)}{suffix}")


def in_line(value: JsonValue) -> str:
    """A value on one line, cut when it is very long."""
    if isinstance(value, str):
        plain = value.isprintable() and value == value.strip() and value not in ("", "null", "true", "false")
        text = value if plain and not value[0].isdigit() else json.dumps(value, ensure_ascii=False)
    elif isinstance(value, list) and all(isinstance(item, str) and item.isprintable() for item in value):
        text = f"[{', '.join(map(str, value))}]"
    else:
        text = json.dumps(value, ensure_ascii=False)
    text = escape_controls(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def whole_line(found: ObjectChanges) -> str:
    """An object that one side lacks: ``ConfigMap x  [cosmetic] a copy of the runtime``."""
    change = found.changes[0]
    return escape_controls(f"{found.ref.kind} {found.ref.name}  {tags(change)} {change.reason}")


def tags(change: Change) -> str:
    """``[refused, restart]``."""
    return f"[{', '.join(change.impacts)}]"


def particulars(change: Change) -> str:
    """The reason of a change, unless it says no more than the impact, and whose value it is, unless that is plain."""
    parts = [] if change.reason == OTHER_PODS else [change.reason]
    if change.origin and change.origin != "TrainJob":
        parts.append(f"from {change.origin}")
    elif change.origin_path and change.origin_path != change.place:
        parts.append(f"from {change.origin_path} of the TrainJob")
    return escape_controls("; ".join(parts))


def refusals(job: JobChanges) -> list[tuple[str, str, int]]:
    """Who refuses changes of the job's objects in place, what to do, and how many changes those are."""
    counts: dict[tuple[str, str], int] = {}
    for obj in job.objects:
        for change in obj.changes:
            if change.refusal:
                key = (escape_controls(change.refusal), escape_controls(change.remedy))
                counts[key] = counts.get(key, 0) + 1
    return [(refusal, remedy, count) for (refusal, remedy), count in counts.items()]


def footprint_line(before: Footprint | None, after: Footprint | None) -> str:
    """``Pods 2 → 4, nvidia.com/gpu 8 → 16``: the amounts that differ; empty when none does."""
    old = _amounts(before)
    new = _amounts(after)
    parts = [
        f"{name} {old.get(name, '0')} → {new.get(name, '0')}"
        for name in [*old, *(name for name in new if name not in old)]
        if old.get(name) != new.get(name)
    ]
    return escape_controls(", ".join(parts))


def counts_line(report: DiffReport) -> str:
    """``2 refused, 3 restart``, the worst first."""
    return ", ".join(f"{report.counts[impact]} {impact}" for impact in reversed(Impact) if report.counts[impact])


def compared_line(report: DiffReport) -> str:
    """``3 TrainJobs compared: 1 added, 1 changed, 1 unchanged``."""
    numbers = {kind: sum(job.kind is kind for job in report.jobs) for kind in Kind}
    parts = [f"{count} {kind}" for kind, count in numbers.items() if count]
    if report.unchanged or not parts:
        parts.append(f"{report.unchanged} unchanged")
    return f"{plural(report.compared, 'TrainJob')} compared: {', '.join(parts)}"


def sides_line(report: DiffReport) -> str:
    """``Trainer 2.1 → Trainer 2.3``, ``main → working tree, for Trainer 2.3``."""
    old, new = report.old, report.new
    if not old.revision:
        return f"Trainer {old.release} → Trainer {new.release}"
    if old.release == new.release:
        reason = f" ({report.release_reason})" if report.release_reason else ""
        return escape_controls(f"{old.revision} → working tree, for Trainer {new.release}{reason}")
    return f"{_side(old)} → {_side(new)}"


def _side(side: Side) -> str:
    return escape_controls(f"{side.revision or 'working tree'} on Trainer {side.release}")


def _amounts(footprint: Footprint | None) -> dict[str, str]:
    if footprint is None:
        return {}
    return {"Pods": str(footprint.pods), **footprint.resources}


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str) and "\n" in value


def _text_lines(old: str, new: str) -> Iterator[Line]:
    """The lines of a text that differ, each block after its place in the new one."""
    shown = 0
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""):
        if line.startswith(("---", "+++")):
            continue
        if shown == _MOST_LINES:
            yield Line(" ", "    …")
            return
        shown += 1
        sign = line[0] if line[0] in "+-" else " "
        yield Line(sign, f"    {escape_controls(line[1:] if sign != ' ' else line)}")
