"""The torch policy of a runtime is emptied, and its TrainJobs take over what it said."""

from __future__ import annotations

import pytest

from tests.upgrade.conftest import upgraded
from tests.upgrade.manifests import JOB, job, runtime
from trainergen.admission.admit import admit
from trainergen.releases import get_release

RUNTIMES = {
    "auto goes": ("numProcPerNode: auto", "{}", []),
    "a number goes to the jobs": ("numProcPerNode: 4", "{}", ["TG842"]),
    "an elastic policy goes": (
        "elasticPolicy: {minNodes: 1, maxNodes: 4, maxRestarts: 3}",
        "{}",
        ["TG832"],
    ),
}


@pytest.mark.parametrize(("torch", "after", "rules"), RUNTIMES.values(), ids=RUNTIMES.keys())
def test_the_torch_policy_of_a_runtime_is_emptied(torch: str, after: str, rules: list[str]) -> None:
    found = upgraded(runtime(torch), to="2.2")
    assert f"    torch: {after}\n" in found.text
    assert found.rules == rules
    assert not admit(found.objects[0], release=get_release("2.2")).refused


def test_an_elastic_runtime_keeps_its_one_node_and_is_told_of_restarts() -> None:
    found = upgraded(runtime("elasticPolicy: {minNodes: 1, maxNodes: 4, maxRestarts: 3}"), to="2.2")
    assert found.objects[0]["spec"]["mlPolicy"] == {"torch": {}, "numNodes": 1}  # type: ignore[index,call-overload]
    assert "template.spec.failurePolicy.maxRestarts: 3" in found.losses[0].help


FROM_RUNTIME = {
    "a number": ("4", "numNodes: 2", 4),
    "cpu without GPUs needs nothing": ("cpu", "resourcesPerNode: {requests: {cpu: 4}}", None),
    "cpu beside GPUs": ("cpu", "resourcesPerNode: {requests: {cpu: 4, nvidia.com/gpu: 1}}", 4),
    "gpu with GPUs needs nothing": ("gpu", "resourcesPerNode: {limits: {nvidia.com/gpu: 2}}", None),
    "a job with a number of its own": ("4", "numProcPerNode: 2", 2),
}


@pytest.mark.parametrize(("word", "trainer", "number"), FROM_RUNTIME.values(), ids=FROM_RUNTIME.keys())
def test_jobs_take_over_what_their_runtime_said(word: str, trainer: str, number: int | None) -> None:
    found = upgraded(f"{runtime(f'numProcPerNode: {word}')}---\n{job(f'trainer: {{{trainer}}}')}")
    assert found.objects[1]["spec"]["trainer"].get("numProcPerNode") == number  # type: ignore[index,call-overload,union-attr]


def test_a_job_without_trainer_does_not_get_one_for_a_number_without_effect() -> None:
    found = upgraded(f"{runtime('numProcPerNode: 4')}---\n{JOB}")
    assert found.text.endswith(JOB)
    assert "had no effect" in found.notes
