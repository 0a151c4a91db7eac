"""Which parts of a patched template come from which patch.

The merge itself is trainergen.api.patched; here its result is compared with what went in, key by key, along the lists
that merge by key. Only what a patch touches is visited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainergen.api.access import list_at, object_at, text_at
from trainergen.render.provenance import Origin, Superseded, Trace

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.releases import Behaviours

_JOB_SET = ("spec", "template", "spec")
_STEPS = {
    "PodSpec": ("template", "spec", "template", "spec"),
    "PodTemplateSpec": ("template", "spec", "template"),
    "JobTemplateSpec": ("template",),
}
"""Where in a job overrides are merged."""


class Layer(NamedTuple):
    """A part of a patch and its origin."""

    value: JsonValue
    origin: Origin

    def at(self, key: str) -> Layer | None:
        """The part of it below a key."""
        if isinstance(self.value, dict) and key in self.value:
            return Layer(self.value[key], self.origin.below(key))
        return None


Layers: TypeAlias = list[Layer]


def overrides_of(job: JsonObject, behaviours: Behaviours) -> Layers:
    """The overrides of a TrainJob (its whole object), in order, each with its place there."""
    field = behaviours.overrides_field
    return [
        Layer(override, Origin("patch", ("spec", field, number), text_at(override, "manager")))
        for number, override in enumerate(list_at(job, "spec", field))
    ]


class PatchTracer:
    """Notes the origins of one patched template."""

    def __init__(self, trace: Trace, schemas: StructuralSchemas, runtime: Origin) -> None:
        self._trace = trace
        self._schemas = schemas
        self._runtime = runtime

    def metadata(self, merged: JsonObject, field: str, layers: Layers) -> None:
        """Note who has the last word on each label or annotation of the JobSet."""
        self._trace.whole(merged, self._runtime.below("spec", "template", "metadata", field))
        for layer in layers:
            for key in object_at(layer.value, field):
                self._trace.field(merged, key, layer.origin.below(field, key))

    def spec(self, merged: JsonObject, original: JsonObject, overrides: Layers, behaviours: Behaviours) -> None:
        """Note the origins of the JobSet's spec."""
        before = Layer(original, self._runtime.below("spec", "template", "spec"))
        self._trace.whole(merged, before.origin)
        if behaviours.overrides_target == "JobSetSpec":
            layers = [_deep(layer, ("trainingRuntimeSpec", "template", "spec")) for layer in overrides]
            self._objects(merged, before, layers, self._below(_JOB_SET))
            return
        steps = _STEPS[behaviours.overrides_target]
        node = self._below((*_JOB_SET, "replicatedJobs", *steps))
        for number, item in enumerate(list_at(merged, "replicatedJobs")):
            of_job = _patches_of if behaviours.overrides_have_managers else _overrides_of
            layers = of_job(text_at(item, "name"), overrides)
            if layers:
                job = Layer(list_at(original, "replicatedJobs")[number], before.origin.below("replicatedJobs", number))
                self._job(object_at(item), job, layers, node=node, steps=steps)

    def _job(self, job: JsonObject, before: Layer, layers: Layers, *, node: Schema, steps: tuple[str, ...]) -> None:
        """A job that overrides were merged into at ``steps``; on the way there all is as it was."""
        self._copy(job, before)
        for step in steps:
            below = before.at(step) or Layer({}, before.origin.below(step))
            job, before = object_at(job, step), below
            self._copy(job, before)
        self._objects(job, before, layers, node)

    def _copy(self, new: JsonObject, old: Layer) -> None:
        value = object_at(old.value)
        self._trace.whole(new, old.origin)
        for key in value:
            noted = self._trace.field_origin(value, key)
            if noted is not None:
                self._trace.field(new, key, noted)

    def _objects(self, merged: JsonObject, original: Layer, layers: Layers, node: Schema) -> None:
        if merged is original.value:
            return
        self._copy(merged, original)
        properties = self._schemas.resolve(node).get("properties", {})
        touched = {key for layer in layers for key in object_at(layer.value)}
        for key, value in merged.items():
            if key not in touched:
                continue
            parts = [part for layer in layers if (part := layer.at(key)) is not None]
            old = original.at(key)
            if isinstance(value, dict):
                self._objects(value, old or Layer({}, parts[0].origin), parts, properties.get(key, {}))
            elif isinstance(value, list) and self._merge_key(properties.get(key, {})):
                self._items(value, old or Layer([], parts[0].origin), parts, properties[key])
            else:
                last = next((part for part in reversed(parts) if part.value == value), None)
                if last is not None and (old is None or old.value != value):
                    self._trace.field(merged, key, last.origin)
                    before = [part for part in (old, *parts) if part is not None and part.value != value]
                    self._trace.supersede_field(merged, key, *(Superseded(part.value, part.origin) for part in before))

    def _items(self, merged: list[JsonValue], original: Layer, layers: Layers, node: Schema) -> None:
        schema = self._schemas.resolve(node)
        key = self._merge_key(node)
        for item in merged:
            if not isinstance(item, dict):
                continue
            parts = [part for layer in layers for part in _items_with(layer, key, item.get(key))]
            if parts:
                old = next(iter(_items_with(original, key, item.get(key))), None)
                self._trace.whole(item, (old or parts[0]).origin)
                self._objects(item, old or Layer({}, parts[0].origin), parts, schema["items"])

    def _merge_key(self, node: Schema) -> str:
        key: str = self._schemas.resolve(node).get("x-kubernetes-patch-merge-key", "")
        return key

    def _below(self, steps: tuple[str, ...]) -> Schema:
        """The node of a runtime's schema at ``steps``, through lists."""
        node = self._schemas.kinds["ClusterTrainingRuntime"].schema
        for step in steps:
            node = self._schemas.resolve(node)["properties"][step]
            node = self._schemas.resolve(node).get("items", node)
        return node


def _deep(layer: Layer, steps: tuple[str, ...]) -> Layer:
    for step in steps:
        layer = layer.at(step) or Layer({}, layer.origin)
    return layer


def _overrides_of(job: str, overrides: Layers) -> Layers:
    """The overrides that target a job."""
    return [
        layer
        for layer in overrides
        if job in [text_at(target, "name") for target in list_at(layer.value, "targetJobs")]
    ]


def _patches_of(job: str, overrides: Layers) -> Layers:
    """The templates that patches have for a job."""
    lists = [_deep(layer, ("trainingRuntimeSpec", "template", "spec", "replicatedJobs")) for layer in overrides]
    found = [item.at("template") for layer in lists for item in _items_with(layer, "name", job)]
    return [layer for layer in found if layer is not None]


def _items_with(layer: Layer, key: str, value: JsonValue) -> Layers:
    return [
        Layer(item, layer.origin.below(number))
        for number, item in enumerate(list_at(layer.value))
        if isinstance(item, dict) and item.get(key) == value
    ]
