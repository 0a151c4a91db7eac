"""What an update forgives: objects that were stored before the CRD refused them, changed elsewhere and in place."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING

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
    kept = stored_loosely(api, definitions)
    definitions.forget()
    assert len(kept) > 50
    wrong, left_open = [], 0
    for path in kept:
        old = api.request("GET", path).body
        for change in CHANGES:
            new = deepcopy(old)
            change(new)
            answer = api.request("PUT", path, new, **DRY)
            verdict = trainergen.admit(new, release=RELEASE, old=old, webhooks=False)
            left_open += bool(verdict.not_evaluated) and not verdict.refused
            if difference := disagreement(answer, verdict):
                wrong.append((path, change.__name__, difference))
    assert not wrong, "\n".join(map(str, wrong))
    assert left_open < len(kept) * len(CHANGES) / 5


def stored_loosely(api: Api, definitions: Definitions) -> list[str]:
    """Recorded invalid objects, stored under CRDs that take any specification; then the CRDs are as they should be."""
    for name in NAMESPACES:
        api.apply(f"/api/v1/namespaces/{name}", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    cases = [case["object"] for case in recorded(RELEASE) if case["verdict"] == "invalid"][::EVERY]
    objects = [obj for obj in cases if isinstance(obj.get("spec"), dict) and isinstance(obj.get("metadata"), dict)]
    for crd in trainer_crds(RELEASE):
        replace(api, loosened(crd))
    settle(api, objects[0], refused=False)
    kept = []
    for number, obj in enumerate(objects):
        renamed = {**obj, "metadata": {**obj["metadata"], "name": f"old-{number}"}}
        answer = api.request("POST", place(renamed), renamed)
        if answer.ok:
            kept.append(f"{place(renamed)}/old-{number}")
    for crd in trainer_crds(RELEASE):
        replace(api, crd)
    settle(api, objects[0], refused=True)
    return kept


def loosened(crd: Object) -> Object:
    """The CRD with a specification that may be anything."""
    loose = deepcopy(crd)
    version = loose["spec"]["versions"][0]
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version["schema"]["openAPIV3Schema"] = {"type": "object", "properties": {"spec": anything, "status": anything}}
    return loose


def replace(api: Api, crd: Object) -> None:
    """Puts a CRD in the place of the one there is, with its objects left alone."""
    path = f"{COLLECTION}/{crd['metadata']['name']}"
    found = api.request("GET", path).body
    answer = api.request("PUT", path, {**found, "spec": crd["spec"]})
    assert answer.ok, answer.body


def settle(api: Api, invalid: Object, *, refused: bool) -> None:
    """Waits until the API server judges by the CRDs there are."""
    deadline = time.monotonic() + LIMIT
    probe = {**invalid, "metadata": {**invalid["metadata"], "name": "probe"}}
    while api.request("POST", place(probe), probe, **DRY).ok == refused:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(1.0)  # the other kinds follow
