"""Rendering for rules: each TrainJob once, and each runtime through a bare TrainJob that refers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.render import Cluster, RenderError, render
from trainergen.rules.runner import words_of
from trainergen.rules.views.job import Job
from trainergen.rules.views.workspace import RUNTIME_KINDS

if TYPE_CHECKING:
    from trainergen.engine.workspace import Workspace
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.rules.objects import Entry, Objects

CLUSTER_RUNTIME = "ClusterTrainingRuntime"
_SUFFIX = "x7k2p"


class Renderer:
    """Makes the rendered view of TrainJobs and runtimes."""

    def __init__(self, release: Release, workspace: Workspace, objects: Objects) -> None:
        self._release = release
        self._workspace = workspace
        self._objects = objects
        self._clusters: dict[int, Cluster] = {}
        self._words: dict[int, set[str]] = {}

    def job(self, entry: Entry, stored: JsonObject) -> Job | RenderError | None:
        """The job of a TrainJob or runtime; None when its runtime is not known, the error when nothing comes of it."""
        probe = entry.kind in RUNTIME_KINDS
        manifest = probe_of(entry) if probe else named(entry.value)
        runtime_entry = entry if probe else self._runtime_entry(entry, stored)
        runtime = runtime_entry.value if runtime_entry else self._shipped(stored)
        if runtime is None:
            return None
        cluster = Cluster([entry.value]) if probe else self._cluster(entry.file)
        try:
            rendered = render(manifest, cluster, release=self._release.name, snapshot=False)
        except RenderError as error:
            return error
        return Job(
            entry,
            manifest if probe else stored,
            rendered=rendered,
            runtime=runtime,
            runtime_entry=runtime_entry,
            release=self._release,
            objects=self._objects.near(entry.file),
            is_probe=probe,
        )

    def words_of_runtime(self, job: Job) -> set[str]:
        """The words of a job's runtime, taken once a runtime."""
        value = job.runtime.value
        # NB: runtimes live as long as the run, in the index or the catalogue, so that their identity stays theirs.
        if id(value) not in self._words:
            self._words[id(value)] = words_of(value)
        return self._words[id(value)]

    def _runtime_entry(self, entry: Entry, stored: JsonObject) -> Entry | None:
        reference = object_at(stored, "spec", "runtimeRef")
        kind = text_at(reference, "kind") or CLUSTER_RUNTIME
        return self._objects.near(entry.file).find(kind, text_at(reference, "name"), entry.namespace)

    def _shipped(self, stored: JsonObject) -> JsonObject | None:
        reference = object_at(stored, "spec", "runtimeRef")
        if (text_at(reference, "kind") or CLUSTER_RUNTIME) != CLUSTER_RUNTIME:
            return None
        return shipped_runtimes(self._release.name).get(text_at(reference, "name"))

    def _cluster(self, file: str) -> Cluster:
        nearest = self._workspace.nearest(file)
        # NB: ``nearest`` lives as long as the workspace, so that its identity stays its own.
        if id(nearest) not in self._clusters:
            self._clusters[id(nearest)] = Cluster(value for _, value in nearest)
        return self._clusters[id(nearest)]


def probe_of(runtime: Entry) -> JsonObject:
    """A bare TrainJob that refers to a runtime."""
    return {
        "apiVersion": runtime.api_version,
        "kind": "TrainJob",
        "metadata": {"name": "probe", "namespace": runtime.namespace or "default"},
        "spec": {
            "runtimeRef": {"apiGroup": runtime.group, "kind": runtime.kind, "name": runtime.name},
            "trainer": {},
        },
    }


def named(job: JsonObject) -> JsonObject:
    """A TrainJob under the name that the server could generate for it; itself when it has a name."""
    metadata = object_at(job, "metadata")
    if text_at(metadata, "name"):
        return job
    prefix = text_at(metadata, "generateName")
    return {**job, "metadata": {**metadata, "name": prefix + _SUFFIX}}
