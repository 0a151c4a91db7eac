"""The runtimes that differ between the sides, or are refused by one, who uses them, and which updates are refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.admission.cluster import Cluster
from trainergen.api.access import object_at, text_at
from trainergen.diff.change import Change, Impact, Kind
from trainergen.diff.report import RuntimeChanges
from trainergen.engine.job_changes import refuser
from trainergen.finding import ObjectRef
from trainergen.releases import get_release
from trainergen.render.runtime import CLUSTER_RUNTIME, NAMESPACED_RUNTIME
from trainergen.source.identity import TRAINER_GROUP

if TYPE_CHECKING:
    from trainergen.engine.rendering import JobRendering, RenderRun
    from trainergen.finding import Finding, JsonObject, Path
    from trainergen.releases import Release

_RECREATE = "Delete and recreate the runtime, or give it a new name."
_KEPT = "a TrainJob that exists keeps its snapshot of the runtime; only new ones get the edit"
_SAME = "it is the same on both sides, but not what the two releases say to it"
_APPLIED = "a running TrainJob keeps its JobSet; new ones, and suspended ones when they are applied again, get the edit"


@dataclass(slots=True)
class _Entry:
    ref: ObjectRef
    file: str
    old: JsonObject
    new: JsonObject
    used_by: list[str] = field(default_factory=list)


class RuntimeLedger:
    """Takes note of the runtimes of the TrainJobs that are compared, and judges updates of both."""

    def __init__(self, old: RenderRun, new: RenderRun) -> None:
        self._old = old
        self._new = new
        self._entries: dict[tuple[str, str, str, str], _Entry] = {}
        self._clusters: dict[int, Cluster] = {}

    def refused_update(self, old: JobRendering | None, new: JobRendering | None) -> list[Finding]:
        """Why the cluster refuses to write ``new`` over ``old``, if they differ; also takes note of their runtime."""
        if old is None or new is None:
            return []
        self._note(old, new)
        if old.document.object == new.document.object or old.refusals:
            return []
        release = get_release(new.release)
        admission = admit(new.document.object, release=release, old=old.document.object, objects=self._cluster(new))
        return [finding for finding in admission.findings if finding.refuses]

    def changes(self) -> tuple[RuntimeChanges, ...]:
        """The runtimes that differ or are refused by one side, by file and name."""
        found = []
        for entry in self._entries.values():
            verdicts = tuple(self._verdicts(entry))
            if verdicts or entry.old != entry.new:
                users = tuple(sorted(entry.used_by))
                found.append(RuntimeChanges(entry.ref, entry.file, users, self._remark(entry), verdicts))
        return tuple(sorted(found, key=lambda one: (one.file, one.ref.namespace, one.ref.name)))

    def _remark(self, entry: _Entry) -> str:
        if entry.old == entry.new:
            return _SAME
        return _KEPT if get_release(self._new.options.release).rendering.runtime_snapshot else _APPLIED

    def _note(self, old: JobRendering, new: JobRendering) -> None:
        before, after = _runtime_of(old, self._old), _runtime_of(new, self._new)
        if before is None or after is None or _ref(before[1]) != _ref(after[1]):
            return
        file, value = after
        ref = _ref(value)
        key = (file, ref.kind, ref.namespace, ref.name)
        entry = self._entries.setdefault(key, _Entry(ref, file, before[1], value))
        entry.used_by.append(new.job)

    def _cluster(self, job: JobRendering) -> Cluster:
        nearest = self._new.runtimes_near(job)
        # NB: the workspace keeps ``nearest``, so that its identity stays its own.
        if id(nearest) not in self._clusters:
            self._clusters[id(nearest)] = Cluster(value for _, value in nearest)
        return self._clusters[id(nearest)]

    def _verdicts(self, entry: _Entry) -> Iterable[Change]:
        old_release, new_release = (get_release(run.options.release) for run in (self._old, self._new))
        before = _refusals(entry.old, old_release)
        after = _refusals(entry.new, new_release)
        for key, finding in after.items():
            if key not in before:
                yield _refusal(finding, Kind.ADDED, f"{refuser(finding, new_release.name)} refuses it")
        for key, finding in before.items():
            if key not in after:
                reason = f"{refuser(finding, old_release.name)} refused it: {finding.message}"
                yield Change(finding.at, Kind.REMOVED, (Impact.NOTHING,), reason)
        if entry.old != entry.new and not before:
            for key, finding in _refusals(entry.new, new_release, old=entry.old).items():
                if key not in after:
                    yield _refusal(finding, Kind.CHANGED, f"{refuser(finding, new_release.name)} refuses the update")


def _refusals(
    runtime: JsonObject, release: Release, *, old: JsonObject | None = None
) -> dict[tuple[str, Path], Finding]:
    found = admit(runtime, release=release, old=old).findings
    return {(finding.rule, finding.at): finding for finding in found if finding.refuses}


def _refusal(finding: Finding, kind: Kind, refusal: str) -> Change:
    remedy = finding.help or (_RECREATE if kind is Kind.CHANGED else "")
    return Change(finding.at, kind, (Impact.REFUSED,), finding.message, refusal=refusal, remedy=remedy)


def _runtime_of(job: JobRendering, run: RenderRun) -> tuple[str, JsonObject] | None:
    """The runtime of a TrainJob with its file, None when no file has it."""
    reference = object_at(job.document.object, "spec", "runtimeRef")
    kind = text_at(reference, "kind") or CLUSTER_RUNTIME
    name = text_at(reference, "name")
    for file, value in run.runtimes_near(job):
        ours = text_at(value, "apiVersion").startswith(f"{TRAINER_GROUP}/")
        if not ours or (text_at(value, "kind"), text_at(value, "metadata", "name")) != (kind, name):
            continue
        namespace = text_at(value, "metadata", "namespace") or "default"
        if kind != NAMESPACED_RUNTIME or namespace == job.namespace:
            return file, value
    return None


def _ref(runtime: JsonObject) -> ObjectRef:
    metadata = object_at(runtime, "metadata")
    return ObjectRef(
        text_at(runtime, "apiVersion"),
        text_at(runtime, "kind"),
        text_at(metadata, "namespace"),
        text_at(metadata, "name"),
    )
