"""What Go's JSON encoder leaves out of Kubernetes types: empty lists and maps, and zero values that are held by value.

It decides what a patch can say: a patch of a runtime passes through Go types before it is merged, so that
``tolerations: []`` removes nothing and ``readOnly: false`` does not win over true.

Source: kubernetes/api core/v1/types.go @ v0.36.2, kubeflow/trainer pkg/apis/trainer/v1alpha1 @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.shapes import go_shapes

if TYPE_CHECKING:
    from collections.abc import Container

    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonValue


def encoded(value: JsonValue, node: Schema, schemas: StructuralSchemas) -> JsonValue:
    """``value`` as Go writes it after reading it into the type whose schema is ``node``; ``value`` stays as it is."""
    schema = schemas.resolve(node)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [encoded(item, items, schemas) for item in value]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties")
    if properties is None:
        rest = schema.get("additionalProperties")
        return {key: encoded(child, rest, schemas) for key, child in value.items()} if isinstance(rest, dict) else value
    required = frozenset(schema.get("required", ()))
    shape = go_shapes().get(node.get("$ref", ""))
    by_value = frozenset(shape["omits"]) if shape is not None else frozenset()
    return {
        key: encoded(child, properties.get(key, {}), schemas)
        for key, child in value.items()
        if not _is_omitted(key, child, (by_value, required), schemas.resolve(properties.get(key, {})))
    }


def _is_omitted(key: str, value: JsonValue, kinds: tuple[Container[str], Container[str]], schema: Schema) -> bool:
    by_value, required = kinds
    if isinstance(value, dict | list):
        collection = isinstance(value, list) or "additionalProperties" in schema
        return collection and not value and key not in required
    return value is None or (key in by_value and not value)
