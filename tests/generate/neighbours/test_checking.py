"""What neighbours refer to has to be there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.generate.specs import resolved, with_job, with_runtime
from trainergen.errors import TrainergenError

STORAGE = {
    "result": {"mount": "/result", "claim": "result", "size": "1Ti"},
    "data": {"mount": "/data", "claim": "data", "read-only": True},
}
PACKAGE = {"to": "registry.example.com/team/bert:1", "claim": "result", "secret": "registry"}


def search(parameter: dict[str, Any] | None = None, **changed: Any) -> dict[str, Any]:
    """An experiment over one parameter."""
    given = {"min": 0, "max": 1} if parameter is None else parameter
    return {"metric": "loss", "goal": "minimize", "parameters": {"lr": given}, **changed}


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a claim that nothing mounts": (
        {"package": {**PACKAGE, "claim": "results"}},
        "jobs.bert.package.claim: the training does not write to the claim 'results' (did you mean 'result'?)",
    ),
    "a claim that is mounted for reading": (
        {"package": {**PACKAGE, "claim": "data"}},
        "jobs.bert.package.claim: the training does not write to the claim 'data'",
    ),
    "a served claim that nothing mounts": (
        {"serving": {"uri": "pvc://other/bert"}},
        "jobs.bert.serving.uri: the training does not write to the claim 'other'",
    ),
    "a served kit that is not the packed one": (
        {"package": PACKAGE, "serving": {"uri": "kit://registry.example.com/team/bert:2"}},
        (
            "jobs.bert.serving.uri: 'registry.example.com/team/bert:2' is to be served, but "
            "'registry.example.com/team/bert:1' is packed"
        ),
    ),
    "a served model without a scheme": (
        {"serving": {"uri": "result/bert"}},
        "jobs.bert.serving.uri: 'result/bert' has no scheme",
    ),
    "a parameter that nothing takes": (
        {"experiment": search(), "args": ["--lr=$lr"]},
        "jobs.bert.experiment.parameters.lr: nothing in the job refers to the parameter 'lr'",
    ),
    "a parameter without a range": (
        {"experiment": search({})},
        "jobs.bert.experiment.parameters.lr: the parameter 'lr' has neither values nor min and max",
    ),
    "a parameter with too much": (
        {"experiment": search({"values": ["1"], "min": 0})},
        "jobs.bert.experiment.parameters.lr: the parameter 'lr' has values and a range",
    ),
    "an empty range": (
        {"experiment": search({"min": 1, "max": 0.5})},
        "jobs.bert.experiment.parameters.lr: min is 1, but max is 0.5",
    ),
    "a grid without steps": (
        {"experiment": search(algorithm="grid")},
        "jobs.bert.experiment.parameters.lr: a grid needs steps, and the parameter 'lr' has none",
    ),
    "an unknown algorithm": (
        {"experiment": search(algorithm="randon")},
        "jobs.bert.experiment.algorithm: Katib has no algorithm 'randon' (did you mean 'random'?)",
    ),
    "more trials at a time than in all": (
        {"experiment": search(parallel=5, trials=4)},
        "jobs.bert.experiment.parallel: 5 trials are to run at a time, but there are 4 in all",
    ),
    "a sweep and an experiment": (
        {"experiment": search(), "sweep": {"x": ["1"]}},
        "jobs.bert.experiment: the job has a sweep and an experiment, which both choose parameters",
    ),
    "an experiment and a workflow": (
        {"experiment": search(), "workflow": {}},
        "jobs.bert.workflow: the job has an experiment and a workflow, which both start it",
    ),
    "one package for a sweep": (
        {"package": PACKAGE, "sweep": {"lr": ["1", "2"]}},
        "jobs.bert.package: the sweep makes several results, and package takes one",
    ),
    "one service for an experiment": (
        {"experiment": search(), "serving": {"uri": "hf://a/b"}},
        "jobs.bert.serving: the experiment makes several results, and serving takes one",
    ),
}


@pytest.mark.parametrize(("fields", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_neighbour_that_cannot_be_right_is_refused(fields: dict[str, Any], message: str) -> None:
    jobs = with_job(**{"args": ["--lr=${lr}"], **fields})
    with pytest.raises(TrainergenError) as caught:
        resolved(jobs=jobs, runtimes=with_runtime(storage=STORAGE))

    assert [line for line in caught.value.message.splitlines() if line.startswith(message)], caught.value.message
    assert len(caught.value.message.splitlines()) == 1


def test_the_name_of_a_job_leaves_room_for_the_names_of_trials() -> None:
    name = "a" * 35
    job = {**with_job()["bert"], "args": ["--lr=${lr}"], "experiment": search()}

    with pytest.raises(TrainergenError, match="leave room for the names of trials"):
        resolved(jobs={name: job})


MOVED = {"ghcr.io": "mirror.example.com", "registry.k8s.io": "mirror.example.com"}
QUOTA = {"name": "a", "cluster-queue": "shared", "quota": {"cpu": 8}}


@pytest.mark.parametrize(
    ("queue", "refused"),
    [(QUOTA, True), ({**QUOTA, "cluster-queue": "other"}, False), ({**QUOTA, "flavor": "big"}, True)],
    ids=["the same for another namespace", "another one", "the same with another flavor"],
)
def test_two_environments_of_a_cluster_cannot_have_different_queues_of_one_name(
    queue: dict[str, Any], refused: bool
) -> None:
    cluster = "https://gpu.example.com"
    environments = {"dev": {"cluster": cluster, "queue": QUOTA}, "prod": {"cluster": cluster, "queue": queue}}

    if refused:
        with pytest.raises(TrainergenError, match="the ClusterQueue 'shared' differs between 'dev' and 'prod'"):
            resolved(environments=environments)
    else:
        assert len(resolved(environments=environments).environments) == 2


@pytest.mark.parametrize("delivery", ["argocd", "flux"])
def test_a_delivery_needs_a_repository(delivery: str) -> None:
    with pytest.raises(TrainergenError, match="is to deliver the tree, and nothing says from where"):
        resolved(output={"delivery": delivery})


@pytest.mark.parametrize(
    ("environment", "refused"),
    [
        ({"policies": {"registries": ["docker.io"]}}, ["ghcr.io", "registry.k8s.io"]),
        ({"policies": {"registries": ["docker.io", "mirror.example.com"]}, "registries": MOVED}, []),
    ],
)
def test_images_of_neighbours_come_from_where_they_may(environment: dict[str, Any], refused: list[str]) -> None:
    fields: dict[str, Any] = {
        "environments": {"dev": environment},
        "jobs": with_job(package=PACKAGE),
        "runtimes": with_runtime(storage=STORAGE),
    }

    if not refused:
        assert resolved(**fields).environments
        return
    with pytest.raises(TrainergenError) as caught:
        resolved(**fields)
    assert sorted(re.findall(r"comes from '([^']*)'", caught.value.message)) == refused
