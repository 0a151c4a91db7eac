"""A simulation as text for people, and as JSON for programs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, text_at
from trainergen_controller.kinds import TRAIN_JOB
from trainergen_controller.simulate.virtual import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen_controller.client import Object
    from trainergen_controller.simulate.simulation import Simulation
    from trainergen_controller.simulate.timeline import Moment


def as_text(done: Simulation) -> str:
    """A table of moments, with what is left at its end."""
    metadata = done.job["metadata"]
    title = f"TrainJob {metadata['namespace']}/{metadata['name']}, Trainer {done.release}"
    lines = [f"{title}, scenario {done.scenario.name}: {done.scenario.summary}"]
    lines += [f"note: {note}" for note in done.timeline.notes]
    if done.refusal:
        return "\n".join([*lines, "", f"The API server refuses it: {done.refusal}", ""])
    lines += ["", *_table(done.timeline.moments), "", *_end(done), ""]
    return "\n".join(lines)


def _table(moments: list[Moment]) -> Iterator[str]:
    rows = [(_time(one.seconds), one.who, f"{one.kind} {one.name}", one.what) for one in moments]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    before: tuple[str, ...] = ()
    for *cells, text in rows:
        # What is the same as in the line before is not written again.
        new = [not before or tuple(cells[: at + 1]) != before[: at + 1] for at in range(3)]
        time, who, what = (cell if shown else "" for cell, shown in zip(cells, new, strict=True))
        before = tuple(cells)
        yield f"{time:>{widths[0]}}  {who:<{widths[1]}}  {what:<{widths[2]}}  {text}".rstrip()


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours}:{minutes_left:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _end(done: Simulation) -> Iterator[str]:
    job = next((one for one in done.objects if one["kind"] == TRAIN_JOB.kind), None)
    if job is None:
        yield "In the end there is no TrainJob."
    else:
        yield f"In the end 'kubectl get trainjob' shows State {_state(job) or '<none>'}."
    others = sorted(f"{one['kind']} {one['metadata']['name']}" for one in done.objects if one["kind"] != TRAIN_JOB.kind)
    yield f"Left with it: {', '.join(others)}." if others else "Nothing else is left."


def _state(job: Object) -> str:
    """The print column State: the type of the last condition."""
    conditions = list_at(job, "status", "conditions")
    return text_at(conditions[-1], "type") if conditions else ""


def as_json(done: Simulation) -> dict[str, Any]:
    """All of it."""
    metadata = done.job["metadata"]
    return {
        "release": done.release,
        "scenario": done.scenario.name,
        "job": {"namespace": metadata["namespace"], "name": metadata["name"]},
        "notes": done.timeline.notes,
        "refused": done.refusal or None,
        "timeline": [
            {
                "seconds": round(one.seconds, 3),
                "time": (START + timedelta(seconds=one.seconds)).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "who": one.who,
                "kind": one.kind,
                "name": one.name,
                "what": one.what,
            }
            for one in done.timeline.moments
        ],
        "objects": [_plain(one) for one in done.objects],
    }


def _plain(obj: Object) -> Object:
    metadata = {key: value for key, value in obj["metadata"].items() if key != "managedFields"}
    return {**obj, "metadata": metadata}
