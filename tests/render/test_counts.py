"""How many Pods each job gets, and what of parallelism and completions survives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.render.builders import (
    RELEASES,
    counts,
    job_of,
    mpi_runtime,
    render,
    rendered,
    runtime,
    train_job,
    trainer_job,
)

PARALLEL: dict[str, Any] = {"spec": {"parallelism": 3, "completions": 5}}

CASES: dict[str, tuple[dict[str, Any], dict[str, Any] | None, int]] = {
    "no policy and no trainer give one": (runtime(), None, 1),
    "the runtime's count holds without one in the TrainJob": (runtime(policy={"numNodes": 4}), {}, 4),
    "the TrainJob's count overrides the runtime's": (runtime(policy={"numNodes": 100}), {"numNodes": 30}, 30),
    "the TrainJob's count works without any policy": (runtime(), {"numNodes": 3}, 3),
    "a policy without a count gives one, whatever the parallelism": (
        runtime(trainer_job(**PARALLEL), policy={}),
        None,
        1,
    ),
    "without a policy the parallelism counts": (runtime(trainer_job(**PARALLEL)), None, 3),
    "completions alone count for nothing": (runtime(trainer_job(spec={"completions": 5})), None, 1),
    "a parallelism of zero becomes one": (runtime(trainer_job(spec={"parallelism": 0})), None, 1),
    "a count of zero in the policy becomes one": (runtime(policy={"numNodes": 0}), None, 1),
    "a count of zero in the TrainJob stays": (runtime(), {"numNodes": 0}, 0),
    "a negative count in the TrainJob stays": (runtime(), {"numNodes": -1}, -1),
    "a job without the label keeps its parallelism": (
        runtime(job_of("node", **PARALLEL), policy={}),
        {"numNodes": 9},
        3,
    ),
}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("case", CASES)
def test_the_count_is_written_to_parallelism_and_completions(case: str, release: str) -> None:
    rt, trainer, expected = CASES[case]
    assert counts(rendered(trainer, rt, release=release)) == (expected, expected)


def test_completions_of_jobs_beside_the_trainer_are_overwritten_too() -> None:
    assert counts(rendered({"numNodes": 2}, runtime(trainer_job(), job_of("aux", **PARALLEL))), "aux") == (3, 3)


@pytest.mark.parametrize(("release", "second"), [("2.0", 4), ("2.1", 1), ("2.2", 1), ("2.3", 1)])
def test_of_two_labelled_jobs_only_the_first_gets_the_count_but_in_the_first_release(release: str, second: int) -> None:
    result = rendered({"numNodes": 4}, runtime(trainer_job(), trainer_job(name="other")), release=release)
    assert counts(result) == (4, 4)
    assert counts(result, "other") == (second, second)


def test_of_two_jobs_of_one_name_the_first_gets_the_count_of_the_second() -> None:
    twice = runtime(trainer_job(), trainer_job(spec={"parallelism": 7, "completions": 7}))
    jobs = rendered({"numNodes": 4}, twice).objects[-1]["spec"]["replicatedJobs"]
    specs = [job["template"]["spec"] for job in jobs]
    assert [(spec.get("parallelism"), spec.get("completions")) for spec in specs] == [(7, 7), (7, 7)]
    by_position = rendered({"numNodes": 4}, twice, release="2.2").objects[-1]["spec"]["replicatedJobs"]
    assert [job["template"]["spec"]["parallelism"] for job in by_position] == [4, 7]


def test_the_policy_of_an_mpi_runtime_sizes_the_labelled_launcher_and_not_the_workers() -> None:
    rt = mpi_runtime()
    rt["spec"]["mlPolicy"]["numNodes"] = 4
    result = rendered({}, rt)
    assert (counts(result, "launcher"), counts(result, "node")) == ((4, 4), (1, 1))


@settings(max_examples=40, deadline=None)
@given(
    nodes=st.none() | st.integers(-2, 200),
    policy=st.none() | st.fixed_dictionaries({}, optional={"numNodes": st.integers(-1, 50)}),
    parallelism=st.none() | st.integers(0, 50),
)
def test_what_the_train_job_says_holds_and_all_else_is_at_least_one(
    nodes: int | None, policy: dict[str, Any] | None, parallelism: int | None
) -> None:
    spec = {} if parallelism is None else {"parallelism": parallelism}
    trainer = {} if nodes is None else {"numNodes": nodes}
    result = render(train_job(trainer), [runtime(trainer_job(spec=spec), policy=policy)])
    fallback = (policy or {}).get("numNodes", 1) if policy is not None else (1 if parallelism is None else parallelism)
    expected = max(fallback, 1) if nodes is None else nodes
    assert counts(result) == (expected, expected)
