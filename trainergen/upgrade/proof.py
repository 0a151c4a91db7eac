"""The proof of an upgrade: what the edits alone change in the cluster, and why the releases change the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from trainergen.diff.change import Impact
from trainergen.diff.objects import compare_objects
from trainergen.render import Cluster, RenderError, render
from trainergen.upgrade.work import RUNTIMES

if TYPE_CHECKING:
    from trainergen.diff.change import Change, ObjectChanges
    from trainergen.finding import JsonObject, JsonValue, ObjectRef

_WEIGHTY = frozenset({Impact.RESTART, Impact.RESOURCES, Impact.PROCESSES})
_JOB_FIELDS = ("podSpecOverrides", "podTemplateOverrides", "runtimePatches", "labels", "annotations")
_TORCH_FIELDS = ("numProcPerNode", "elasticPolicy")
_PROCESSES = "PET_NPROC_PER_NODE"
_WORDS = frozenset({"auto", "cpu", "gpu"})

Pair = tuple["JsonObject", "list[JsonObject]", str]
"""A TrainJob, the runtimes that count for it, and the release that renders it."""


def unintended(objects: Iterable[ObjectChanges], old: Pair, new: Pair) -> list[Change]:
    """The changes of Pods that the edits bring, rather than the releases, and that no step means to bring.

    The releases change what they also change in the same objects without the fields that an upgrade touches.
    """
    suspects = [(one.ref, change) for one in objects for change in one.changes if _is_weighty(one, change)]
    suspects = [(ref, change) for ref, change in suspects if not _is_meant(change)]
    if not suspects:
        return []
    known = _changes_without(old, new)
    return [change for ref, change in suspects if known is not None and _key(ref, change) not in known]


def _is_weighty(one: ObjectChanges, change: Change) -> bool:
    return one.ref.kind == "JobSet" and bool(_WEIGHTY.intersection(change.impacts))


def _is_meant(change: Change) -> bool:
    """Whether a step does this: words for processes become what they stand for, initializers get their mount."""
    if _PROCESSES in change.path:
        return _word_of(change.old) in _WORDS
    return "volumeMounts" in change.path and change.old is None and "initializer" in json.dumps(change.new)


def _word_of(value: JsonValue) -> JsonValue:
    return value.get("value") if isinstance(value, dict) else value


def _changes_without(old: Pair, new: Pair) -> set[str] | None:
    """What the releases change in a TrainJob without the touched fields; None where it cannot be rendered so."""
    try:
        before, after = (_rendered(side) for side in (old, new))
    except RenderError:
        return None
    return {_key(one.ref, change) for one in compare_objects(before, after) for change in one.changes}


def _rendered(side: Pair) -> list[JsonObject]:
    job, runtimes, release = side
    bare = _without(job, ("spec",), _JOB_FIELDS)
    bare = _without(bare, ("spec", "trainer"), ("numProcPerNode",))
    cluster = Cluster([_bare_runtime(one) for one in runtimes])
    return render(bare, cluster, release=release).objects


def _bare_runtime(value: JsonObject) -> JsonObject:
    if value.get("kind") not in RUNTIMES:
        return value
    return _without(value, ("spec", "mlPolicy", "torch"), _TORCH_FIELDS)


def _without(value: JsonObject, path: tuple[str, ...], names: tuple[str, ...]) -> JsonObject:
    if not path:
        return {key: each for key, each in value.items() if key not in names}
    below = value.get(path[0])
    return {**value, path[0]: _without(below, path[1:], names)} if isinstance(below, dict) else value


def _key(ref: ObjectRef, change: Change) -> str:
    return json.dumps([ref.kind, ref.name, change.place, change.kind, change.old, change.new], sort_keys=True)


def overlapping(changes: Iterable[Change]) -> Iterator[str]:
    """The places of changes, for a message."""
    yield from dict.fromkeys(change.place for change in changes)
