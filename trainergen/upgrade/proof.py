"""The proof of an upgrade: what the edits alone change in the cluster, and why the releases change the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import object_at, text_at, value_at
from trainergen.diff.change import Impact
from trainergen.diff.objects import compare_objects
from trainergen.render import Cluster, RenderError, render
from trainergen.upgrade.work import RUNTIMES

if TYPE_CHECKING:
    from trainergen.diff.change import Change, ObjectChanges
    from trainergen.finding import JsonObject, JsonValue

_WEIGHTY = frozenset({Impact.RESTART, Impact.RESOURCES, Impact.PROCESSES})
_JOB_FIELDS = ("podSpecOverrides", "podTemplateOverrides", "runtimePatches", "labels", "annotations")
_TORCH_FIELDS = ("numProcPerNode", "elasticPolicy")
_COUNTING = ("numNodes", "numProcPerNode", "resourcesPerNode")
_PROCESSES = "PET_NPROC_PER_NODE"
_WORDS = frozenset({"auto", "cpu", "gpu"})


class Pair(NamedTuple):
    """A TrainJob as one side has it: the object, the runtimes that count for it, and the release that renders it."""

    job: JsonObject
    runtimes: tuple[JsonObject, ...]
    release: str


class Baseline:
    """What the releases by themselves change in TrainJobs: asked for the jobs without the fields that upgrades touch.

    Most of it depends on little of a TrainJob, so that is asked for once for all that are alike in it.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], set[str]] = {}

    def unintended(self, objects: Iterable[ObjectChanges], old: Pair, new: Pair) -> list[Change]:
        """The changes of Pods that the edits bring, rather than the releases, and that no step means to bring."""
        suspects = [change for one in objects for change in one.changes if _is_weighty(one, change)]
        for changes_of in (self._of_its_like, _changes_without):
            suspects = [change for change in suspects if not _is_meant(change)]
            if suspects:
                known = changes_of(old, new)
                suspects = [change for change in suspects if _key(change) not in known]
        return suspects

    def _of_its_like(self, old: Pair, new: Pair) -> set[str]:
        sides = (old._replace(job=_like(old.job)), new._replace(job=_like(new.job)))
        parts = [(json.dumps(side.job, sort_keys=True), *map(id, side.runtimes), side.release) for side in sides]
        key = (*parts[0], "", *parts[1])
        if key not in self._known:
            self._known[key] = _changes_without(*sides)
        return self._known[key]


def _like(job: JsonObject) -> JsonObject:
    """A TrainJob with no more than what decides on counts and resources."""
    trainer = value_at(job, "spec", "trainer")
    spec: JsonObject = {"runtimeRef": object_at(job, "spec", "runtimeRef")}
    if isinstance(trainer, dict):
        spec["trainer"] = {key: trainer[key] for key in _COUNTING if key in trainer}
    metadata: JsonObject = {"name": "job", "namespace": text_at(job, "metadata", "namespace")}
    return {"apiVersion": job.get("apiVersion"), "kind": job.get("kind"), "metadata": metadata, "spec": spec}


def _is_weighty(one: ObjectChanges, change: Change) -> bool:
    return one.ref.kind == "JobSet" and bool(_WEIGHTY.intersection(change.impacts))


def _is_meant(change: Change) -> bool:
    """Whether a step does this: words for processes become what they stand for, initializers get their mount."""
    if _PROCESSES in change.path:
        return _word_of(change.old) in _WORDS
    return "volumeMounts" in change.path and change.old is None and "initializer" in json.dumps(change.new)


def _word_of(value: JsonValue) -> JsonValue:
    return value.get("value") if isinstance(value, dict) else value


def _changes_without(old: Pair, new: Pair) -> set[str]:
    """What the releases change in a TrainJob without the touched fields; nothing where it cannot be rendered so."""
    try:
        # A number that nobody touches may count in one release and not in the other.
        touched = _number(old.job) != _number(new.job)
        before, after = (_rendered(side, touched=touched) for side in (old, new))
    except RenderError:
        return set()
    return {_key(change) for one in compare_objects(before, after) for change in one.changes}


def _number(job: JsonObject) -> JsonValue:
    return value_at(job, "spec", "trainer", "numProcPerNode")


def _rendered(side: Pair, *, touched: bool) -> list[JsonObject]:
    bare = _without(side.job, ("spec",), _JOB_FIELDS)
    bare = _without(bare, ("spec", "trainer"), ("numProcPerNode",)) if touched else bare
    cluster = Cluster([_bare_runtime(one) for one in side.runtimes])
    return render(bare, cluster, release=side.release).objects


def _bare_runtime(value: JsonObject) -> JsonObject:
    if value.get("kind") not in RUNTIMES:
        return value
    return _without(value, ("spec", "mlPolicy", "torch"), _TORCH_FIELDS)


def _without(value: JsonObject, path: tuple[str, ...], names: tuple[str, ...]) -> JsonObject:
    if not path:
        return {key: each for key, each in value.items() if key not in names}
    below = value.get(path[0])
    return {**value, path[0]: _without(below, path[1:], names)} if isinstance(below, dict) else value


def _key(change: Change) -> str:
    return json.dumps([change.place, change.kind, change.old, change.new], sort_keys=True)
