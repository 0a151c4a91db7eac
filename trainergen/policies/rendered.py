"""What a TrainJob becomes, as policies see it: the rendered objects, and the first Job and Pod of each kind.

Defaults that only the API server or the JobSet webhook fill in are not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.policies.places import NAME
from trainergen.policies.target import Target, target_of

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.render.pods.model import PodKind
    from trainergen.render.rendered import Rendered

_PLACEHOLDERS = ("<replica>", "<index>")


@dataclass(frozen=True, slots=True)
class Made:
    """One object that a TrainJob becomes, and where in the rendered objects its fields are."""

    target: Target
    rendered: Rendered
    root: JsonObject
    prefix: Path = ()

    def source(self, path: Path) -> Path:
        """The field of the TrainJob that a field comes from; its name where it comes from elsewhere."""
        if path == NAME:
            return NAME
        origin = self.rendered.origin(self.root, (*self.prefix, *path))
        return origin.path if origin.kind in ("trainjob", "patch") and origin.path else NAME


def made_of(rendered: Rendered, *, file: str) -> Iterator[Made]:
    """The objects that policies could be about."""
    for obj in rendered.objects:
        target = target_of(obj, file=file, rendered=True)
        if target is not None:
            yield Made(target, rendered, obj)
        for part, way in _jobs_and_pods(rendered, obj) if obj.get("kind") == "JobSet" else ():
            below = target_of(part, file=file, rendered=True)
            if below is not None:
                yield Made(below, rendered, obj, way)


def _jobs_and_pods(rendered: Rendered, jobset: JsonObject) -> Iterator[tuple[JsonObject, Path]]:
    for number, kind in enumerate(rendered.pods().kinds):
        job = object_at(list_at(jobset, "spec", "replicatedJobs")[number])
        way: Path = ("spec", "replicatedJobs", number, "template")
        spec = object_at(job, "template", "spec")
        metadata = _metadata(kind, kind.job_name(0), object_at(job, "template", "metadata"))
        yield {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}, way
        pod: JsonObject = {"apiVersion": "v1", "kind": "Pod", "metadata": _pod_metadata(kind)}
        yield {**pod, "spec": _pod_spec(kind, spec)}, (*way, "spec", "template")


def _metadata(kind: PodKind, name: str, template: JsonObject) -> JsonObject:
    return {**template, "name": name, "namespace": kind.namespace}


def _pod_metadata(kind: PodKind) -> JsonObject:
    labels: JsonObject = {key: _first(value) for key, value in kind.labels.items()}
    annotations: JsonObject = {key: _first(value) for key, value in kind.annotations.items()}
    pod = kind.pod(0, 0)
    return {
        "name": pod.hostname or pod.name.rpartition("-")[0],
        "namespace": kind.namespace,
        "labels": labels,
        "annotations": annotations,
    }


def _first(text: str) -> str:
    """A label as the first Pod has it."""
    for placeholder in _PLACEHOLDERS:
        text = text.replace(placeholder, "0")
    return text


def _pod_spec(kind: PodKind, job_spec: JsonObject) -> JsonObject:
    spec = dict(object_at(job_spec, "template", "spec"))
    if kind.subdomain and not text_at(spec, "subdomain"):
        spec["subdomain"] = kind.subdomain
    return spec
