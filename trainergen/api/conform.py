"""Whether an authored object fits a release: the schema part only, to name wrong fields and the releases with them.

Admission says all that the cluster would say; this is the early word to a programmer, with the model's own knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainergen.api.lookup import full_schemas, releases_with, span, successor
from trainergen.finding import Path, format_path
from trainergen.releases import is_earlier

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonValue


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that the release does not accept."""

    path: Path
    message: str
    help: str = ""

    def __str__(self) -> str:
        text = f"{format_path(self.path) or 'the object'} {self.message}"
        return f"{text}; {self.help}" if self.help else text


JSON_TYPES: dict[str, tuple[type, str]] = {
    "string": (str, "a string"),
    "integer": (int, "an integer"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "a mapping"),
}

Limit = Callable[[Any, int], bool]
LIMITS: dict[str, tuple[Limit, str]] = {
    "minimum": (lambda value, limit: value >= limit, "is {value}, but must be at least {limit}"),
    "maximum": (lambda value, limit: value <= limit, "is {value}, but must be at most {limit}"),
    "minLength": (lambda value, limit: len(value) >= limit, "has {length} characters, but needs at least {limit}"),
    "maxLength": (lambda value, limit: len(value) <= limit, "has {length} characters, but may have {limit}"),
    "minItems": (lambda value, limit: len(value) >= limit, "has {length} items, but needs at least {limit}"),
    "maxItems": (lambda value, limit: len(value) <= limit, "has {length} items, but may have {limit}"),
    "minProperties": (lambda value, limit: len(value) >= limit, "has {length} fields, but needs at least {limit}"),
}


class Conformance:
    """Compares one object of a kind with the schemas of a release."""

    def __init__(self, release: str, kind: str) -> None:
        self._release = release
        self._kind = kind
        self._schemas: StructuralSchemas = full_schemas(release)

    def misfits(self, value: JsonValue) -> Iterator[Misfit]:
        """Everything about the object that the release does not accept."""
        yield from self._node(self._schemas.kinds[self._kind].schema, value, (), self._kind)

    def _node(self, node: Schema, value: Any, path: Path, owner: str) -> Iterator[Misfit]:
        owner = node.get("$ref", owner)
        schema = self._schemas.resolve(node)
        if not _has_type(schema, value):
            yield Misfit(path, f"is {value!r}, but Trainer {self._release} accepts {_type_name(schema)}")
            return
        if "enum" in schema and value not in schema["enum"]:
            accepted = ", ".join(repr(item) for item in schema["enum"])
            yield Misfit(path, f"is {value!r}, but Trainer {self._release} accepts {accepted}")
        yield from _limits(schema, value, path)
        if isinstance(value, dict):
            yield from self._object(schema, value, path, owner)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                yield from self._node(schema["items"], item, (*path, number), owner)

    def _object(self, schema: Schema, value: dict[str, Any], path: Path, owner: str) -> Iterator[Misfit]:
        for name in schema.get("required", ()):
            if name not in value:
                yield Misfit((*path, name), f"is missing, but Trainer {self._release} requires it")
        properties = schema.get("properties", {})
        for name, item in value.items():
            if name in properties:
                yield from self._node(properties[name], item, (*path, name), owner)
            elif "additionalProperties" in schema:
                yield from self._node(schema["additionalProperties"], item, (*path, name), owner)
            else:
                yield self._unknown((*path, name), owner, name)

    def _unknown(self, path: Path, owner: str, name: str) -> Misfit:
        releases = releases_with(self._kind, tuple(step for step in path if isinstance(step, str)))
        if not releases:
            return Misfit(path, "is a field that no supported release has")
        replacement = successor(owner, name) if is_earlier(releases[-1], self._release) else ""
        advice = f"use {replacement} instead" if replacement else ""
        return Misfit(path, f"is not in Trainer {self._release}, only in {span(releases)}", advice)


def _limits(schema: Schema, value: Any, path: Path) -> Iterator[Misfit]:
    for keyword, (holds, text) in LIMITS.items():
        if keyword in schema and not holds(value, schema[keyword]):
            length = len(value) if hasattr(value, "__len__") else 0
            yield Misfit(path, text.format(value=value, length=length, limit=schema[keyword]))


def _has_type(schema: Schema, value: Any) -> bool:
    if schema.get("x-kubernetes-int-or-string"):
        return isinstance(value, (int, str)) and not isinstance(value, bool)
    if isinstance(value, bool):
        return bool(schema["type"] == "boolean")
    return isinstance(value, JSON_TYPES[schema["type"]][0])


def _type_name(schema: Schema) -> str:
    if schema.get("x-kubernetes-int-or-string"):
        return "only an integer or a string"
    return f"only {JSON_TYPES[schema['type']][1]}"
