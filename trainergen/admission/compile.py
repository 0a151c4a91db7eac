"""Turns schema nodes into the objects that visit values; done lazily, so that only what a manifest uses is compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from trainergen.admission.formats import format_check
from trainergen.admission.limits import Range, Size, Text
from trainergen.admission.nodes import (
    AnyNode,
    ArrayNode,
    BooleanNode,
    IntegerNode,
    IntOrStringNode,
    MapNode,
    Node,
    NumberNode,
    StringNode,
)
from trainergen.admission.objects import Fields, ObjectNode
from trainergen.cel.re2 import compile_pattern
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas

_WALKED = frozenset(
    {
        *(
            "$ref",
            "type",
            "properties",
            "additionalProperties",
            "items",
            "required",
            "default",
            "nullable",
            "enum",
            "format",
        ),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern"),
        *("minItems", "maxItems", "minProperties", "maxProperties"),
        *("x-kubernetes-int-or-string", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"),
        "x-kubernetes-preserve-unknown-fields",
    }
)
_ELSEWHERE = frozenset(
    {
        *("description", "title", "example", "externalDocs", "x-kubernetes-validations", "x-kubernetes-map-type"),
        *("x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy"),
    }
)
_KNOWN = _WALKED | _ELSEWHERE
_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]


class Compiler:
    """Compiles the schemas of one release; a definition that many fields share is compiled once."""

    def __init__(self, schemas: StructuralSchemas) -> None:
        self._schemas = schemas
        self._shared: dict[str, Node] = {}

    def node(self, schema: Schema) -> Node:
        """The compiled form of ``schema``; TrainergenError when it uses a keyword that is not implemented."""
        name = schema.get("$ref")
        if name is None or len(schema) > 1:
            return self._build(self._schemas.resolve(schema))
        if name not in self._shared:
            self._shared[name] = self._build(self._schemas.resolve(schema))
        return self._shared[name]

    def _build(self, schema: Schema) -> Node:
        _refuse_unknown_keywords(schema)
        build = _SCALARS.get("int-or-string" if schema.get("x-kubernetes-int-or-string") else schema.get("type", ""))
        if build is not None:
            node = build(schema)
        elif schema.get("type") == "array":
            node = self._array(schema)
        elif schema.get("type") == "object":
            node = self._object(schema)
        else:
            node = AnyNode("any value")
        node.nullable = bool(schema.get("nullable"))
        node.default = schema.get("default")
        node.allowed = schema.get("enum")
        return node

    def _array(self, schema: Schema) -> Node:
        node = ArrayNode("array", self.node(schema["items"]), _size(schema, "Items"))
        node.unique = schema.get("x-kubernetes-list-type") == "set"
        if schema.get("x-kubernetes-list-type") == "map":
            node.keys = tuple(schema["x-kubernetes-list-map-keys"])
        return node

    def _object(self, schema: Schema) -> Node:
        size = _size(schema, "Properties")
        free = schema.get("additionalProperties")
        if isinstance(free, dict):
            return MapNode("object", self.node(free), size)
        properties: dict[str, Schema] = schema.get("properties", {})
        node = ObjectNode("object", Fields(frozenset(properties), partial(self._field, properties)), size)
        node.required = frozenset(schema.get("required", ()))
        node.preserve = free is True or bool(schema.get("x-kubernetes-preserve-unknown-fields"))
        defaulted = [
            name for name, field in properties.items() if self._schemas.resolve(field).get("default") is not None
        ]
        node.defaults = tuple((name, self.node(properties[name])) for name in defaulted)
        return node

    def _field(self, properties: dict[str, Schema], name: str) -> Node:
        return self.node(properties[name])


def _refuse_unknown_keywords(schema: Schema) -> None:
    unknown = schema.keys() - _KNOWN
    if unknown == {"anyOf"} and schema["anyOf"] == _INT_OR_STRING:
        return
    if unknown:
        names = ", ".join(sorted(unknown))
        raise TrainergenError(f"cannot check a schema with {names}", exit_code=3)


def _text(schema: Schema) -> Text:
    pattern, name = schema.get("pattern"), schema.get("format")
    text = Text(schema.get("minLength"), schema.get("maxLength"))
    if pattern:
        text.pattern, text.matches = pattern, compile_pattern(pattern)
    if name:
        text.format, text.conforms = name, format_check(name)
    return text


def _size(schema: Schema, of: str) -> Size | None:
    """The limits ``minItems`` and ``maxItems``, or those of properties; None when there are none."""
    minimum, maximum = schema.get(f"min{of}"), schema.get(f"max{of}")
    return None if minimum is None and maximum is None else Size(minimum, maximum)


def _range(schema: Schema) -> Range:
    bounds = Range(schema.get("minimum"), schema.get("maximum"))
    bounds.above = bool(schema.get("exclusiveMinimum"))
    bounds.below = bool(schema.get("exclusiveMaximum"))
    return bounds


def _string(schema: Schema) -> Node:
    text = _text(schema)
    node = StringNode("string", text)
    if text.free and "enum" not in schema:
        node.plain = str
    return node


def _boolean(schema: Schema) -> Node:
    node = BooleanNode("boolean")
    if "enum" not in schema:
        node.plain = bool
    return node


def _integer(schema: Schema) -> Node:
    return IntegerNode("integer", _range(schema))


def _number(schema: Schema) -> Node:
    return NumberNode("number", _range(schema))


def _int_or_string(schema: Schema) -> Node:
    return IntOrStringNode("integer or string", _text(schema), _range(schema))


_SCALARS: dict[str, Callable[[dict[str, Any]], Node]] = {
    "string": _string,
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "int-or-string": _int_or_string,
}
