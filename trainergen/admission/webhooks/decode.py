"""Reading of an object into Go types, as every webhook does first: what they cannot hold, and how they write it again.

Only what a schema lets through matters here; values of the wrong type are the schema's to report and are passed over.

Source: kubernetes/apimachinery pkg/apis/meta/v1/time.go, pkg/util/intstr, pkg/api/resource @ v0.36.2, kubernetes/api
core/v1/types.go @ v0.36.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.api.shapes import go_shapes

if TYPE_CHECKING:
    from trainergen.api.structural import Kind, Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue, Path

_INT32 = range(-(2**31), 2**31)
_RFC3339 = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})"
_QUANTITY = "api.resource.Quantity"
_TIME = "meta.v1.Time"
_WRITTEN_OBJECTS: dict[str, JsonObject] = {
    "core.v1.PersistentVolumeClaimTemplate": {"spec": {}},
    "core.v1.PreferredSchedulingTerm": {"preference": {}},
    "core.v1.WeightedPodAffinityTerm": {"podAffinityTerm": {}},
}
"""Objects that Go writes even when they were absent, where the schema requires them."""


class Unreadable(NamedTuple):
    """A value that a Go type cannot hold."""

    path: Path
    message: str
    help: str


class Decoded(NamedTuple):
    """An object as Go types hold it."""

    object: JsonObject
    """The object written again: quantities and times in canonical form, absent required fields as zero values."""
    faults: tuple[Unreadable, ...]


def decode(obj: JsonObject, schemas: StructuralSchemas, kind: Kind) -> Decoded:
    """Read ``obj``, decoded and defaulted by the schema of its kind; what needs no change is shared with the result."""
    key = (id(schemas), kind.kind)
    known = _codecs.get(key)
    if known is None or known[0] is not schemas:
        known = _codecs[key] = (schemas, _Compiler(schemas).node(kind.schema))
    codec = known[1]
    faults: list[Unreadable] = []
    result = codec.visit(obj, (), faults) if codec is not None else obj
    return Decoded(result if isinstance(result, dict) else obj, tuple(faults))


class _Codec(Protocol):
    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        """``value`` as it is written again; what cannot be read is noted and stays."""


_codecs: dict[tuple[int, str], tuple[StructuralSchemas, _Codec | None]] = {}


class _Compiler:
    """Makes the codecs of a schema; None stands for a node below which there is nothing to do."""

    def __init__(self, schemas: StructuralSchemas) -> None:
        self._schemas = schemas
        self._definitions: dict[str, _Codec | None] = {}

    def node(self, node: Schema) -> _Codec | None:
        name = node.get("$ref")
        if name is None:
            return self._build(node, "")
        if name not in self._definitions:
            self._definitions[name] = self._build(self._schemas.definitions[name], name)
        return self._definitions[name]

    def _build(self, node: Schema, name: str) -> _Codec | None:
        schema = self._schemas.resolve(node)
        leaf = _leaf(schema, name)
        if leaf is not None:
            return leaf
        if schema.get("type") == "array":
            item = self.node(schema.get("items", {}))
            return _List(item) if item is not None else None
        if isinstance(schema.get("additionalProperties"), dict):
            item = self.node(schema["additionalProperties"])
            return _Map(item) if item is not None else None
        fields = {field: self.node(child) for field, child in schema.get("properties", {}).items()}
        codecs = {field: codec for field, codec in fields.items() if codec is not None}
        zeros = _zeros(name)
        return _Object(codecs, zeros) if codecs or zeros else None


def _zeros(name: str) -> JsonObject:
    """The fields that Go writes for a type even when they were absent."""
    shape = go_shapes().get(name)
    return {**(shape["writes"] if shape is not None else {}), **_WRITTEN_OBJECTS.get(name, {})}


def _leaf(schema: Schema, name: str) -> _Codec | None:
    if name == _QUANTITY:
        return _Quantity()
    if name == _TIME or schema.get("format") == "date-time":
        return _Time()
    if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int32":
        return _Int32()
    return None


class _Int32:
    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        if isinstance(value, int) and not isinstance(value, bool) and value not in _INT32:
            message = f"{path[-1]} is {value}, but Trainer holds it as a 32-bit integer"
            faults.append(Unreadable(path, message, f"Write a number between {_INT32[0]} and {_INT32[-1]}."))
        return value


class _Quantity:
    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        if isinstance(value, bool) or not isinstance(value, str | int):
            return value
        try:
            canonical = parse_quantity(value).canonical()
        except QuantityError as error:
            faults.append(
                Unreadable(path, str(error), "Write a number with at most one unit, such as 500m, 2Gi or 1e3.")
            )
            return value
        return value if canonical == value else canonical


class _Time:
    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        if isinstance(value, str):
            if re.fullmatch(_RFC3339, value, re.ASCII):
                try:
                    return _in_utc(value)
                except (ValueError, OverflowError):
                    pass
            message = f"'{value}' is no time that Trainer can read"
            faults.append(Unreadable(path, message, "Write it as in 2026-01-31T12:00:00Z."))
        elif isinstance(value, list):
            # The schema does not look at the type of a list where a time is wanted.
            faults.append(
                Unreadable(path, "a list stands where a time is wanted", "Write it as in 2026-01-31T12:00:00Z.")
            )
        return value


def _in_utc(text: str) -> str:
    """An RFC 3339 time in UTC and to the second, which is how Go writes it."""
    from datetime import UTC, datetime

    seconds, zone = text[:19], text[19:].lstrip(".,0123456789")
    moment = datetime.fromisoformat(seconds + ("+00:00" if zone == "Z" else zone))
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


class _List:
    def __init__(self, item: _Codec) -> None:
        self.item = item

    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        if not isinstance(value, list):
            return value
        items = [self.item.visit(item, (*path, at), faults) for at, item in enumerate(value)]
        return value if all(map(_same, items, value)) else items


class _Map:
    def __init__(self, item: _Codec) -> None:
        self.item = item

    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        if not isinstance(value, dict):
            return value
        entries = {key: self.item.visit(child, (*path, key), faults) for key, child in value.items()}
        return value if all(map(_same, entries.values(), value.values())) else entries


class _Object:
    def __init__(self, fields: dict[str, _Codec], zeros: JsonObject) -> None:
        self.fields = fields
        self.zeros = zeros

    def visit(self, value: JsonValue, path: Path, faults: list[Unreadable]) -> JsonValue:
        if not isinstance(value, dict):
            return value
        result = value
        if self.zeros and not self.zeros.keys() <= value.keys():
            missing = {field: zero for field, zero in self.zeros.items() if field not in value}
            result = {**value, **missing}
        changes: JsonObject = {}
        for field, child in result.items():
            codec = self.fields.get(field)
            if codec is not None:
                seen = codec.visit(child, (*path, field), faults)
                if seen is not child:
                    changes[field] = seen
        return {**result, **changes} if changes else result


def _same(one: JsonValue, other: JsonValue) -> bool:
    return one is other
