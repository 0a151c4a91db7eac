"""The XGBoost plugin: tracker, workers and rank."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import INDEX, container, env, job_of, node, rendered, runtime, trainer_job

DMLC = ["DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"]


def with_gpus(gpus: int = 0, nodes: int = 1) -> dict[str, Any]:
    resources = {"requests": {"nvidia.com/gpu": gpus}} if gpus else {}
    return runtime(trainer_job(container(resources=resources)), policy={"numNodes": nodes, "xgboost": {}})


WORKERS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "without GPUs one for each node": ({"numNodes": 5}, with_gpus(), "5"),
    "one for each GPU of the runtime": ({"numNodes": 3}, with_gpus(2), "6"),
    "one for each GPU of the TrainJob": (
        {"numNodes": 2, "resourcesPerNode": {"limits": {"x/gpu": 4}}},
        with_gpus(),
        "8",
    ),
    "those of the TrainJob win": ({"numNodes": 2, "resourcesPerNode": {"limits": {"x/gpu": 3}}}, with_gpus(1), "6"),
    "those of the runtime are not seen beside resources of the TrainJob": (
        {"numNodes": 2, "resourcesPerNode": {"limits": {"cpu": 3}}},
        with_gpus(4),
        "2",
    ),
    "the runtime's nodes": ({}, with_gpus(nodes=3), "3"),
    "processes do not matter": ({"numNodes": 2, "numProcPerNode": 8}, with_gpus(), "2"),
}


@pytest.mark.parametrize("case", WORKERS)
def test_workers(case: str) -> None:
    trainer, rt, expected = WORKERS[case]
    assert env(rendered(trainer, rt))["DMLC_NUM_WORKER"] == expected


def test_tracker_rank_and_port() -> None:
    result = rendered({}, with_gpus())
    assert list(env(result)) == DMLC
    assert [env(result)[name] for name in DMLC[:3]] == ["tj-node-0-0.tj", "29500", INDEX]
    assert node(result)["ports"] == [{"containerPort": 29500}]


def test_without_a_trainer_nothing_is_set() -> None:
    assert env(rendered(None, with_gpus())) == {}


def test_without_a_labelled_job_nothing_happens() -> None:
    assert env(rendered({}, runtime(job_of("node"), policy={"xgboost": {}}))) == {}


def test_variables_of_the_train_job_win() -> None:
    assert env(rendered({"env": [{"name": DMLC[3], "value": "9"}]}, with_gpus()))[DMLC[3]] == "9"
