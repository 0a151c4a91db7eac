"""Compiling schemas: everything they use is known, and nothing is compiled before it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trainergen.admission.compile import Compiler
from trainergen.admission.objects import ObjectNode
from trainergen.api.structural import StructuralSchemas, load
from trainergen.errors import TrainergenError

RELEASES = ("2.0", "2.1", "2.2", "2.3")


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and every node below it."""
    yield schema
    for child in schema.get("properties", {}).values():
        yield from nodes(child)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from nodes(schema[name])


@pytest.mark.parametrize("release", RELEASES)
def test_every_schema_of_a_release_compiles(release: str) -> None:
    schemas = load(release)
    compiler = Compiler(schemas)
    for root in [*(kind.schema for kind in schemas.kinds.values()), *schemas.definitions.values()]:
        for node in nodes(root):
            compiler.node(node)


@pytest.mark.parametrize(
    "keyword", ["oneOf", "allOf", "not", "multipleOf", "uniqueItems", "x-kubernetes-embedded-resource"]
)
def test_an_unknown_keyword_is_an_error_and_not_ignored(keyword: str) -> None:
    with pytest.raises(TrainergenError, match=keyword):
        Compiler(StructuralSchemas("1", {}, {})).node({"type": "string", keyword: True})


def test_the_any_of_integers_and_strings_is_known() -> None:
    schema = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert Compiler(StructuralSchemas("1", {}, {})).node(schema).wanted == "integer or string"
    with pytest.raises(TrainergenError, match="anyOf"):
        Compiler(StructuralSchemas("1", {}, {})).node({**schema, "anyOf": [{"type": "integer"}]})


def test_fields_are_compiled_when_they_are_met_and_unknown_names_are_not_kept() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "object"}}}
    node = Compiler(StructuralSchemas("1", {}, {})).node(schema)
    assert isinstance(node, ObjectNode)
    assert dict(node.fields) == {}
    node.visit({"a": "x", "c": 1}, (), [])
    assert list(node.fields) == ["a"]


def test_a_shared_definition_is_compiled_once() -> None:
    schemas = StructuralSchemas("1", {"Named": {"type": "object"}}, {})
    compiler = Compiler(schemas)
    assert compiler.node({"$ref": "Named"}) is compiler.node({"$ref": "Named"})
    assert compiler.node({"$ref": "Named", "nullable": True}).nullable
    assert not compiler.node({"$ref": "Named"}).nullable
