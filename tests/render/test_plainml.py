"""The plain plugin: node count and environment."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import container, counts, env, node, rendered, runtime, trainer_job

FRAMEWORKS: dict[str, bool] = {"torch": False, "jax": False, "xgboost": True, "flux": True}


def test_environment_of_the_train_job_overrides_and_extends_that_of_the_runtime() -> None:
    rt = runtime(trainer_job(container(env=[{"name": "JOB", "value": "original"}, {"name": "RT", "value": "rt"}])))
    result = rendered({"env": [{"name": "NEW", "value": "new"}, {"name": "JOB", "value": "override"}]}, rt)
    assert list(env(result).items()) == [("JOB", "override"), ("RT", "rt"), ("NEW", "new")]


def test_count_and_environment_of_the_train_job_are_ignored_without_a_labelled_job() -> None:
    rt = runtime(trainer_job(), policy={})
    del rt["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["metadata"]["labels"]
    result = rendered({"numNodes": 3, "env": [{"name": "A", "value": "1"}], "image": "x"}, rt)
    assert (counts(result), env(result), node(result)["image"]) == ((1, 1), {}, "runtime:1")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_it_runs_for_xgboost_and_flux_beside_their_own_plugins(framework: str) -> None:
    trainer: dict[str, Any] = {"numNodes": 2, "env": [{"name": "A", "value": "1"}]}
    result = rendered(trainer, runtime(policy={framework: {}}))
    names = list(env(result))
    assert counts(result) == (2, 2)
    # Where it runs, the TrainJob's variables come first, for it is the first of our fixed order.
    assert (names[0] == "A") == (FRAMEWORKS[framework] or framework == "torch")


def test_a_repeated_variable_of_the_train_job_keeps_the_last_value() -> None:
    assert env(rendered({"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]})) == {"A": "2"}


def test_a_repeated_variable_of_the_runtime_is_overridden_once() -> None:
    rt = runtime(trainer_job(container(env=[{"name": "A", "value": "1"}, {"name": "A", "value": "2"}])))
    entries = node(rendered({"env": [{"name": "A", "value": "9"}]}, rt))["env"]
    assert entries == [{"name": "A", "value": "9"}, {"name": "A", "value": "2"}]
