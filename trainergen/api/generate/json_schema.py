"""``<kind>_v1alpha1.json``: JSON Schema for editors and kubeconform, laid out as the CRD catalogues have it.

For kubeconform: ``-schema-location 'schemas/2.3/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json'``.

The schemas say what the API server says, as far as JSON Schema can: unknown fields are refused, and ``null`` is allowed
where the server drops it, that is for every optional field and map value, but not for list items. List keys, CEL rules
and transitions are beyond it; ``trainergen check`` has them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from trainergen.api.generate.lowering import Lowering, plain_text, references
from trainergen.api.kubernetes import ObjectMeta
from trainergen.api.structural import API_VERSION, VERSION

if TYPE_CHECKING:
    from trainergen.api.resource import Resource
    from trainergen.api.structural import Schema
    from trainergen.releases import Release

COPIED = (
    "description", "type", "format", "pattern", "enum", "default", "minimum", "maximum", "minLength", "maxLength",
    "minItems", "maxItems", "minProperties", "anyOf",
)  # fmt: skip
"""Keywords that mean the same in both."""


def json_schema_file_name(model: type[Resource]) -> str:
    """``trainjob_v1alpha1.json``."""
    return f"{model.resource.kind.lower()}_{VERSION}.json"


def json_schema(model: type[Resource], release: Release) -> Schema:
    """The self-contained JSON Schema (draft 7) of a kind."""
    lowering = Lowering(release, described=True)
    root = convert(lowering.object_schema(model))
    metadata = lowering.define(ObjectMeta)
    fields = root["properties"]
    fields["apiVersion"] = {"description": "API version of the kind.", "type": "string", "enum": [API_VERSION]}
    fields["kind"] = {"description": "Kind of the object.", "type": "string", "enum": [model.resource.kind]}
    fields["metadata"] = _reference(metadata, {"description": fields["metadata"]["description"]})
    root["required"] = sorted({"apiVersion", "kind", "metadata", *root.get("required", ())})
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"{model.resource.kind} of Kubeflow Trainer {release.name}",
        "description": plain_text(model.__doc__ or ""),
        **root,
        "definitions": {name: convert(lowering.definitions[name]) for name in _reachable(root, lowering)},
    }


def json_schema_text(model: type[Resource], release: Release) -> str:
    """The JSON Schema as text, one definition a line."""
    schema = json_schema(model, release)
    definitions = schema.pop("definitions")
    head = json.dumps(schema, ensure_ascii=False, indent=1)[:-2]
    lines = [f"{json.dumps(name)}:{_compact(value)}" for name, value in definitions.items()]
    return head + ',\n "definitions": {\n' + ",\n".join(lines) + "\n }\n}\n"


def convert(node: Schema) -> Schema:
    """A structural schema node as JSON Schema; ``null`` is the business of the node that holds it."""
    if "$ref" in node:
        return _reference(node["$ref"], {key: node[key] for key in COPIED if key in node})
    schema: Schema = {key: node[key] for key in COPIED if key in node}
    if node.get("type") == "object":
        schema |= _object(node)
    if node.get("x-kubernetes-list-type") == "set":
        schema["uniqueItems"] = True
    if "items" in node:
        schema["items"] = convert(node["items"])
    return schema


def _object(node: Schema) -> Schema:
    if "additionalProperties" in node:
        return {"additionalProperties": _nullable(convert(node["additionalProperties"]))}
    if node.get("x-kubernetes-preserve-unknown-fields"):
        return {}
    required = node.get("required", [])
    properties = {
        name: convert(value) if name in required and "default" not in value else _nullable(convert(value))
        for name, value in node.get("properties", {}).items()
    }
    schema: Schema = {"properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return schema


def _nullable(schema: Schema) -> Schema:
    if "type" in schema:
        extra = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [schema["type"], "null"], **extra}
    # Without a type of its own it is a reference, bare or wrapped.
    rest = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
    return {**rest, "anyOf": [*schema.get("allOf", [{"$ref": schema.get("$ref")}]), {"type": "null"}]}


def _reference(name: str, siblings: Schema) -> Schema:
    reference = {"$ref": f"#/definitions/{name}"}
    # Draft 7 ignores what stands beside a $ref, hence the wrapping.
    return {**siblings, "allOf": [reference]} if siblings else reference


def _reachable(root: Schema, lowering: Lowering) -> list[str]:
    wanted = [reference.rsplit("/", 1)[-1] for reference in references(root)]
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted.extend(references(lowering.definitions[name]))
    return sorted(found)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
