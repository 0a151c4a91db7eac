"""The JSON Schemas for editors and kubeconform."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import jsonschema
import pytest

from trainergen.datafiles import data_dir

JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "mnist", "labels": {"team": "vision"}},
    "spec": {
        "runtimeRef": {"name": "torch-distributed"},
        "trainer": {"numNodes": 2, "env": [{"name": "A", "value": "1"}]},
    },
}
NEWEST = "2.3"


def schema(release: str, kind: str) -> dict[str, Any]:
    """The committed schema of a kind."""
    path = data_dir("schemas") / release / f"{kind.lower()}_v1alpha1.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def faults(instance: Any, release: str = NEWEST) -> list[str]:
    """Where and what the schema refuses in an object."""
    validator = jsonschema.Draft7Validator(schema(release, instance["kind"]))
    return [f"{error.json_path}: {error.validator}" for error in validator.iter_errors(instance)]


def changed(path: str, value: Any) -> dict[str, Any]:
    """The example job with one value set."""
    job = deepcopy(JOB)
    *parents, last = path.split(".")
    node = job
    for step in parents:
        node = node.setdefault(step, {})
    node[last] = value
    return job


@pytest.mark.parametrize("kind", ["TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"])
def test_the_schema_is_valid_draft_7_and_refers_to_nothing_outside(release: str, kind: str) -> None:
    found = schema(release, kind)
    jsonschema.Draft7Validator.check_schema(found)
    text = json.dumps(found)
    assert text.count('"$ref": "') == text.count('"$ref": "#/definitions/')


def test_runtimes_fit_the_release_that_ships_them(release: str, shipped_runtimes: dict[str, Any]) -> None:
    assert [fault for runtime in shipped_runtimes.values() for fault in faults(runtime, release)] == []


ACCEPTED: dict[str, dict[str, Any]] = {
    "a plain job": JOB,
    "null for an optional object, which the server drops": changed("spec.initializer", None),
    "null for an optional scalar": changed("spec.trainer.image", None),
    "null for a value of a map": changed("spec.trainer.resourcesPerNode", {"limits": {"cpu": None}}),
    "an integer as quantity": changed("spec.trainer.resourcesPerNode", {"limits": {"cpu": 2}}),
    "server-side metadata": changed("metadata.managedFields", [{"manager": "x", "fieldsV1": {"f:spec": {}}}]),
    "anything a patch may hold": changed("spec.runtimePatches", [{"manager": "example.com/x"}]),
}


@pytest.mark.parametrize("job", ACCEPTED.values(), ids=ACCEPTED)
def test_accepts(job: dict[str, Any]) -> None:
    assert faults(job) == []


REFUSED = {
    "an unknown field": (changed("spec.trainer.numnodes", 2), "$.spec: anyOf"),
    "an unknown field at the top": (changed("extra", {}), "$: additionalProperties"),
    "unknown metadata": (changed("metadata.label", {}), "$.metadata: additionalProperties"),
    "a missing runtimeRef": (changed("spec", {}), "$.spec: anyOf"),
    "null in a list": (changed("spec.trainer.env", [None]), "$.spec: anyOf"),
    "null for a required field": (changed("spec.runtimeRef", None), "$.spec: anyOf"),
    "a field of an older release": (changed("spec.podTemplateOverrides", []), "$.spec: anyOf"),
    "a label that is no string": (changed("metadata.labels.a", 1), "$.metadata.labels.a: type"),
    "another kind": (changed("apiVersion", "trainer.kubeflow.org/v1"), "$.apiVersion: enum"),
    "a name that is too long": (changed("spec.runtimeRef.name", "x" * 254), "$.spec: anyOf"),
    "a quantity that is none": (changed("spec.trainer.resourcesPerNode", {"limits": {"cpu": "many"}}), "$.spec: anyOf"),
}


@pytest.mark.parametrize(("job", "fault"), REFUSED.values(), ids=REFUSED)
def test_refuses(job: dict[str, Any], fault: str) -> None:
    assert faults(job) == [fault]


def test_own_fields_carry_descriptions_for_editors() -> None:
    definitions = schema(NEWEST, "TrainJob")["definitions"]
    for name in ("TrainJobSpec", "Trainer", "RuntimePatch", "ObjectMeta"):
        undescribed = [field for field, node in definitions[name]["properties"].items() if "description" not in node]
        assert undescribed == [], name
