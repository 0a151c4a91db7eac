"""What a step works on: one object, its draft, the two releases, and what it knows of its surroundings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import GROUP
from trainergen.releases.catalogue import shipped_runtimes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Finding, JsonObject, Path
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.upgrade.draft import Draft

Nearest = Callable[[str], "Iterable[tuple[str, JsonObject]]"]
"""The runtimes that count for a file, each with the name of the file it is in."""

DEFAULT_MANAGER = "trainergen.io/upgrade"
JOB = "TrainJob"
RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")
_ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The runtimes and TrainJobs around an object, as they are before the upgrade.

    ``start`` is the release that the cluster runs.
    """

    start: Release
    nearest: Nearest = lambda _: ()
    jobs: tuple[Document, ...] = ()
    manager: str = DEFAULT_MANAGER
    _users: dict[tuple[str, str, str, str], list[Document]] = field(default_factory=dict, repr=False, compare=False)
    """TrainJobs by file, kind, namespace and name of their runtime, found out when first asked for."""

    def runtime_of(self, job: Document) -> tuple[str, JsonObject] | None:
        """The runtime of a TrainJob with the file it is in, which is empty for one that a release ships."""
        reference = object_at(job.object, "spec", "runtimeRef")
        kind, name = text_at(reference, "kind") or RUNTIMES[1], text_at(reference, "name")
        namespace = job.namespace or "default"
        for file, value in self.nearest(job.file):
            ours = text_at(value, "apiVersion").startswith(f"{GROUP}/")
            if not ours or (text_at(value, "kind"), text_at(value, "metadata", "name")) != (kind, name):
                continue
            if kind == RUNTIMES[1] or (text_at(value, "metadata", "namespace") or "default") == namespace:
                return file, value
        shipped = shipped_runtimes(self.start.name).get(name) if kind == RUNTIMES[1] else None
        return None if shipped is None else ("", shipped)

    def users_of(self, runtime: Document) -> list[Document]:
        """The TrainJobs that use a runtime."""
        if not self._users:
            for job in self.jobs:
                named = self.runtime_of(job)
                if named is not None:
                    file, value = named
                    place = (text_at(value, "metadata", "namespace"), text_at(value, "metadata", "name"))
                    self._users.setdefault((file, text_at(value, "kind"), *place), []).append(job)
        ref = runtime.ref
        return self._users.get((runtime.file, ref.kind, ref.namespace, ref.name), [])


@dataclass(slots=True)
class Work:
    """One object on its way from ``old`` to ``new``, the releases of the hop at hand."""

    document: Document
    draft: Draft
    around: Surroundings
    old: Release
    new: Release
    losses: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def lose(self, finding: Finding) -> None:
        """Report something at a path of the object as it was read."""
        self.losses.append(self.document.place(finding))

    def note(self, text: str) -> None:
        """Say what was done and why."""
        self.notes.append(text)

    def spot(self, *path: str | int) -> Path:
        """The longest part of a path that the document has."""
        value = self.document.value
        found: list[str | int] = []
        for step in path:
            if isinstance(value, dict) and step in value:
                value = value[str(step)]
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                break
            found.append(step)
        return tuple(found)


def trainer_container(runtime: JsonObject) -> JsonObject:
    """The container of a runtime that the TrainJob's trainer is laid over, empty when there is none."""
    for job in list_at(runtime, "spec", "template", "spec", "replicatedJobs"):
        labels = object_at(job, "template", "metadata", "labels")
        if labels.get(_ANCESTOR) == "trainer":
            containers = list_at(job, "template", "spec", "template", "spec", "containers")
            return next((object_at(one) for one in containers if text_at(one, "name") == "node"), {})
    return {}


def node_resources(job: JsonObject, runtime: JsonObject) -> JsonObject:
    """The resources of a node before 2.3: those of the TrainJob, else those of the runtime."""
    own = object_at(job, "spec", "trainer", "resourcesPerNode")
    return own or object_at(trainer_container(runtime), "resources")
