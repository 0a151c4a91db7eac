"""What the schema of one release says about one field, as a comparable value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.api.lookup import Place
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonValue

LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} fields",
    "pattern": "matches {}",
}
VALIDATIONS = "x-kubernetes-validations"
TRANSITION = "self == oldSelf"


@dataclass(frozen=True, slots=True)
class CelRule:
    """A CEL rule of the field and the message that the API server gives."""

    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """Type and constraints of a field in one release; ``limits`` are phrases such as ``at most 253 characters``."""

    type: str
    required: bool
    has_default: bool = False
    default: JsonValue = None
    enum: tuple[JsonValue, ...] = ()
    limits: tuple[str, ...] = ()
    format: str = ""
    list_type: str = ""
    list_keys: tuple[str, ...] = ()
    merge_key: str = ""
    immutable: bool = False
    rules: tuple[CelRule, ...] = ()


def field_facts(schemas: StructuralSchemas, place: Place) -> FieldFacts:
    """The facts about the field at ``place``."""
    schema = schemas.resolve(place.node)
    rules = tuple(CelRule(item["rule"], item["message"]) for item in schema.get(VALIDATIONS, ()))
    return FieldFacts(
        type=type_text(schemas, place.node),
        required=place.required,
        has_default="default" in schema,
        default=schema.get("default"),
        enum=tuple(schema.get("enum", ())),
        limits=(*_limits(schema), *_item_limits(schemas, schema)),
        format=schema.get("format", ""),
        list_type=schema.get("x-kubernetes-list-type", ""),
        list_keys=tuple(schema.get("x-kubernetes-list-map-keys", ())),
        merge_key=schema.get("x-kubernetes-patch-merge-key", ""),
        immutable=any(item.rule == TRANSITION for item in rules),
        rules=rules,
    )


def type_text(schemas: StructuralSchemas, node: Schema) -> str:
    """A type in words: ``integer (int32)``, ``list of core.v1.EnvVar``, ``map of string``."""
    schema = schemas.resolve(node)
    if schema.get("x-kubernetes-int-or-string"):
        return "quantity" if "pattern" in schema else "integer or string"
    if "items" in schema:
        return f"list of {type_text(schemas, schema['items'])}"
    if "additionalProperties" in schema:
        return f"map of {type_text(schemas, schema['additionalProperties'])}"
    if schema["type"] == "object":
        return str(node.get("$ref", "object"))
    return f"{schema['type']} ({schema['format']})" if "format" in schema else str(schema["type"])


def _limits(schema: Schema) -> tuple[str, ...]:
    if schema.get("x-kubernetes-int-or-string"):
        return ()
    return tuple(_phrase(text, schema[keyword]) for keyword, text in LIMITS.items() if keyword in schema)


def _phrase(text: str, limit: int | str) -> str:
    phrase = text.format(limit)
    return phrase.removesuffix("s") if limit == 1 else phrase


def _item_limits(schemas: StructuralSchemas, schema: Schema) -> tuple[str, ...]:
    if "items" not in schema:
        return ()
    return tuple(f"each item {limit}" for limit in _limits(schemas.resolve(schema["items"])))
