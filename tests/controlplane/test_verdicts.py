"""The API server's own verdicts, asked for here and now, are those of ``admit`` without webhooks."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import trainergen
from tests.controlplane.crds import ORACLE, TRAINER

if TYPE_CHECKING:
    from tests.controlplane.api import Answer, Api

SAMPLE = 150
SEED = 7
STRICT = {"fieldValidation": "Strict", "dryRun": "All"}
OWN_FIELDS = ("uid", "creationTimestamp", "generation", "resourceVersion", "managedFields")

Object = dict[str, Any]


def cases(release: str, *, everything: bool) -> list[Object]:
    """Recorded manifests, or the same few of them every time; YAML that is read in a way of its own is left out."""
    recorded = json.loads(lzma.decompress((ORACLE / f"admission-{release}.json.xz").read_bytes()))
    chosen = recorded if everything else random.Random(SEED).sample(recorded, SAMPLE)
    return [{**case, "object": yaml.load(case["manifest"], yaml.CSafeLoader)} for case in chosen]


@pytest.fixture
def everything(request: pytest.FixtureRequest) -> bool:
    """Is ``--all-verdicts`` on?"""
    return bool(request.config.getoption("--all-verdicts", default=False))


def place(obj: Object) -> str:
    """The collection that an object is sent to, whatever its metadata is like."""
    metadata = obj.get("metadata")
    namespace = (metadata.get("namespace") if isinstance(metadata, dict) else None) or "default"
    plural = f"{obj['kind'].lower()}s"
    within = f"namespaces/{namespace}/" if obj["kind"] != "ClusterTrainingRuntime" else ""
    return f"{TRAINER}/{within}{plural}"


def stored(obj: Object) -> Object:
    """An object without what the server gives each by itself."""
    metadata = {key: value for key, value in obj["metadata"].items() if key not in OWN_FIELDS}
    return {**obj, "metadata": metadata}


def disagreement(answer: Answer, verdict: Any) -> str:
    """How the two differ; nothing if they agree."""
    found = [finding.path for finding in verdict.findings if finding.refuses]
    if answer.ok != (not found):
        return f"server: {answer.code} {answer.body.get('message', '')[:300]}; found: {found}"
    if not answer.ok:
        fields = [field.replace("<nil>", "") for _, field in answer.causes]
        lost = [field for field in fields if not any(related(field, path) for path in found)]
        return f"server: {fields}; found: {found}" if lost else ""
    sent, ours = stored(answer.body), stored(verdict.object)
    return "" if sent == ours else f"stored: {json.dumps(sent)}; ours: {json.dumps(ours)}"


def related(one: str, other: str) -> bool:
    """One path is the other, or lies around it."""
    short, long = sorted((one, other), key=len)
    return long == short or not short or (long.startswith(short) and long[len(short)] in ".[")


@pytest.fixture
def namespaces(api: Api) -> None:
    """The namespaces that recorded manifests lie in."""
    for name in ("nlp", "hpc", "tabular", "team-a"):
        api.apply(f"/api/v1/namespaces/{name}", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


@pytest.mark.usefixtures("namespaces")
def test_verdicts_on_create_are_the_servers(api: Api, release: str, everything: bool) -> None:
    wrong = []
    for case in cases(release, everything=everything):
        answer = api.request("POST", place(case["object"]), case["object"], **STRICT)
        verdict = trainergen.admit(case["object"], release=release, webhooks=False)
        if difference := disagreement(answer, verdict):
            wrong.append((case["id"], case["what"], difference))
    assert wrong == []


@pytest.mark.usefixtures("namespaces")
def test_verdicts_on_update_are_the_servers(api: Api, release: str, everything: bool) -> None:
    wrong = []
    for case, base in updates(cases(release, everything=True), few=not everything):
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


def updates(every: list[Object], *, few: bool) -> Iterator[tuple[Object, Object]]:
    """Each recorded manifest as a change of a valid one of the same kind and name."""
    bases: dict[tuple[str, str], list[Object]] = {}
    for case in every:
        if case["verdict"] == "valid":
            bases.setdefault(identity(case["object"]), []).append(case["object"])
    chance = random.Random(SEED)
    for case in chance.sample(every, SAMPLE) if few else every:
        candidates = bases.get(identity(case["object"]), ())
        if candidates:
            yield case, chance.choice(candidates)


def identity(obj: Object) -> tuple[str, str, str]:
    """Kind, namespace and name; a change of them is another object's business."""
    metadata = obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return obj["kind"], str(metadata.get("namespace")), str(metadata.get("name"))
