"""Finding the runtime of a TrainJob: in its snapshot, among the known objects, or in what the release ships.

Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go, clustertrainingruntime.go, registry.go @ v2.3.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import object_at, text_at
from trainergen.api.decode import RESTORED, REWRITTEN, DecodeError, Reading, decode
from trainergen.api.structural import API_VERSION, GROUP
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.render.errors import RenderError
from trainergen.render.provenance import Origin, SourceWitness, Trace
from trainergen.render.snapshot import kept_runtime
from trainergen.render.template import Runtime
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen.render.cluster import Cluster
    from trainergen.render.model import TrainJob
    from trainergen.render.provenance import Source

CLUSTER_RUNTIME, NAMESPACED_RUNTIME = "ClusterTrainingRuntime", "TrainingRuntime"
KINDS = (CLUSTER_RUNTIME, NAMESPACED_RUNTIME)


class Resolved(NamedTuple):
    """The runtime, and whether it came from a snapshot that exists already."""

    runtime: Runtime
    kept: bool


def resolve_runtime(job: TrainJob, release: Release, cluster: Cluster, trace: Trace) -> Resolved:
    """The runtime that ``job`` refers to, as the controller of ``release`` holds it; RenderError if there is none."""
    reference = object_at(job.spec, "runtimeRef")
    kind, group, name = (text_at(reference, key) for key in ("kind", "apiGroup", "name"))
    if group != GROUP or kind not in KINDS:
        known = " and ".join(f"{known}.{GROUP}" for known in KINDS)
        asked = f"'{kind}.{group}'" if reference else "missing"
        raise RenderError(
            f"spec.runtimeRef is {asked}, but the controller knows only {known}",
            help="Refer to a runtime of one of these kinds; on any other the controller panics and sets no condition.",
        )
    kept = kept_runtime(cluster, job) if release.rendering.runtime_snapshot else None
    if kept is not None:
        return Resolved(_shared(kept, kind, release, cluster, trace=trace, reading=RESTORED), kept=True)
    found = cluster.get(GROUP, kind, name, job.namespace)
    if found is None and kind == CLUSTER_RUNTIME and not cluster.complete:
        found = shipped_runtimes(release.name).get(name)
    if found is None:
        raise _not_found(job, release, cluster, kind=kind, name=name)
    return Resolved(_shared(found, kind, release, cluster, trace=trace, reading=REWRITTEN), kept=False)


def _shared(
    found: Mapping[str, Any], kind: str, release: Release, cluster: Cluster, *, trace: Trace, reading: Reading
) -> Runtime:
    """Many jobs share a runtime. What was found is kept beside it, so that no other object can get its identity."""
    key = id(found), kind, release.name
    if key not in cluster.runtimes:
        own = Trace()
        cluster.runtimes[key] = found, _read(found, kind, release, trace=own, reading=reading), own
    _, runtime, origins = cluster.runtimes[key]
    trace.take_over(origins)
    return runtime


def _read(found: Mapping[str, Any], kind: str, release: Release, *, trace: Trace, reading: Reading) -> Runtime:
    source: Source = "snapshot" if reading is RESTORED else "runtime"
    name = str((found.get("metadata") or {}).get("name") or "")
    detail = f"{kind} {name}"
    try:
        # A runtime that the caller made need not say what it is.
        value = decode(
            {"apiVersion": API_VERSION, "kind": kind, **found},
            kind,
            release.name,
            reading=reading,
            witness=SourceWitness(trace, source, detail),
        )
    except DecodeError as error:
        raise RenderError(
            f"the {detail} cannot be read: {error}", help="Correct it; the API server refuses it as it is."
        ) from error
    return Runtime(value, Origin(source, (), detail))


def _not_found(job: TrainJob, release: Release, cluster: Cluster, *, kind: str, name: str) -> RenderError:
    where = f" in namespace '{job.namespace}'" if kind == NAMESPACED_RUNTIME else ""
    return RenderError(
        f"the TrainJob refers to the {kind} '{name}'{where}, which is not known",
        help=_hint(job, release, cluster, kind=kind, name=name),
    )


def _hint(job: TrainJob, release: Release, cluster: Cluster, *, kind: str, name: str) -> str:
    other = next(known for known in KINDS if known != kind)
    if cluster.get(GROUP, other, name, job.namespace) is not None:
        return f"There is a {other} of that name: set spec.runtimeRef.kind to {other}."
    places = list(cluster.places(GROUP, kind))
    elsewhere = sorted(namespace for namespace, known in places if known == name)
    if elsewhere:
        return f"There is one in namespace '{elsewhere[0]}', but a TrainingRuntime serves its own namespace only."
    names = {known for namespace, known in places if namespace in ("", job.namespace)}
    if kind == CLUSTER_RUNTIME and not cluster.complete:
        names |= shipped_runtimes(release.name).keys()
    near = did_you_mean(name, sorted(names))
    return f"Create the runtime before the TrainJob, or correct spec.runtimeRef.name{near}."
