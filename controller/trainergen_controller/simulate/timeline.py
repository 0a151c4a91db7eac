"""What happened, told from the changes of the stored objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import list_at, object_at, text_at
from trainergen_controller.inprocess.merging import same
from trainergen_controller.inprocess.storage import ADDED, DELETED
from trainergen_controller.kinds import JOB_SET, NAMESPACE, TRAIN_JOB

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.inprocess.storage import Change

_COUNTS = ("active", "ready", "succeeded", "failed", "suspended")
_JOBS = {TRAIN_JOB: "jobsStatus", JOB_SET: "replicatedJobsStatus"}
_PLACES_LIMIT = 4


class Moment(NamedTuple):
    """One thing that somebody did to one object, or said about it."""

    seconds: float
    who: str
    kind: str
    name: str
    what: str


@dataclass(slots=True)
class Timeline:
    """All moments in order, and notes on the simulation itself."""

    moments: list[Moment] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def tell(self, seconds: float, who: str, change: Change) -> None:
        """Adds what a change means."""
        if change.kind == NAMESPACE:
            return
        for what in told(change):
            self.moments.append(Moment(seconds, who, change.kind.kind, change.place[1], what))


def told(change: Change) -> Iterator[str]:
    """A change in words, one sentence for each thing."""
    obj = change.object
    if change.type == ADDED:
        made = ", ".join(_shape(change.kind.kind, obj))
        yield f"created: {made}" if made else "created"
    elif change.type == DELETED:
        yield "deleted"
    elif change.before is not None:
        yield from _differences(change, change.before, obj)


def _shape(kind: str, obj: Object) -> Iterator[str]:
    if kind == JOB_SET.kind:
        yield from (f"{text_at(job, 'name')} ×{_pods(job)}" for job in list_at(obj, "spec", "replicatedJobs"))
    if object_at(obj, "spec").get("suspend"):
        yield "suspended"


def _pods(job: Any) -> int:
    return int(job.get("replicas", 1)) * int(object_at(job, "template", "spec").get("parallelism", 1))  # type: ignore[arg-type]


def _differences(change: Change, old: Object, new: Object) -> Iterator[str]:
    if text_at(new, "metadata", "deletionTimestamp") and not text_at(old, "metadata", "deletionTimestamp"):
        yield "marked for deletion"
    yield from _finalizers(old, new)
    before, after = (object_at(one, "spec").get("suspend") or False for one in (old, new))
    if before != after:
        yield "suspended" if after else "resumed"
    if places := list(_places(_content(old), _content(new), "")):
        shown = ", ".join(places[:_PLACES_LIMIT])
        more = len(places) - _PLACES_LIMIT
        yield f"changed: {shown} and {more} more" if more > 0 else f"changed: {shown}"
    yield from _conditions(old, new)
    yield from _counts(_JOBS.get(change.kind, ""), old, new)
    restarts = object_at(new, "status").get("restarts")
    if restarts != object_at(old, "status").get("restarts"):
        yield f"restart {restarts}"


def _finalizers(old: Object, new: Object) -> Iterator[str]:
    before, after = (list_at(one, "metadata", "finalizers") for one in (old, new))
    yield from (f"finalizer {one} added" for one in after if one not in before)
    yield from (f"finalizer {one} removed" for one in before if one not in after)


def _content(obj: Object) -> Object:
    """The object without what is told otherwise, and without the server's bookkeeping."""
    metadata = {key: obj["metadata"].get(key) or {} for key in ("labels", "annotations")}
    content = {key: value for key, value in obj.items() if key not in ("metadata", "status")}
    spec = content.get("spec")
    if isinstance(spec, dict):
        content["spec"] = {key: value for key, value in spec.items() if key != "suspend"}
    return {**content, "metadata": metadata}


def _places(old: Any, new: Any, before: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({**old, **new}):
            yield from _places(old.get(key), new.get(key), f"{before}.{key}" if before else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _places(one, other, f"{before}[{index}]")
    elif not same(old, new):
        yield before


def _conditions(old: Object, new: Object) -> Iterator[str]:
    before, after = (_by(list_at(one, "status", "conditions"), "type") for one in (old, new))
    for kind, condition in after.items():
        known = before.get(kind, {})
        if any(condition.get(key) != known.get(key) for key in ("status", "reason")):
            yield f"{kind}={condition.get('status')}, {condition.get('reason')}: {condition.get('message')}"
    yield from (f"condition {kind} dropped" for kind in before if kind not in after)


def _counts(field_name: str, old: Object, new: Object) -> Iterator[str]:
    before, after = (_by(list_at(one, "status", field_name), "name") for one in (old, new))
    for name, counts in after.items():
        if counts != before.get(name) and (before.get(name) or any(counts.get(key) for key in _COUNTS)):
            parts = [f"{counts.get(key)} {key}" for key in _COUNTS if counts.get(key)]
            yield f"{name}: {', '.join(parts) or 'nothing runs'}"
    yield from (f"{name}: no longer counted" for name in before if name not in after)


def _by(entries: list[Any], key: str) -> dict[str, Any]:
    return {str(entry.get(key)): entry for entry in entries if isinstance(entry, dict)}
