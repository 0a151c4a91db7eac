"""The schema by which the server checks a JobSet is that of JobSet's own resource definition."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from trainergen_controller.inprocess.resources import served
from trainergen_controller.kinds import JOB_SET

ORACLE = Path(__file__).parents[2] / "oracle" / "crds" / "jobsets.json.xz"
PATCH_KEYS = ("x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy")
POD = (
    "properties.replicatedJobs.items.properties.template.properties.spec.properties.template.properties.spec.properties"
)
# What JobSet 0.11 takes of Pods lags behind the Kubernetes version that Trainer 2.2 is built with.
KNOWN = {"2.2": {f"{POD}.schedulingGroup", f"{POD}.workloadRef"}}


@pytest.mark.parametrize("release", ["2.0", "2.1", "2.2", "2.3"])
def test_specification_is_the_recorded_one(release: str) -> None:
    recorded = json.loads(lzma.decompress(ORACLE.read_bytes()))[release]
    root = recorded["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    resource = served(release)[JOB_SET]
    ours = expanded(resource.structural.schema, resource)
    found = set(differing(root["properties"]["spec"], ours["properties"]["spec"], ""))
    assert found == KNOWN.get(release, set())


def test_status_has_the_recorded_fields_and_keys() -> None:
    recorded = json.loads(lzma.decompress(ORACLE.read_bytes()))["2.3"]
    root = recorded["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]
    resource = served("2.3")[JOB_SET]
    ours = expanded(resource.structural.schema, resource)["properties"]["status"]
    assert ours["properties"].keys() == root["properties"].keys()
    for name, field in root["properties"].items():
        for key in ("type", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"):
            assert ours["properties"][name].get(key) == field.get(key), (name, key)


def expanded(node: Any, resource: Any) -> Any:
    if isinstance(node, list):
        return [expanded(one, resource) for one in node]
    if not isinstance(node, dict):
        return node
    content = resource.schemas.resolve(node) if isinstance(node.get("$ref"), str) else node
    return {key: expanded(value, resource) for key, value in content.items() if key not in PATCH_KEYS}


def differing(one: Any, other: Any, place: str) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            yield from differing(one.get(key), other.get(key), f"{place}.{key}" if place else key)
    elif one != other:
        yield place
