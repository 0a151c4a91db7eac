"""What a TrainJob's ``initializer`` section sets on the jobs that fetch dataset and model.

Source: kubeflow/trainer pkg/runtime/framework/plugins/jobset/builder.go Initializer @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at
from trainergen.render.env import literal, taken_over
from trainergen.render.model import plugin_origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft, PodSet

SECTIONS = {"dataset-initializer": "dataset", "model-initializer": "model"}
"""The section of ``spec.initializer`` for each ancestor label, which is also the name of the container."""


def configure_initializer(draft: Draft, pods: PodSet, plugin: str) -> None:
    """Force one replica and pass on address, environment and Secret to the container called like the label."""
    draft.put(pods.job, "replicas", 1, plugin_origin(plugin))
    section = SECTIONS[pods.ancestor]
    spec = (draft.job.spec.get("initializer") or {}).get(section)  # type: ignore[union-attr]  # decoded as an object
    if not isinstance(spec, dict):
        return
    for container in pods.containers(pods.ancestor):
        _configure(draft, container, spec, section=section, plugin=plugin)


def _configure(draft: Draft, container: JsonObject, spec: JsonObject, *, section: str, plugin: str) -> None:
    path = ("initializer", section)
    if spec.get("storageUri") is not None:
        variable = literal("STORAGE_URI", spec["storageUri"])
        draft.add(container, "env", variable, plugin_origin(plugin, "spec", *path))
        draft.trace.field(variable, "value", draft.from_job(*path, "storageUri"))
    for number, entry in enumerate(list_at(spec, "env")):
        draft.add(container, "env", taken_over(entry), draft.from_job(*path, "env", number))
    if spec.get("secretRef") is not None:
        # NB: appended without looking for a duplicate.
        source: JsonObject = {"secretRef": {"name": text_at(spec, "secretRef", "name")}}
        container["envFrom"] = [*list_at(container, "envFrom"), source]
        draft.trace.whole(source, draft.from_job(*path))
