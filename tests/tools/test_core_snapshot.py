"""The tool that makes ``schemas/core`` snapshots, on a CRD and an OpenAPI document of a few lines."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from types import ModuleType

TOOL = Path(__file__).parent.parent.parent / "tools" / "core_snapshot.py"
EMBEDDED = "#/components/schemas/io.k8s.api.core.v1.Env"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("core_snapshot", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def env(**extra: Any) -> dict[str, Any]:
    """The embedded type as a CRD inlines it."""
    return {
        "type": "object",
        "description": "upstream text",
        "properties": {"name": {"type": "string"}, "description": {"type": "string", "description": "upstream text"}},
        **extra,
    }


def crd(fields: dict[str, Any]) -> dict[str, Any]:
    """A CRD of kind Thing whose spec has these fields."""
    schema = {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"properties": fields}}}
    version = {"name": "v1alpha1", "schema": {"openAPIV3Schema": schema}}
    return {"spec": {"names": {"kind": "Thing"}, "versions": [version]}}


def swagger(fields: dict[str, Any]) -> dict[str, Any]:
    """The OpenAPI document of kind Thing."""
    spec = {"$ref": "#/components/schemas/trainer.v1alpha1.ThingSpec"}
    schemas = {
        "trainer.v1alpha1.Thing": {"properties": {"spec": {"allOf": [spec]}}},
        "trainer.v1alpha1.ThingSpec": {"properties": fields},
        "io.k8s.api.core.v1.Env": {"properties": {"name": {"type": "string"}, "description": {"type": "string"}}},
    }
    return {"components": {"schemas": schemas}}


def types(tool: ModuleType, crd_fields: dict[str, Any], api_fields: dict[str, Any]) -> dict[str, Any]:
    """The types that the tool finds."""
    schema = crd(crd_fields)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema["properties"].pop("metadata")
    found: dict[str, Any] = tool.collect(swagger(api_fields), [("Thing", schema)])
    return found


def test_a_type_is_recorded_once_without_descriptions(tool: ModuleType) -> None:
    found = types(
        tool,
        {"one": env(), "many": {"type": "array", "items": env()}},
        {"one": {"allOf": [{"$ref": EMBEDDED}]}, "many": {"items": {"$ref": EMBEDDED}}},
    )
    fields = {"name": {"type": "string"}, "description": {"type": "string"}}
    assert found == {"core.v1.Env": {"type": "object", "properties": fields}}


def test_what_only_some_references_say_stays_with_the_reference(tool: ModuleType) -> None:
    walker = tool.Walker(swagger({"a": {"$ref": EMBEDDED}, "b": {"$ref": EMBEDDED}}))
    api = {"properties": {"a": {"$ref": EMBEDDED}, "b": {"$ref": EMBEDDED}}}
    schema = {"properties": {"a": env(nullable=True), "b": env(default={})}}
    walker.survey(schema, api)
    built = walker.build(tool.drop_descriptions(schema), api)
    assert built["properties"] == {
        "a": {"$ref": "core.v1.Env", "nullable": True},
        "b": {"$ref": "core.v1.Env", "default": {}},
    }
    assert "default" not in walker.types["core.v1.Env"]


def test_merge_keys_come_from_the_openapi_document(tool: ModuleType) -> None:
    api = {"items": {"$ref": EMBEDDED}, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}
    built = tool.Walker(swagger({})).build({"type": "array", "maxItems": 3}, api)
    assert built == {
        "type": "array",
        "maxItems": 3,
        "x-kubernetes-patch-merge-key": "name",
        "x-kubernetes-patch-strategy": "merge",
    }


def test_a_type_with_different_fields_at_two_places_is_an_error(tool: ModuleType) -> None:
    other = env()
    del other["properties"]["name"]
    with pytest.raises(SystemExit, match=r"type core\.v1\.Env occurs with different fields"):
        types(tool, {"a": env(), "b": other}, {"a": {"$ref": EMBEDDED}, "b": {"$ref": EMBEDDED}})


def test_the_command_writes_one_type_a_line(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "swagger.json").write_text(json.dumps(swagger({"a": {"$ref": EMBEDDED}})), encoding="utf-8")
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(crd({"a": env()})), encoding="utf-8")
    options = ["--kubernetes", "1.99", "--swagger", f"{tmp_path}/swagger.json", "--output", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["core_snapshot.py", *options, f"{tmp_path}/crd.yaml"])
    tool.main()
    text = (tmp_path / "1.99.json").read_text(encoding="utf-8")
    assert json.loads(text)["kubernetes"] == "1.99"
    assert sum(line.startswith('"core.v1.') for line in text.splitlines()) == len(json.loads(text)["types"]) == 1
