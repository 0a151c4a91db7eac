"""The CRDs that the model gives are the ones that the releases ship."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from trainergen.api.generate.crd import crd_file_name
from trainergen.api.generate.lowering import inline
from trainergen.api.kinds import KINDS
from trainergen.api.structural import load
from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.api.resource import Resource

PATCH_KEYS = {"x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy"}


@pytest.fixture(params=KINDS, ids=lambda model: model.resource.kind)
def model(request: pytest.FixtureRequest) -> type[Resource]:
    """The class of each kind in turn."""
    found: type[Resource] = request.param
    return found


@pytest.fixture
def generated(release: str, model: type[Resource]) -> dict[str, Any]:
    """The committed CRD."""
    path = data_dir("schemas") / release / "crds" / crd_file_name(model)
    crd: dict[str, Any] = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    return crd


def without(node: Any, dropped: set[str], *, named: bool = False) -> Any:
    """The schema without some keywords; properties of such a name stay."""
    if isinstance(node, list):
        return [without(item, dropped) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: without(value, dropped, named=key == "properties" and not named)
        for key, value in node.items()
        if named or key not in dropped
    }


def paths_with_description(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of all described nodes of a schema."""
    if isinstance(node.get("description"), str):
        yield path
    for name, below in node.get("properties", {}).items():
        yield from paths_with_description(below, (*path, name))
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield from paths_with_description(node[key], (*path, key))


def schema_of(crd: dict[str, Any]) -> Any:
    """The schema of a CRD's only version."""
    return crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]


def test_without_descriptions_the_schema_equals_the_shipped_one(
    generated: dict[str, Any], recorded_crds: dict[str, Any], model: type[Resource]
) -> None:
    assert without(schema_of(generated), {"description"}) == schema_of(recorded_crds[model.resource.plural])


def test_everything_beside_the_schema_equals_the_shipped_crd(
    generated: dict[str, Any], recorded_crds: dict[str, Any], model: type[Resource]
) -> None:
    recorded = recorded_crds[model.resource.plural]
    assert without(generated["spec"], {"schema"}) == without(recorded["spec"], {"schema"})
    assert generated["metadata"] == {"name": recorded["metadata"]["name"]}
    assert (generated["apiVersion"], generated["kind"]) == (recorded["apiVersion"], recorded["kind"])


def test_own_fields_are_described_and_embedded_kubernetes_types_are_not(
    generated: dict[str, Any], model: type[Resource]
) -> None:
    described = set(paths_with_description(schema_of(generated)))
    assert {(), ("spec",)} <= described
    pod = ("spec", "template", "spec", "replicatedJobs", "items", "template")
    if model.resource.kind != "TrainJob":
        assert pod in described
        assert not [path for path in described if path[: len(pod)] == pod and len(path) > len(pod)]


def test_the_structural_file_holds_the_shipped_schema_too(
    release: str, model: type[Resource], recorded_crds: dict[str, Any]
) -> None:
    schemas = load(release)
    structural = inline(schemas.kinds[model.resource.kind].schema, schemas.definitions)
    assert without(structural, PATCH_KEYS) == schema_of(recorded_crds[model.resource.plural])
