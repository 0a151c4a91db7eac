"""What Go's JSON encoder leaves out of Kubernetes types: empty lists and maps, and zero values that are held by value.

It decides what a patch can say: a patch of a runtime passes through Go types before it is merged, so that
``tolerations: []`` removes nothing and ``readOnly: false`` does not win over true.

Source: kubernetes/api core/v1/types.go @ v0.36.2, kubeflow/trainer pkg/apis/trainer/v1alpha1 @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.shapes import go_shapes

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue


def encoded(value: JsonValue, node: Schema, schemas: StructuralSchemas) -> JsonValue:
    """``value`` as Go writes it after reading it into the type whose schema is ``node``; ``value`` stays as it is."""
    known = _encoders.get(id(schemas))
    if known is None or known.schemas is not schemas:
        known = _encoders[id(schemas)] = _Encoder(schemas)
    return known.type_of(node).written(value)


class _Encoder:
    """The types of a release's schemas, each made ready when a value of it is first written."""

    def __init__(self, schemas: StructuralSchemas) -> None:
        self.schemas = schemas
        # The nodes are kept beside their types, so that no other object can get their identity.
        self._types: dict[int, tuple[Schema, _Type]] = {}
        self.unknown = _Type({}, self)

    def type_of(self, node: Schema) -> _Type:
        """What is known of a node's type."""
        found = self._types.get(id(node))
        if found is None:
            found = self._types[id(node)] = node, _Type(node, self)
        return found[1]


_encoders: dict[int, _Encoder] = {}


class _Type:
    """How values of one type are written."""

    __slots__ = ("_by_value", "_encoder", "_fields", "_items", "_properties", "_required", "_rest", "is_map")

    def __init__(self, node: Schema, encoder: _Encoder) -> None:
        schema = encoder.schemas.resolve(node)
        shape = go_shapes().get(node.get("$ref", ""))
        rest = schema.get("additionalProperties")
        self.is_map = "additionalProperties" in schema
        self._encoder = encoder
        self._items: Schema | None = schema.get("items")
        self._properties: dict[str, Schema] | None = schema.get("properties")
        self._rest: Schema | None = rest if isinstance(rest, dict) else None
        self._required = frozenset(schema.get("required", ()))
        self._by_value = frozenset(shape["omits"]) if shape is not None else frozenset()
        self._fields: dict[str, _Type] = {}

    def written(self, value: JsonValue) -> JsonValue:
        """The value without what is left out."""
        if isinstance(value, list):
            items = self._below(self._items)
            return [items.written(item) for item in value]
        if not isinstance(value, dict):
            return value
        if self._properties is not None:
            return self._object(value, self._properties)
        if self._rest is None:
            return value
        rest = self._below(self._rest)
        return {key: rest.written(child) for key, child in value.items()}

    def _object(self, value: JsonObject, properties: dict[str, Schema]) -> JsonObject:
        made: JsonObject = {}
        for key, child in value.items():
            if isinstance(child, dict | list):
                field = self._fields.get(key)
                if field is None:
                    field = self._field(key, properties)
                if child or key in self._required or not (field.is_map or isinstance(child, list)):
                    made[key] = field.written(child)
            elif child or (child is not None and key not in self._by_value):
                made[key] = child
        return made

    def _field(self, key: str, properties: dict[str, Schema]) -> _Type:
        if key not in properties:
            return self._encoder.unknown
        field = self._fields[key] = self._below(properties[key])
        return field

    def _below(self, node: Schema | None) -> _Type:
        return self._encoder.unknown if node is None else self._encoder.type_of(node)
