"""From classes of the typed model to structural schemas of one release."""

from __future__ import annotations

import json
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from trainergen.api.fields import Keywords, Life, Marker, Presence, Rule, Shape
from trainergen.api.model import Model
from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic.fields import FieldInfo

    from trainergen.api.structural import Schema
    from trainergen.releases import Release

RULES = "x-kubernetes-validations"
SCALARS: dict[type, Schema] = {str: {"type": "string"}, int: {"type": "integer"}, bool: {"type": "boolean"}}


@cache
def core_types(kubernetes: str) -> dict[str, Schema]:
    """The embedded Kubernetes types of a Kubernetes minor."""
    path = data_dir("schemas") / "core" / f"{kubernetes}.json"
    types: dict[str, Schema] = json.loads(path.read_bytes())["types"]
    return types


def wire_name(name: str, info: FieldInfo) -> str:
    """The name of a field in manifests."""
    return info.alias or name


def split(annotation: Any) -> tuple[Any, list[Marker]]:
    """An annotation without ``Annotated`` and ``None``, and the markers found on the way, innermost first."""
    if get_origin(annotation) is Annotated:
        inner, markers = split(annotation.__origin__)
        return inner, markers + [item for item in annotation.__metadata__ if isinstance(item, Marker)]
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not NoneType]
        if len(members) == 1:
            return split(members[0])
    return annotation, []


class Lowering:
    """The structural schemas of one release; ``definitions`` fills with every type that is referred to."""

    def __init__(self, release: Release, *, described: bool = False) -> None:
        self.release = release
        self._described = described
        self.definitions: dict[str, Schema] = {}
        self.models: dict[str, type[Model]] = {}
        self._core = core_types(release.kubernetes)

    def object_schema(self, model: type[Model]) -> Schema:
        """The schema of a class, its fields' types as references into ``definitions``."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for name, info in model.model_fields.items():
            markers = split(info.annotation)[1] + [item for item in info.metadata if isinstance(item, Marker)]
            if not all(self._covers(item) for item in markers if isinstance(item, Life)):
                continue
            wire = wire_name(name, info)
            properties[wire] = self._schema(info.annotation, info.metadata)
            if self._described and info.description:
                properties[wire] = {"description": plain_text(info.description), **properties[wire]}
            if self._is_required(info, markers):
                required.append(wire)
        schema: Schema = {"type": "object", "properties": properties}
        if not properties:
            del schema["properties"]
        if required:
            schema["required"] = sorted(required)
        return self._lay_over(schema, model.markers)

    def define(self, model: type[Model]) -> str:
        """Put a class among the definitions and return its name there."""
        if model.core_type:
            self._define_core(model.core_type)
            return model.core_type
        name = model.__name__
        if name not in self.definitions:
            self.definitions[name] = {}
            self.models[name] = model
            self.definitions[name] = self.object_schema(model)
        return name

    def _schema(self, annotation: Any, metadata: Sequence[Any]) -> Schema:
        inner, markers = split(annotation)
        markers += [item for item in metadata if isinstance(item, Marker)]
        shapes = [item.schema for item in markers if isinstance(item, Shape) and self._covers(item)]
        schema = dict(shapes[-1]) if shapes else self._plain(inner)
        if "$ref" in schema and schema["$ref"] in self._core:
            self._define_core(schema["$ref"])
        return self._lay_over(schema, markers)

    def _plain(self, annotation: Any) -> Schema:
        """The schema that a Python type gives by itself."""
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is list:
            return {"type": "array", "items": self._schema(arguments[0], ())}
        if origin is dict:
            return {"type": "object", "additionalProperties": self._schema(arguments[1], ())}
        if origin is Literal:
            return {"type": "string", "enum": list(arguments)}
        if annotation in SCALARS:
            return dict(SCALARS[annotation])
        if isinstance(annotation, type) and issubclass(annotation, Model):
            return {"$ref": self.define(annotation)}
        raise TypeError(f"no schema for {annotation!r}")

    def _lay_over(self, schema: Schema, markers: Sequence[Marker]) -> Schema:
        living = [item for item in markers if self._covers(item)]
        for item in living:
            if isinstance(item, Keywords):
                schema |= item.schema
        rules = [{"message": item.message, "rule": item.rule} for item in living if isinstance(item, Rule)]
        if rules:
            schema[RULES] = rules
        return schema

    def _is_required(self, info: FieldInfo, markers: Sequence[Marker]) -> bool:
        for item in markers:
            if isinstance(item, Presence) and self._covers(item):
                return item.required
        return info.is_required()

    def _covers(self, marker: Marker) -> bool:
        return marker.lifespan.covers(self.release.name)

    def _define_core(self, name: str) -> None:
        if name in self.definitions:
            return
        self.definitions[name] = self._core[name]
        for reference in references(self._core[name]):
            self._define_core(reference)


def plain_text(docstring: str) -> str:
    """A docstring as a published description: one line, code in single backticks."""
    return " ".join(docstring.split()).replace("``", "`")


def references(node: Any) -> Iterator[str]:
    """The names of all definitions that a schema refers to."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def inline(node: Any, definitions: dict[str, Schema]) -> Any:
    """A schema with every reference replaced by what it names."""
    if isinstance(node, list):
        return [inline(value, definitions) for value in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        return inline({**definitions[node["$ref"]], **siblings}, definitions)
    return {key: inline(value, definitions) for key, value in node.items()}
