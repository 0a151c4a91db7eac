"""The workspace view: all objects of a run at once, after every file was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainergen.releases import Release
    from trainergen.rules.objects import Entry, Objects
    from trainergen.rules.part import Part
    from trainergen.rules.tree import Tree

RUNTIME_KINDS = ("TrainingRuntime", "ClusterTrainingRuntime")


class Workspace:
    """All objects of a run.

    TrainJobs, runtimes and objects of the rule's ``kinds`` and ``looks_up`` have their whole values; others only
    apiVersion, kind and metadata.
    """

    def __init__(self, objects: Objects, *, tree: Tree, release: Release, deleted: Sequence[Part] = ()) -> None:
        self.objects = objects
        self.tree = tree
        self.release = release
        self.deleted = deleted
        """Trainer objects that ``--base`` has and the files have no more, as they were; empty without ``--base``."""

    @lazily
    def jobs(self) -> list[Entry]:
        """The TrainJobs."""
        return self.objects.of("TrainJob")

    @lazily
    def runtimes(self) -> list[Entry]:
        """The runtimes of both kinds."""
        return self.objects.of(*RUNTIME_KINDS)

    def runtime_of(self, job: Entry) -> Entry | None:
        """The runtime of a TrainJob when it is in the run, the nearest of several."""
        kind, name = reference_of(job.object)
        return self.objects.near(job.file).find(kind, name, job.namespace)

    def users_of(self, runtime: Part) -> list[Entry]:
        """The TrainJobs that refer to a runtime."""
        kind, name = runtime.text("kind"), runtime.text("metadata.name")
        namespace = runtime.text("metadata.namespace") or "default"
        return [
            job
            for job in self.jobs
            if reference_of(job.object) == (kind, name)
            and (kind != "TrainingRuntime" or (job.namespace or "default") == namespace)
        ]


def reference_of(job: Part) -> tuple[str, str]:
    """Kind and name of the runtime that a TrainJob refers to; the kind is defaulted as the schema does."""
    return job.text("spec.runtimeRef.kind") or "ClusterTrainingRuntime", job.text("spec.runtimeRef.name")
