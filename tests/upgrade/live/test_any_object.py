"""Whatever objects a cluster holds, and whatever cannot be read of them: a report, or an error of ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.upgrade.live.cluster import OVERRIDES, crds, deployment, healthy, job, runtime, webhooks
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade
from trainergen.output.upgrades import FORMATS, render
from trainergen.upgrade.live.reader import CRDS, DEPLOYMENTS, NotFoundError, ReadError, Resource

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from trainergen.finding import JsonObject

_TEXTS = st.text(max_size=5) | st.sampled_from(["trainer.kubeflow.org", "v1alpha1", "auto", "a/b", "\x1b[31m"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | _TEXTS,
    lambda below: st.lists(below, max_size=2) | st.dictionaries(_TEXTS, below, max_size=2),
    max_leaves=4,
)
_SEEDS: list[Any] = [
    crds("2.3")[2] | {"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"properties": {}}}}]}},
    deployment("ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.1.0", "--x", helm="trainer"),
    webhooks("validator.trainer.kubeflow.org"),
    runtime("torch-distributed", "2.1"),
    job("a", OVERRIDES),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """All containers in a value with a key or position in them."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [pair for key in keys for pair in ((value, key), *places(value[key]))]


@st.composite
def spoilt(draw: st.DrawFn) -> JsonObject:
    """An object of a cluster in which anything stands somewhere."""
    found: JsonObject = json.loads(json.dumps(draw(st.sampled_from(_SEEDS))))
    for _ in range(draw(st.integers(0, 3))):
        inside, key = draw(st.sampled_from(places(found)))
        inside[key] = draw(_VALUES)
    return found


class Anything:
    """A cluster that answers every request with one of the objects, or with an error."""

    context = "own"

    def __init__(self, objects: list[JsonObject], errors: set[str]) -> None:
        self._objects = objects
        self._errors = errors

    def version(self) -> str:
        return "v1.34.1"

    def get(self, resource: Resource, name: str, namespace: str = "") -> JsonObject:
        return self.list(resource)[0]

    def list(
        self, resource: Resource, *, namespace: str = "", selector: str = "", metadata_only: bool = False
    ) -> list[JsonObject]:
        if resource.plural in self._errors:
            raise ReadError("broken")
        if not self._objects:
            raise NotFoundError("nothing")
        return [{"metadata": one.get("metadata")} for one in self._objects] if metadata_only else self._objects


_PLURALS = ["trainjobs", "trainingruntimes", "deployments", "secrets", "customresourcedefinitions"]


@settings(max_examples=60)
@given(objects=st.lists(spoilt(), max_size=3), errors=st.sets(st.sampled_from(_PLURALS)))
def test_any_objects_make_a_report(
    tmp_path_factory: pytest.TempPathFactory, objects: list[JsonObject], errors: set[str]
) -> None:
    tree = str(tmp_path_factory.mktemp("empty"))
    report = run_upgrade(UpgradeOptions((tree,), "2.1", "2.3"), Anything(objects, errors))
    for name in FORMATS:
        assert "\x1b" not in render(name, report)


def test_an_object_of_two_names_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    again = healthy().add(CRDS, *crds("2.1")).add(DEPLOYMENTS, deployment("registry.k8s.io/jobset/jobset:v0.10.1"))
    assert run_upgrade(UpgradeOptions((".",), "2.1", "2.3"), again).live is not None
