"""Finding a field by its path in the schemas of each release, and what became of fields that are gone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from trainergen.api.structural import Schema, StructuralSchemas, load
from trainergen.releases import RELEASES, get_release

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from trainergen.api.model import Model


@cache
def full_schemas(release: str) -> StructuralSchemas:
    """The schemas of a release with the metadata of whole objects, which CRDs leave to the API server."""
    from trainergen.api.generate.lowering import Lowering
    from trainergen.api.kubernetes import ObjectMeta

    schemas = load(release)
    lowering = Lowering(get_release(release))
    metadata = {"$ref": lowering.define(ObjectMeta)}
    kinds = {
        name: kind._replace(schema={**kind.schema, "properties": {**kind.schema["properties"], "metadata": metadata}})
        for name, kind in schemas.kinds.items()
    }
    return StructuralSchemas(release, {**lowering.definitions, **schemas.definitions}, kinds)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field was found: its node (perhaps a ``$ref``), and the definition and name it has there."""

    node: Schema
    owner: str
    field: str
    required: bool


def locate(release: str, kind: str, steps: tuple[str, ...]) -> Place | None:
    """The place of a field in one release, or None. List items are passed through; a map takes any key."""
    schemas = full_schemas(release)
    place = Place(schemas.kinds[kind].schema, kind, "", required=True)
    for step in steps:
        found = child(release, place, step)
        if found is None:
            return None
        place = found
    return place


def child(release: str, place: Place, name: str) -> Place | None:
    """The place of the field ``name`` below a place."""
    owner, content = container(release, place)
    if name in content.get("properties", {}):
        return Place(content["properties"][name], owner, name, name in content.get("required", ()))
    if "additionalProperties" in content:
        return Place(content["additionalProperties"], "", "", required=False)
    return None


def container(release: str, place: Place) -> tuple[str, Schema]:
    """The object that a place holds, through lists, with the name of its definition."""
    schemas = full_schemas(release)
    owner, node = place.owner, place.node
    while "items" in node or "$ref" in node:
        owner = node.get("$ref", owner)
        node = schemas.resolve(node) if "$ref" in node else node["items"]
    return owner, node


def releases_with(kind: str, steps: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the releases that have a field, oldest first."""
    return tuple(release.name for release in RELEASES if locate(release.name, kind, steps) is not None)


def span(releases: tuple[str, ...]) -> str:
    """Some consecutive releases in words: ``2.1``, ``2.0 and 2.1``, ``2.0 to 2.2``."""
    if len(releases) <= 2:
        return " and ".join(releases)
    return f"{releases[0]} to {releases[-1]}"


def successor(owner: str, field: str) -> str:
    """What replaced a field of a Trainer or JobSet type, or an empty string."""
    from trainergen.api.fields import Life

    info = _model_field(owner, field)
    lives = [item for item in info.metadata if isinstance(item, Life)] if info else []
    return lives[0].successor if lives else ""


def description(owner: str, field: str) -> str:
    """What the model says about a field, or about a type when ``field`` is empty; nothing for Kubernetes' fields."""
    if field:
        info = _model_field(owner, field)
        return _one_line(info.description or "") if info else ""
    model = _models().get(owner)
    return _one_line(model.__doc__ or "") if model else ""


def _one_line(docstring: str) -> str:
    return " ".join(docstring.split()).replace("``", "`")


def _model_field(owner: str, field: str) -> FieldInfo | None:
    model = _models().get(owner)
    fields = model.model_fields.values() if model else ()
    return next((info for info in fields if info.alias == field), None)


@cache
def _models() -> dict[str, type[Model]]:
    # The model takes a while to import, and only explanations and complaints need it.
    from trainergen.api.kinds import all_models

    return {model.core_type or model.__name__: model for model in all_models()}
