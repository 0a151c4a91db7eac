"""``kustomize-openapi.json``: what ``openapi: {path: …}`` of a kustomization needs to merge patches of Trainer kinds.

Kustomize merges a list only where the schema gives a merge key, ignores list-map keys, and with a schema of one's own
forgets its built-in one; so every keyed list gets a merge key here and the common built-in kinds come along. The entry
under ``paths`` keeps ``namespace:`` from stamping the cluster-scoped kind.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from trainergen.api.generate.lowering import Lowering, references
from trainergen.api.kinds import KINDS
from trainergen.api.structural import GROUP, VERSION
from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from trainergen.api.resource import Resource
    from trainergen.api.structural import Schema
    from trainergen.releases import Release

MAP_KEYS = "x-kubernetes-list-map-keys"
MERGE_KEY = "x-kubernetes-patch-merge-key"
STRATEGY = "x-kubernetes-patch-strategy"
GVK = "x-kubernetes-group-version-kind"
KEPT = ("type", MAP_KEYS, MERGE_KEY, STRATEGY)


@cache
def builtin_types() -> dict[str, Schema]:
    """The reduced definitions of the common built-in kinds and all they refer to."""
    types: dict[str, Schema] = json.loads((data_dir("schemas") / "core" / "builtin-kinds.json").read_bytes())["types"]
    return types


def kustomize_openapi(release: Release) -> Schema:
    """The OpenAPI (v2) document for kustomize, references in the short form of the definitions' names."""
    lowering = Lowering(release)
    definitions = dict(builtin_types())
    wanted: list[str] = []
    for model in KINDS:
        kind = _reduce(lowering.object_schema(model))
        kind["properties"].pop("status", None)
        kind["properties"]["metadata"] = {"$ref": "meta.v1.ObjectMeta"}
        kind[GVK] = [_gvk(model)]
        definitions[f"trainer.{VERSION}.{model.resource.kind}"] = kind
        wanted.extend(references(kind))
    while wanted:
        name = wanted.pop()
        if name not in definitions:
            definitions[name] = _reduce(lowering.definitions[name])
            wanted.extend(references(definitions[name]))
    return {"paths": _paths(), "definitions": {name: definitions[name] for name in sorted(definitions)}}


def kustomize_text(release: Release) -> str:
    """The document as text, one definition a line."""
    document = kustomize_openapi(release)
    definitions = document.pop("definitions")
    head = json.dumps({"swagger": "2.0", "info": _info(release), **document}, separators=(",", ":"))[:-1]
    lines = [f"{json.dumps(name)}:{_dump(value)}" for name, value in definitions.items()]
    return head + ',\n"definitions":{\n' + ",\n".join(lines) + "\n}}\n"


def _info(release: Release) -> Schema:
    return {"title": "Kubeflow Trainer and common built-in kinds, for kustomize", "version": release.tag}


def _paths() -> Schema:
    return {
        f"/apis/{GROUP}/{VERSION}/{model.resource.plural}/{{name}}": {"get": {GVK: _gvk(model)}}
        for model in KINDS
        if model.resource.scope == "Cluster"
    }


def _gvk(model: type[Resource]) -> dict[str, str]:
    return {"group": GROUP, "kind": model.resource.kind, "version": VERSION}


def _reduce(node: Schema) -> Schema:
    """A structural schema node reduced to structure and merge keys."""
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    schema: Schema = {key: node[key] for key in KEPT if key in node}
    if MAP_KEYS in schema:
        schema.setdefault(MERGE_KEY, schema[MAP_KEYS][0])
        schema.setdefault(STRATEGY, "merge")
    if "properties" in node:
        schema["properties"] = {name: _reduce(value) for name, value in node["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in node:
            schema[key] = _reduce(node[key])
    return schema


def _dump(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return text.replace('"$ref":"', '"$ref":"#/definitions/')
