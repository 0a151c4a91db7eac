"""What an update forgives: objects that were stored before the CRD refused them, changed elsewhere and in place."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.controlplane.crds import COLLECTION, trainer_crds
from tests.controlplane.verdicts import NAMESPACES, Object, disagreement, place, recorded

if TYPE_CHECKING:
    from tests.controlplane.api import Api
    from tests.controlplane.crds import Definitions

RELEASE = "2.3"
EVERY = 3
LIMIT = 30.0
DRY = {"dryRun": "All"}


def relabelled(obj: Object) -> None:
    """A change of the metadata."""
    obj["metadata"]["labels"] = {"changed": "yes"}


def refilled(obj: Object) -> None:
    """A change beside what is wrong."""
    spec = obj["spec"]
    if obj["kind"] == "TrainJob":
        spec["suspend"] = not spec.get("suspend")
    elif isinstance(spec.get("template"), dict):
        spec["template"]["metadata"] = {"labels": {"changed": "yes"}}


def shortened(obj: Object) -> None:
    """A change of lists that may hold what is wrong."""
    spec = obj["spec"]
    for field in ("trainer", "template"):
        if isinstance(spec.get(field), dict):
            spec[field] = pruned(spec[field])


def pruned(value: object) -> object:
    """Without the last entry of every list."""
    if isinstance(value, dict):
        return {key: pruned(child) for key, child in value.items()}
    return [pruned(one) for one in value[:-1]] if isinstance(value, list) and len(value) > 1 else value


CHANGES: tuple[Callable[[Object], None], ...] = (relabelled, refilled, shortened)


def test_updates_of_invalid_objects_are_judged_as_the_server_does(api: Api, definitions: Definitions) -> None:
    definitions.install(RELEASE)
    cases = [case["object"] for case in recorded(RELEASE) if case["verdict"] == "invalid"][::EVERY]
    swap(api, [loosened(crd) for crd in trainer_crds(RELEASE)])
    kept = stored(api, cases)
    swap(api, trainer_crds(RELEASE))
    definitions.forget()
    assert_judged_alike(api, kept, RELEASE)


@pytest.mark.parametrize(("before", "release"), [("2.0", "2.1"), ("2.1", "2.2"), ("2.2", "2.3")])
def test_updates_of_objects_of_the_release_before_are_judged_as_the_server_does(
    api: Api, definitions: Definitions, before: str, release: str
) -> None:
    definitions.install(before)
    kept = stored(api, [case["object"] for case in recorded(before) if case["verdict"] == "valid"])
    swap(api, trainer_crds(release))
    definitions.forget()
    assert_judged_alike(api, kept, release)


def assert_judged_alike(api: Api, paths: list[str], release: str) -> None:
    """Changes each object in several ways; fails with all verdicts that differ."""
    assert len(paths) > 50
    wrong, left_open = [], 0
    for path in paths:
        old = api.request("GET", path).body
        for change in CHANGES:
            new = deepcopy(old)
            change(new)
            answer = api.request("PUT", path, new, **DRY)
            verdict = trainergen.admit(new, release=release, old=old, webhooks=False)
            left_open += bool(verdict.not_evaluated) and not verdict.refused
            if difference := disagreement(answer, verdict):
                wrong.append((path, change.__name__, difference))
    assert not wrong, "\n".join(map(str, wrong))
    assert left_open < len(paths) * len(CHANGES) / 5


def stored(api: Api, objects: list[Object]) -> list[str]:
    """Stores objects under names of their own, and gives the places of those that were taken."""
    for name in NAMESPACES:
        api.apply(f"/api/v1/namespaces/{name}", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    kept = []
    for number, obj in enumerate(objects):
        if isinstance(obj.get("spec"), dict) and isinstance(obj.get("metadata"), dict):
            renamed = {**obj, "metadata": {**obj["metadata"], "name": f"old-{number}"}}
            if api.request("POST", place(renamed), renamed).ok:
                kept.append(f"{place(renamed)}/old-{number}")
    return kept


def loosened(crd: Object) -> Object:
    """The CRD with a specification that may be anything."""
    loose = deepcopy(crd)
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": {**anything, "properties": {}}, "status": anything}}
    loose["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema
    return loose


def swap(api: Api, crds: Iterable[Object]) -> None:
    """Puts CRDs in the place of those there are, with their objects left alone, and waits until they count.

    They count once a field is known that is added to them for that.
    """
    for crd in crds:
        path = f"{COLLECTION}/{crd['metadata']['name']}"
        found = api.request("GET", path).body
        marked = deepcopy(crd["spec"])
        field = f"probe{found['metadata']['generation']}"
        marked["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"][field] = {
            "type": "object"
        }
        answer = api.request("PUT", path, {**found, "spec": marked})
        assert answer.ok, answer.body
        kind = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": crd["spec"]["names"]["kind"]}
        settle(api, {**kind, "metadata": {"name": "probe"}, "spec": {field: {"unknown": {}}}})


def settle(api: Api, probe: Object) -> None:
    """Waits until the one field of the specification is known, and only what is in it is not."""
    (field,) = probe["spec"]
    deadline = time.monotonic() + LIMIT
    while f"spec.{field}.unknown" not in str(api.request("POST", place(probe), probe, **DRY, fieldValidation="Strict")):
        assert time.monotonic() < deadline
        time.sleep(0.1)
