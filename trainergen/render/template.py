"""From a runtime and a TrainJob to the draft that plugins work on: its metadata and its patches.

Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go newRuntimeInfo @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import object_at
from trainergen.api.merge import MergeError
from trainergen.api.patched import patched_template
from trainergen.api.structural import load
from trainergen.render.errors import RenderError
from trainergen.render.model import Draft
from trainergen.render.patches import Layer, Layers, PatchTracer, overrides_of
from trainergen.render.provenance import Origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.render.cluster import Cluster
    from trainergen.render.model import SecretData, TrainJob
    from trainergen.render.provenance import Trace


class Runtime(NamedTuple):
    """A runtime as the controller holds it; ``origin`` is its root."""

    value: JsonObject
    origin: Origin


def drafted(
    job: TrainJob, runtime: Runtime, release: Release, *, cluster: Cluster, trace: Trace, secrets: SecretData
) -> Draft:
    """The draft with the patched template; its Pod sets come later."""
    whole: JsonObject = {"spec": job.spec}
    schemas = load(release.name)
    try:
        patched = patched_template(runtime.value, whole, release.behaviours, schemas)
    except MergeError as error:
        raise RenderError(
            f"{release.behaviours.overrides_field} cannot be merged into the runtime: {error}",
            help="Correct the entry; until then the controller creates nothing.",
        ) from error
    overrides = overrides_of(whole, release.behaviours)
    tracer = PatchTracer(trace, schemas, runtime.origin)
    layers = _metadata_layers(job, overrides, release)
    tracer.metadata(patched.labels, "labels", layers)
    tracer.metadata(patched.annotations, "annotations", layers)
    tracer.spec(patched.spec, object_at(runtime.value, "spec", "template", "spec"), overrides, release.behaviours)
    return Draft(
        job=job,
        release=release,
        cluster=cluster,
        runtime=runtime.value,
        # Plugins change jobs in place; the runtime is shared by renderings, what overrides add to it by several jobs.
        spec=object_at(trace.cloned(patched.spec)),
        labels=patched.labels,
        annotations=patched.annotations,
        trace=trace,
        secrets=secrets,
        command=_command(job, trace),
    )


def _metadata_layers(job: TrainJob, overrides: Layers, release: Release) -> Layers:
    if release.behaviours.metadata_from_spec:
        return [Layer(job.spec, Origin("trainjob", ("spec",)))]
    found = [layer.at("trainingRuntimeSpec") for layer in overrides]
    for step in ("template", "metadata"):
        found = [layer.at(step) if layer else None for layer in found]
    return [layer for layer in found if layer]


def _command(job: TrainJob, trace: Trace) -> JsonObject:
    command: JsonObject = {}
    for key in ("command", "args"):
        words = job.trainer_field(key)
        if words is not None:
            command[key] = words
            trace.field(command, key, Origin("trainjob", ("spec", "trainer", key)))
    return command
