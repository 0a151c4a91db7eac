"""Reading of the structural schemas."""

from __future__ import annotations

import subprocess
import sys

import pytest

from trainergen.api.structural import Schema, StructuralSchemas, load
from trainergen.datafiles import data_dir
from trainergen.errors import TrainergenError

POD_TEMPLATE = ("spec", "template", "spec", "replicatedJobs", "[]", "template", "spec", "template")


def node_at(schemas: StructuralSchemas, kind: str, *steps: str) -> Schema:
    """The resolved node at some properties and list items (``[]``)."""
    node = schemas.resolve(schemas.kinds[kind].schema)
    for step in steps:
        node = schemas.resolve(node["items"] if step == "[]" else node["properties"][step])
    return node


def test_each_release_has_the_three_kinds_with_their_scope(release: str) -> None:
    kinds = load(release).kinds
    assert {name: kind.namespaced for name, kind in kinds.items()} == {
        "TrainJob": True,
        "TrainingRuntime": True,
        "ClusterTrainingRuntime": False,
    }
    assert {kind.api_version for kind in kinds.values()} == {"trainer.kubeflow.org/v1alpha1"}


def test_a_reference_takes_the_definition_and_lays_its_other_keys_over_it() -> None:
    schemas = StructuralSchemas("x", {"A": {"type": "string", "maxLength": 1}, "B": {"$ref": "A", "minLength": 1}}, {})
    node = {"$ref": "B", "maxLength": 9}
    resolved = schemas.resolve(node)
    assert resolved == {"type": "string", "maxLength": 9, "minLength": 1}
    assert schemas.resolve(node) is resolved
    assert schemas.resolve({"type": "integer"}) == {"type": "integer"}


def test_containers_merge_by_name_in_every_release(release: str) -> None:
    containers = node_at(load(release), "TrainingRuntime", *POD_TEMPLATE, "spec", "containers")
    assert containers["x-kubernetes-patch-merge-key"] == "name"


@pytest.mark.parametrize(("release_name", "key"), [("2.0", None), ("2.1", None), ("2.2", None), ("2.3", "name")])
def test_replicated_jobs_merge_by_name_only_with_the_jobset_that_says_so(release_name: str, key: str | None) -> None:
    jobs = node_at(load(release_name), "TrainingRuntime", *POD_TEMPLATE[:4])
    assert jobs.get("x-kubernetes-patch-merge-key") == key


def test_an_unknown_release_is_an_error_with_a_way_out() -> None:
    with pytest.raises(TrainergenError, match=r"no schemas for Trainer release '1\.9'") as error:
        load("1.9")
    assert error.value.hint


def test_the_file_is_small(release: str) -> None:
    assert (data_dir("schemas") / release / "structural.json").stat().st_size < 90_000


def test_reading_schemas_imports_neither_pydantic_nor_yaml() -> None:
    code = "import sys; from trainergen.api.structural import load; load('2.3'); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pydantic", "yaml", "ruamel.yaml"} & set(modules)
