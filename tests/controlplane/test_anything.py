"""Both servers answer alike to changes by several managers in any order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.controlplane.agreement import (
    JOB_SETS,
    JOBS,
    Object,
    assert_alike,
    condition,
    job,
    job_set,
)

if TYPE_CHECKING:
    from tests.controlplane.api import Answer, Api
    from tests.controlplane.crds import Definitions

REQUESTS = 25
HOW = ("apply", "apply", "apply", "force", "force", "patch", "put", "status", "delete")


@pytest.mark.parametrize("kind", ["JobSet", "TrainJob"])
@pytest.mark.parametrize("seed", range(25))
def test_both_servers_answer_alike_to_anything(api: Api, definitions: Definitions, seed: int, kind: str) -> None:
    place, make = (f"{JOB_SETS}/set", any_job_set) if kind == "JobSet" else (f"{JOBS}/job", any_train_job)

    def scenario(client: Api) -> Iterator[Answer]:
        chance = random.Random(seed)
        for _ in range(REQUESTS):
            yield anything(client, chance, place, make)

    definitions.install("2.3")
    assert_alike(api, scenario)


def anything(api: Api, chance: random.Random, place: str, make: Callable[[random.Random], Object]) -> Answer:
    """Some change of an object by somebody."""
    manager, body = chance.choice(("trainer", "kueue", "hand")), make(chance)
    match chance.choice(HOW):
        case "apply":
            return api.apply(place, body, manager=manager, force=False)
        case "force":
            return api.apply(place, body, manager=manager)
        case "patch":
            return api.merge_patch(place, {"metadata": body["metadata"], "spec": body["spec"]}, fieldManager=manager)
        case "put":
            live = api.request("GET", place).body
            return api.request("PUT", place, {**live, "spec": body["spec"]}, fieldManager=manager)
        case "status":
            return any_status(api, chance, place, body)
    return api.request("DELETE", place) if chance.random() < 0.3 else api.request("GET", place)


def any_status(api: Api, chance: random.Random, place: str, body: Object) -> Answer:
    """Some conditions, patched or applied."""
    kinds = chance.sample(("Suspended", "Completed", "Failed"), chance.randint(0, 3))
    status = {"status": {"conditions": [condition(kind) for kind in kinds]}}
    if chance.random() < 0.5:
        return api.merge_patch(f"{place}/status", status, fieldManager="controller")
    bare = {key: value for key, value in body.items() if key != "spec"}
    return api.apply(f"{place}/status", {**bare, **status}, manager="controller")


def some(chance: random.Random, *values: str) -> list[str]:
    """Some of the values, in any order."""
    return chance.sample(values, chance.randint(0, len(values)))


def with_any_metadata(body: Object, chance: random.Random) -> Object:
    """The object with some labels and finalizers."""
    if chance.random() < 0.7:
        body["metadata"]["labels"] = {key: chance.choice("12") for key in some(chance, "l", "m")}
    if chance.random() < 0.3:
        body["metadata"]["finalizers"] = some(chance, "a.b/c", "d.e/f")
    if chance.random() < 0.7:
        body["spec"]["suspend"] = chance.random() < 0.5
    return body


def any_environment(chance: random.Random) -> list[Object]:
    """Some variables."""
    return [{"name": key, "value": chance.choice("12")} for key in some(chance, "A", "B", "C")]


def any_job_set(chance: random.Random) -> Object:
    """A JobSet of a few containers, with environment, arguments and ports in any order."""
    containers = []
    for name in some(chance, "node", "side", "more") or ["node"]:
        container: Object = {"name": name}
        if chance.random() < 0.6:
            container["image"] = chance.choice("ab")
        if chance.random() < 0.6:
            container["env"] = any_environment(chance)
        if chance.random() < 0.4:
            container["args"] = some(chance, "x", "y")
        if chance.random() < 0.3:
            container["ports"] = [{"containerPort": int(port)} for port in some(chance, "80", "81")]
        containers.append(container)
    return with_any_metadata(job_set(*containers), chance)


def any_train_job(chance: random.Random) -> Object:
    """A TrainJob whose patches may change, and a trainer that may not."""
    body = job()
    if chance.random() < 0.3:
        body["spec"]["trainer"] = {"image": chance.choice("ab"), "env": any_environment(chance)}
    if chance.random() < 0.7:
        body["spec"]["runtimePatches"] = [any_patch(chance, name) for name in some(chance, "a.b/c", "d.e/f", "wrong")]
    if chance.random() < 0.2:
        body["spec"]["managedBy"] = chance.choice(("kueue.x-k8s.io/multikueue", "nobody"))
    return with_any_metadata(body, chance)


def any_patch(chance: random.Random, manager: str) -> Object:
    """A patch of one job."""
    pod = {"nodeSelector": {key: chance.choice("12") for key in some(chance, "k", "n")}}
    jobs = [{"name": name, "template": {"spec": {"template": {"spec": pod}}}} for name in some(chance, "node", "side")]
    return {"manager": manager, "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}
