"""The API server's own verdicts, asked for here and now, are those of ``admit`` without webhooks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.controlplane.verdicts import NAMESPACES, Object, disagreement, place, recorded

if TYPE_CHECKING:
    from tests.controlplane.api import Api

SAMPLE = 150
SEED = 7
STRICT = {"fieldValidation": "Strict", "dryRun": "All"}


@pytest.fixture
def everything(request: pytest.FixtureRequest) -> bool:
    """Is ``--all-verdicts`` on?"""
    return bool(request.config.getoption("--all-verdicts", default=False))


@pytest.fixture(autouse=True)
def _namespaces(api: Api) -> None:
    """The namespaces that recorded manifests lie in."""
    for name in NAMESPACES:
        api.apply(f"/api/v1/namespaces/{name}", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def test_verdicts_on_create_are_the_servers(api: Api, release: str, everything: bool) -> None:
    wrong = []
    for case in chosen(recorded(release), everything=everything):
        answer = api.request("POST", place(case["object"]), case["object"], **STRICT)
        verdict = trainergen.admit(case["object"], release=release, webhooks=False)
        if difference := disagreement(answer, verdict):
            wrong.append((case["id"], case["what"], difference))
    assert wrong == []


def test_verdicts_on_update_are_the_servers(api: Api, release: str, everything: bool) -> None:
    wrong = []
    for case, base in updates(recorded(release), everything=everything):
        path = f"{place(base)}/{base['metadata']['name']}"
        api.request("DELETE", path)
        created = api.request("POST", place(base), base)
        assert created.ok, created.body
        changed = deepcopy(case["object"])
        changed["metadata"] = {**changed["metadata"], "resourceVersion": created.body["metadata"]["resourceVersion"]}
        answer = api.request("PUT", path, changed, **STRICT)
        verdict = trainergen.admit(changed, release=release, old=created.body, webhooks=False)
        if difference := disagreement(answer, verdict):
            wrong.append((case["id"], case["what"], difference))
    assert wrong == []


def chosen(every: list[Object], *, everything: bool) -> list[Object]:
    """All, or the same few of them every time."""
    return every if everything else random.Random(SEED).sample(every, SAMPLE)


def updates(every: list[Object], *, everything: bool) -> Iterator[tuple[Object, Object]]:
    """Each recorded manifest as a change of a valid one of the same kind and name."""
    bases: dict[tuple[str, str, str], list[Object]] = {}
    for case in every:
        if case["verdict"] == "valid":
            bases.setdefault(identity(case["object"]), []).append(case["object"])
    chance = random.Random(SEED)
    for case in chosen(every, everything=everything):
        candidates = bases.get(identity(case["object"]), ())
        if candidates:
            yield case, chance.choice(candidates)


def identity(obj: Object) -> tuple[str, str, str]:
    """Kind, namespace and name; a change of them is another object's business."""
    metadata = obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return obj["kind"], str(metadata.get("namespace")), str(metadata.get("name"))
