"""``values.schema.json``: a chart takes the values that its templates read, and no others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.helm.differing import Slot
    from trainergen.generate.helm.things import Thing

_DRAFT = "http://json-schema.org/draft-07/schema#"
"""The draft that both Helm 3 and Helm 4 read."""
_SWITCH: JsonObject = {"type": "boolean"}
_DNS_LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"


def schema_text(found: Sequence[Thing], environments: Iterable[str], *, title: str) -> str:
    """The schema of the values of a chart with these things."""
    parts = list(dict.fromkeys(thing.part for thing in found))
    properties: JsonObject = {
        "environment": {
            "description": "The environment that the values are for.",
            "required": ["name", "namespace"],
            **_closed(
                {
                    "name": {"enum": list(environments)},
                    "namespace": {
                        "description": "The namespace of everything.",
                        "type": "string",
                        "pattern": _DNS_LABEL,
                    },
                }
            ),
        },
        "parts": {
            "description": "Which parts this release installs.",
            **_closed(dict.fromkeys(parts, _SWITCH)),
        },
    }
    for part in parts:
        own = {thing.key: _thing(thing) for thing in found if thing.part == part}
        kept = {key: schema for key, schema in own.items() if schema["properties"]}
        if kept:
            properties[part] = _closed(kept)
    image: JsonObject = {"description": "An image with kubectl, for helm test.", "type": "string", "minLength": 1}
    properties["test"] = _closed({"image": image})
    # A chart that has this one as a dependency hands it the key.
    properties["global"] = {"type": "object"}
    schema = {"$schema": _DRAFT, "title": title, "required": ["environment", "parts"], **_closed(properties)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _closed(properties: Mapping[str, JsonValue]) -> JsonObject:
    return {"type": "object", "additionalProperties": False, "properties": dict(properties)}


def _thing(thing: Thing) -> JsonObject:
    properties: JsonObject = {} if thing.everywhere else {"enabled": {"type": "boolean"}}
    for name, slot in thing.slots.items():
        place = properties
        for step in name[:-1]:
            section = place.setdefault(step, _closed({}))
            assert isinstance(section, dict)
            inner = section["properties"]
            assert isinstance(inner, dict)
            place = inner
        place[name[-1]] = _value(slot, name[-1])
    return _closed(properties)


def _value(slot: Slot, name: str) -> JsonObject:
    types = {_type(value) for value in slot.values.values()}
    if "number" in types:
        types.discard("integer")
    if slot.optional:
        types.add("null")
    found = sorted(types)
    out: JsonObject = {"type": found[0] if len(found) == 1 else [*found]}
    if name == "nodes" and "integer" in types:
        out["minimum"] = 1
    return out


def _type(value: JsonValue) -> str:
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "object"
