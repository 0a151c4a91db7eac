"""The template of a runtime with the overrides of a TrainJob merged into it, as each release merges them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, object_at

if TYPE_CHECKING:
    from trainergen.api.structural import StructuralSchemas
    from trainergen.finding import JsonObject
    from trainergen.releases import Behaviours


class PatchedTemplate(NamedTuple):
    """What a TrainJob makes of its runtime's template, before any plugin has its say."""

    labels: JsonObject
    annotations: JsonObject
    spec: JsonObject
    """The JobSet's spec; the order of its jobs is the runtime's."""


def patched_template(
    runtime: JsonObject, train_job: JsonObject, behaviours: Behaviours, schemas: StructuralSchemas
) -> PatchedTemplate:
    """The template of ``runtime`` as ``train_job`` patches it; both must have come through admission of that release.

    Raises trainergen.api.merge.MergeError when an override cannot be merged, which no release expects.

    Source: kubeflow/trainer pkg/runtime/core/trainingruntime.go newRuntimeInfo @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
    """
    template = object_at(runtime, "spec", "template")
    spec = object_at(template, "spec")
    overrides = [object_at(override) for override in list_at(train_job, "spec", behaviours.overrides_field)]
    if overrides:
        from trainergen.api.overriding import overridden

        spec = overridden(spec, overrides, behaviours.overrides_target, schemas)
    metadata = [object_at(template, "metadata"), *_metadata_layers(train_job, overrides, behaviours)]
    return PatchedTemplate(_overlaid(metadata, "labels"), _overlaid(metadata, "annotations"), spec)


def _metadata_layers(train_job: JsonObject, overrides: list[JsonObject], behaviours: Behaviours) -> list[JsonObject]:
    if behaviours.metadata_from_spec:
        return [object_at(train_job, "spec")]
    return [object_at(override, "trainingRuntimeSpec", "template", "metadata") for override in overrides]


def _overlaid(layers: list[JsonObject], field: str) -> JsonObject:
    out: JsonObject = {}
    for layer in layers:
        out.update(object_at(layer, field))
    return out
