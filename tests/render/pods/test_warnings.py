"""Notes on Pods that never start, never end, or are refused by somebody after the Trainer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import container, job_of, rendered, runtime, train_job, trainer_job
from trainergen.render import render

TORCH: Any = {"torch": {}}
CASES: dict[str, tuple[dict[str, Any] | None, dict[str, Any]]] = {
    "job 'node' gets no Pods: its Jobs are complete at once, and nothing runs": (
        {"numNodes": 0},
        runtime(policy=TORCH),
    ),
    "job 'node' gets -3 nodes, so the API server refuses its Job": ({"numNodes": -3}, runtime(policy=TORCH)),
    "job 'node' gets 100001 nodes, but an indexed Job allows 100000, so the API server refuses it": (
        {"numNodes": 100_001},
        runtime(policy=TORCH),
    ),
    "job 'data' gets 2147483648 Pods, but JobSet allows 2147483647": (
        None,
        runtime(trainer_job(), job_of("data", replicas=2, spec={"parallelism": 2**30})),
    ),
    "restartPolicy of job 'node' is 'Always', but a Job takes only OnFailure and Never": (
        None,
        runtime(trainer_job(pod={"restartPolicy": "Always"})),
    ),
    "job 'node' has a podFailurePolicy, which needs restartPolicy Never, but it is 'OnFailure', "
    "so the API server refuses the Job": (
        None,
        runtime(trainer_job(spec={"podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": []}]}})),
    ),
    "the success policy waits for job 'nodes', which there is not (did you mean 'node'?), so JobSet refuses it": (
        None,
        runtime(jobset={"successPolicy": {"operator": "All", "targetReplicatedJobs": ["nodes"]}}),
    ),
    "job 'node' depends on 'after', which is no job before it; JobSet refuses it": (
        None,
        runtime(trainer_job(dependsOn=[{"name": "after", "status": "Ready"}]), job_of("after")),
    ),
    "job 'node' has dependsOn, but the startup policy is InOrder; JobSet refuses the two": (
        None,
        runtime(
            job_of("a"),
            trainer_job(dependsOn=[{"name": "a", "status": "Ready"}]),
            jobset={"startupPolicy": {"startupPolicyOrder": "InOrder"}},
        ),
    ),
    "job 'node' requests nvidia.com/gpu without a limit, so the API server refuses its Pods": (
        None,
        runtime(trainer_job(container(resources={"requests": {"nvidia.com/gpu": 1}}))),
    ),
    "the PodGroup reserves no cpu, for only requests count and these are limits": (
        None,
        runtime(
            trainer_job(container(resources={"limits": {"cpu": 1}}), pod={"schedulerName": "gang"}),
            gang={"coscheduling": {}},
        ),
    ),
    "there is a PodGroup for Volcano, but no schedulerName in job 'node': Pods start one by one unless the default "
    "scheduler has that plugin": (None, runtime(gang={"volcano": {}})),
}


@pytest.mark.parametrize("warning", CASES)
def test_it_is_pointed_out(warning: str) -> None:
    trainer, found = CASES[warning]
    assert warning in rendered(trainer, found).pods().warnings


def test_names_that_are_too_long_are_pointed_out() -> None:
    job = train_job({"numNodes": 11}, name="j" * 48)
    found = render(job, [runtime(policy=TORCH)]).pods().warnings
    assert found == (
        "names of Pods of job 'node' have up to 64 characters, but JobSet allows 63; shorten the TrainJob's by 1",
    )
    assert len(f"{'j' * 48}-node-0-10-abcde") == 64


def test_an_everyday_job_needs_no_warning() -> None:
    assert rendered({"numNodes": 4}, runtime(policy=TORCH)).pods().warnings == ()
