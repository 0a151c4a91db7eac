"""One TrainJob as two sides render it: what changes, who would refuse it, and to whom it applies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, value_at
from trainergen.diff.change import Change, Impact, Kind, ObjectChanges
from trainergen.diff.effect import RECREATE, Situation
from trainergen.diff.footprint import footprint_of
from trainergen.diff.objects import Origins, compare_objects, unknown_origin
from trainergen.diff.report import JobChanges, NotCompared
from trainergen.engine.origins import origin_in_words
from trainergen.finding import Layer, format_path
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen.engine.rendering import JobRendering
    from trainergen.finding import Finding, JsonObject, Path

UNKNOWN_FIELD = "TG101"
_LEFT_ALONE_WHILE_RUNNING = frozenset({"JobSet", "PodGroup"})
_OWN_FIELDS = ("activeDeadlineSeconds", "managedBy", "runtimeRef")


def compare_job(
    old: JobRendering | None, new: JobRendering | None, *, update: Iterable[Finding] = ()
) -> JobChanges | NotCompared | None:
    """What changes from ``old`` to ``new``, None when nothing does; one of them may be missing.

    ``update`` are the refusals of writing the new TrainJob over the old one.
    """
    there = new or old
    if there is None:
        return None
    refused = tuple(update)
    verdicts = (*_verdicts(old, new), *_refused_updates(new, refused))
    situation = Situation() if refused else situation_of(old, new)
    objects = _objects(old, new, situation)
    if not verdicts and not objects:
        return _without_changes(old, new)
    return JobChanges(
        ref=there.ref,
        file=there.file,
        kind=Kind.ADDED if old is None else Kind.REMOVED if new is None else Kind.CHANGED,
        verdicts=verdicts,
        objects=objects,
        notes=tuple(dict.fromkeys(_notes(old, new, objects, refused=bool(refused)))),
        before=None if old is None or old.rendered is None else footprint_of(old.rendered.objects),
        after=None if new is None or new.rendered is None else footprint_of(new.rendered.objects),
    )


def situation_of(old: JobRendering | None, new: JobRendering | None) -> Situation:
    """Whether the controller would apply the JobSet of the existing TrainJob again."""
    if old is None or new is None or old.refusals or old.rendered is None or keeps_snapshot(old, new):
        return Situation()
    return Situation(reapplied=any(value_at(one.document.object, "spec", "suspend") is True for one in (old, new)))


def keeps_snapshot(old: JobRendering, new: JobRendering) -> bool:
    """Whether an existing TrainJob that did not change goes on with the runtime as it was."""
    kept = all(get_release(one.release).rendering.runtime_snapshot for one in (old, new))
    return kept and old.document.object == new.document.object


def _verdicts(old: JobRendering | None, new: JobRendering | None) -> list[Change]:
    """What one side says to the TrainJob and the other does not."""
    before, after = _refusals(old), _refusals(new)
    found = [_verdict(after[key], new, Kind.ADDED) for key in after if key not in before]
    if new is not None:
        found += [_verdict(before[key], old, Kind.REMOVED) for key in before if key not in after]
    old_error, new_error = (None if one is None else one.error for one in (old, new))
    if new_error is not None and (old_error is None or str(old_error) != str(new_error)):
        reason = f"the controller creates nothing: {new_error}"
        found.append(Change((), Kind.ADDED, (Impact.REFUSED,), reason, remedy=new_error.help))
    elif old_error is not None and new is not None and new_error is None:
        reason = f"the controller no longer fails: {old_error}"
        found.append(Change((), Kind.REMOVED, (Impact.NOTHING,), reason))
    return found


def _refusals(side: JobRendering | None) -> dict[tuple[str, Path], Finding]:
    if side is None:
        return {}
    prefix = len(side.document.prefix)
    return {(finding.rule, finding.at[prefix:]): finding for finding in side.refusals}


def _verdict(finding: Finding, side: JobRendering | None, kind: Kind) -> Change:
    path = finding.at if side is None else finding.at[len(side.document.prefix) :]
    release = "" if side is None else side.release
    if kind is Kind.REMOVED:
        reason = f"{refuser(finding, release)} refused it: {finding.message}"
        return Change(path, kind, (Impact.NOTHING,), reason)
    refusal = f"{refuser(finding, release)} refuses it"
    return Change(path, kind, (Impact.REFUSED,), finding.message, refusal=refusal, remedy=finding.help)


def refuser(finding: Finding, release: str) -> str:
    """Who refuses an object for ``finding``."""
    who = "webhook" if finding.layer is Layer.WEBHOOK else "API server"
    return f"the {who} of Trainer {release}"


def _refused_updates(new: JobRendering | None, update: Iterable[Finding]) -> list[Change]:
    known = _refusals(new)
    return [
        Change(
            path=finding.at,
            kind=Kind.CHANGED,
            impacts=(Impact.REFUSED,),
            reason=finding.message,
            refusal=f"{refuser(finding, '' if new is None else new.release)} refuses the update",
            remedy=finding.help or RECREATE,
        )
        for finding in update
        if (finding.rule, finding.at) not in known
    ]


def _objects(old: JobRendering | None, new: JobRendering | None, situation: Situation) -> tuple[ObjectChanges, ...]:
    """The changes of the objects; none where a side exists and has no objects to compare."""
    if any(one is not None and one.rendered is None for one in (old, new)):
        return ()
    sides = ([] if one is None else _rendered(one) for one in (old, new))
    if old is not None and new is not None:
        sides = ([_own_fields(one), *_rendered(one)] for one in (old, new))
    before, after = sides
    return compare_objects(before, after, situation, origins=(_origins(old), _origins(new)))


def _rendered(side: JobRendering) -> list[JsonObject]:
    return [] if side.rendered is None else side.rendered.objects


def _own_fields(side: JobRendering) -> JsonObject:
    """What of the TrainJob matters to the cluster and does not show in what is rendered."""
    document = side.document.object
    metadata = object_at(document, "metadata")
    spec = {} if side.rendered is None else side.rendered.job.spec
    return {
        "apiVersion": document.get("apiVersion"),
        "kind": "TrainJob",
        "metadata": {
            "name": side.document.name,
            "namespace": side.namespace,
            "labels": metadata.get("labels") or {},
            "annotations": metadata.get("annotations") or {},
        },
        "spec": {name: spec[name] for name in _OWN_FIELDS if name in spec},
    }


def _origins(side: JobRendering | None) -> Origins:
    rendered = None if side is None else side.rendered
    if rendered is None:
        return unknown_origin

    def origin(obj: JsonObject, path: Path) -> tuple[str, str]:
        if obj.get("kind") == "TrainJob":
            return "TrainJob", format_path(path)
        return origin_in_words(rendered.origin(obj, path))

    return origin


def _notes(
    old: JobRendering | None, new: JobRendering | None, objects: tuple[ObjectChanges, ...], *, refused: bool
) -> Iterable[str]:
    for side in (old, new):
        if side is not None and side.refusals and side.rendered is not None:
            yield _partial(side)
    controlled = any(found.ref.kind in _LEFT_ALONE_WHILE_RUNNING for found in objects)
    if old is None or new is None or not controlled or old.refusals:
        return
    if refused:
        yield "the update is refused, so that only a TrainJob that is created anew gets the changes"
    elif keeps_snapshot(old, new):
        yield "only its runtime changed: a TrainJob that exists keeps its snapshot of it, a new one gets the changes"
    elif not situation_of(old, new).reapplied:
        yield "it is not suspended: its JobSet is left alone, so that only a new TrainJob gets all of the changes"
    else:
        yield "it is suspended: its JobSet, if it exists, is applied again with the changes"


def _partial(side: JobRendering) -> str:
    unknown = sorted(
        {format_path(one.at[len(side.document.prefix) :]) for one in side.refusals if one.rule == UNKNOWN_FIELD}
    )
    without = f" without what that release does not know: {', '.join(unknown)}" if unknown else " as if it did not"
    return f"Trainer {side.release} refuses the TrainJob; it is rendered{without}"


def _without_changes(old: JobRendering | None, new: JobRendering | None) -> NotCompared | None:
    """Nothing differs: because both sides say the same no, or because all is the same."""
    for side in (new, old):
        if side is not None and side.error is not None:
            return NotCompared(side.ref, side.file, str(side.error), side.error.help)
        if side is not None and side.refusals:
            finding = side.refusals[0]
            return NotCompared(side.ref, side.file, f"it is refused: {finding.message}", finding.help)
    return None
