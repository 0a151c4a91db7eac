"""Objects as a controller written in Go holds them: unknown fields pruned, defaults set, written anew by Go's encoder.

One walk over a value along its structural schema, compiled on first use. It checks types, which Go cannot do without,
and leaves limits, patterns and rules to admission.

Source of the behaviour: kubernetes/apiextensions-apiserver pkg/apiserver/schema/{pruning,defaulting} @ v0.35.0 and the
Go types recorded in ``schemas/core/encoding.json``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.api.shapes import go_shapes
from trainergen.api.structural import Schema, StructuralSchemas, load
from trainergen.finding import JsonObject, JsonValue, Path, format_path

Visit: TypeAlias = Callable[[Any, Path, "Witness"], JsonValue]
Shapes: TypeAlias = Mapping[str, Mapping[str, Any]]

_INTEGERS = {"int32": (-(2**31), 2**31 - 1)}
_INT64 = (-(2**63), 2**63 - 1)
_ZEROES: dict[str, JsonValue] = {"string": "", "boolean": False, "integer": 0, "array": [], "object": {}}


class DecodeError(ValueError):
    """A value of the wrong type, which the Go types cannot hold; ``path`` says where."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{format_path(path) or 'the object'} {message}")
        self.path = path


class Witness(Protocol):
    """Who is told where the parts of the result come from."""

    def item(self, made: JsonObject, path: Path) -> None:
        """``made`` is what the object at ``path`` became; called for the root and for items of lists."""

    def default(self, made: JsonObject, field: str, path: Path) -> None:
        """``made`` was given ``field`` by default; ``path`` is the place of ``made``."""


class NoWitness:
    """Nobody."""

    def item(self, made: JsonObject, path: Path) -> None:
        """Do nothing."""

    def default(self, made: JsonObject, field: str, path: Path) -> None:
        """Do nothing."""


_NOBODY = NoWitness()


class Reading(NamedTuple):
    """What happens to a value on the way: ``defaults`` are set, and it is ``encoded`` again by Go."""

    defaults: bool
    encoded: bool


RECEIVED = Reading(defaults=True, encoded=False)
"""An object as the controller reads it from the API server; an empty list is still different from none."""
REWRITTEN = Reading(defaults=True, encoded=True)
"""An object as the controller writes it again."""
RESTORED = Reading(defaults=False, encoded=True)
"""An object that was kept as text, past the API server, as the controller writes it again."""


def decode(
    value: Mapping[str, Any], kind: str, release: str, *, reading: Reading, witness: Witness = _NOBODY
) -> JsonObject:
    """``value``, an object of ``kind``, as the controller of ``release`` (``2.3``) holds it, new in all its parts.

    Raises DecodeError where a value has a type that its field cannot hold.
    """
    made = _decoder(release, reading).root(kind)(value, (), witness)
    witness.item(made, ())
    return made


@cache
def _decoder(release: str, reading: Reading) -> _Decoder:
    return _Decoder(load(release), reading, go_shapes())


class _Decoder:
    """Compiles schema nodes of one release; a definition that many fields share is compiled once."""

    def __init__(self, schemas: StructuralSchemas, reading: Reading, shapes: Shapes) -> None:
        self.schemas = schemas
        self.reading = reading
        self._shapes = shapes
        self._shared: dict[str, Visit] = {}
        self._roots: dict[str, _Object] = {}

    def root(self, kind: str) -> _Object:
        """The function that reads a whole object of a kind."""
        if kind not in self._roots:
            self._roots[kind] = _Object(self, self.schemas.kinds[kind].schema, {})
        return self._roots[kind]

    def visit(self, node: Schema) -> Visit:
        """The function that reads a value of this node."""
        name = node.get("$ref", "")
        if name and name in self._shared:
            return self._shared[name]
        made = self._make(self.schemas.resolve(node), name)
        if name:
            self._shared[name] = made
        return made

    def zero(self, node: Schema) -> JsonValue:
        """What Go makes of a null where something must be: in lists and maps."""
        schema = self.schemas.resolve(node)
        if schema.get("x-kubernetes-int-or-string"):
            return 0
        return deepcopy(_ZEROES.get(schema.get("type", "")))

    def _make(self, schema: Schema, name: str) -> Visit:
        if name == "api.resource.Quantity":
            return _quantity
        if schema.get("x-kubernetes-int-or-string"):
            return _int_or_string
        wanted = schema.get("type")
        if wanted == "array":
            return _List(self, schema["items"])
        if wanted == "object" and isinstance(schema.get("additionalProperties"), dict):
            return _Map(self, schema["additionalProperties"])
        if wanted == "object" and "properties" in schema:
            return _Object(self, schema, self._shapes.get(name, {}))
        if wanted == "integer":
            return _Integer(*_INTEGERS.get(schema.get("format", ""), _INT64))
        return {"string": _string, "boolean": _boolean}.get(wanted or "", _anything)


class _Object:
    """An object with named fields; a field is compiled when the first value for it arrives."""

    __slots__ = ("_collections", "_decoder", "_defaults", "_omits", "_properties", "_visits", "_writes")

    def __init__(self, decoder: _Decoder, schema: Schema, shape: Mapping[str, Any]) -> None:
        self._decoder = decoder
        self._properties: dict[str, Schema] = schema["properties"]
        self._visits: dict[str, Visit] = {}
        resolved = {key: decoder.schemas.resolve(node) for key, node in self._properties.items()}
        self._defaults: list[tuple[str, JsonValue]] = []
        self._omits: frozenset[str] = frozenset()
        self._collections: frozenset[str] = frozenset()
        self._writes: list[tuple[str, JsonValue]] = []
        if decoder.reading.defaults:
            self._defaults = [(key, node["default"]) for key, node in resolved.items() if "default" in node]
        if decoder.reading.encoded:
            self._omits = frozenset(shape.get("omits", ()))
            self._collections = frozenset(key for key, node in resolved.items() if _is_collection(node))
            self._writes = [(key, zero) for key, zero in shape.get("writes", {}).items() if key in resolved]

    def __call__(self, value: Any, path: Path, witness: Witness) -> JsonObject:
        if not _is_mapping(value):
            raise DecodeError(path, f"is '{value}', but must be an object")
        made: JsonObject = {}
        visits = self._visits
        for key, child in value.items():
            visit = visits.get(key) or self._compiled(key)
            if visit is None or child is None:
                continue
            read = visit(child, (*path, key), witness)
            if read or not self._is_omitted(key):
                made[key] = read
        for key, default in self._defaults:
            if value.get(key) is None and (default or not self._is_omitted(key)):
                made[key] = (self._visits.get(key) or self._compile(key))(default, (*path, key), _NOBODY)
                witness.default(made, key, path)
        for key, zero in self._writes:
            if key not in made:
                made[key] = zero
                witness.default(made, key, path)
        return made

    def _is_omitted(self, key: str) -> bool:
        return key in self._omits or key in self._collections

    def _compiled(self, key: str) -> Visit | None:
        return self._compile(key) if key in self._properties else None

    def _compile(self, key: str) -> Visit:
        visit = self._visits[key] = self._decoder.visit(self._properties[key])
        return visit


class _Map:
    """An object whose keys are free."""

    __slots__ = ("_value", "_zero")

    def __init__(self, decoder: _Decoder, values: Schema) -> None:
        self._value = decoder.visit(values)
        self._zero = decoder.zero(values)

    def __call__(self, value: Any, path: Path, witness: Witness) -> JsonObject:
        if not _is_mapping(value):
            raise DecodeError(path, f"is '{value}', but must be an object")
        return {
            key: self._value(self._zero if child is None else child, (*path, key), witness)
            for key, child in value.items()
        }


class _List:
    """A list of equal items."""

    __slots__ = ("_item", "_zero")

    def __init__(self, decoder: _Decoder, items: Schema) -> None:
        self._item = decoder.visit(items)
        self._zero = decoder.zero(items)

    def __call__(self, value: Any, path: Path, witness: Witness) -> list[JsonValue]:
        if value.__class__ is not list and (isinstance(value, str) or not isinstance(value, Sequence)):
            raise DecodeError(path, f"is '{value}', but must be a list")
        made: list[JsonValue] = []
        for number, child in enumerate(value):
            read = self._item(self._zero if child is None else child, (*path, number), witness)
            if type(read) is dict:
                witness.item(read, (*path, number))
            made.append(read)
        return made


class _Integer:
    """An integer that fits its Go type."""

    __slots__ = ("_high", "_low")

    def __init__(self, low: int, high: int) -> None:
        self._low = low
        self._high = high

    def __call__(self, value: Any, path: Path, _: Witness) -> int:
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if not isinstance(number, int) or isinstance(number, bool):
            raise DecodeError(path, f"is '{value}', but must be an integer")
        if not self._low <= number <= self._high:
            raise DecodeError(path, f"is {value}, but must be between {self._low} and {self._high}")
        return number


def _is_mapping(value: Any) -> bool:
    # Nearly all are dicts, and to ask an abstract class takes several times as long.
    return value.__class__ is dict or isinstance(value, Mapping)


def _is_collection(schema: Schema) -> bool:
    return schema.get("type") == "array" or isinstance(schema.get("additionalProperties"), dict)


def _string(value: Any, path: Path, _: Witness) -> str:
    if isinstance(value, str):
        return value
    raise DecodeError(path, f"is '{value}', but must be a string")


def _boolean(value: Any, path: Path, _: Witness) -> bool:
    if isinstance(value, bool):
        return value
    raise DecodeError(path, f"is '{value}', but must be true or false")


def _int_or_string(value: Any, path: Path, _: Witness) -> int | str:
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    raise DecodeError(path, f"is '{value}', but must be an integer or a string")


def _quantity(value: Any, path: Path, _: Witness) -> str:
    try:
        return parse_quantity(value).canonical()
    except QuantityError as error:
        raise DecodeError(path, f"is '{value}', but must be a quantity such as 500m or 2Gi") from error


def _anything(value: Any, path: Path, _: Witness) -> JsonValue:  # noqa: ARG001
    """Keep what no schema describes: the object's own metadata."""
    return plain(value)


def plain(value: Any) -> JsonValue:
    """``value`` as dicts and lists, new in all its parts."""
    if _is_mapping(value):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [plain(child) for child in value]
    scalar: JsonValue = value
    return scalar
