"""The table of a whole job: processes, GPUs and sums."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import container, mpi_runtime, rendered, runtime, trainer_job

GPUS: Any = {"limits": {"nvidia.com/gpu": 8}}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any] | None, int | str | None, int | None]] = {
    "torch without anything starts one": ({"torch": {}}, {"numNodes": 2}, 1, 2),
    "torch takes the number it is given": ({"torch": {}}, {"numNodes": 2, "numProcPerNode": 4}, 4, 8),
    "torch leaves GPUs to torchrun": ({"torch": {}}, {"numNodes": 2, "resourcesPerNode": GPUS}, "auto", 16),
    "torch without spec.trainer is told nothing": ({"torch": {}}, None, None, None),
    "jax starts one a node": ({"jax": {}}, {"numNodes": 3}, 1, 3),
    "xgboost starts one a GPU": ({"xgboost": {}}, {"numNodes": 2, "resourcesPerNode": GPUS}, 8, 16),
    "flux starts the tasks": ({"flux": {}}, {"numNodes": 2, "numProcPerNode": 3}, 3, 6),
    "nobody counts for a plain job": ({}, {"numNodes": 2}, None, None),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_processes_are_what_the_framework_is_told(
    case: tuple[dict[str, Any], dict[str, Any] | None, int | str | None, int | None],
) -> None:
    policy, trainer, each, total = case
    found = rendered(trainer, runtime(policy=policy)).pods()
    assert (found.kinds[0].processes, found.processes) == (each, total)


def test_sums_are_over_all_pods() -> None:
    node = container(resources={"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"nvidia.com/gpu": 2}})
    found = rendered({"numNodes": 1000}, runtime(trainer_job(node), policy={"torch": {}})).pods()
    assert found.requests == {"cpu": "500", "memory": "1000Gi", "nvidia.com/gpu": "2k"}
    assert (found.count, found.processes) == (1000, 2000)


def test_gpus_and_processes_that_disagree_are_pointed_out() -> None:
    node = container(resources=GPUS)
    trainer: Any = {"numNodes": 1, "resourcesPerNode": {"requests": {"memory": "1Gi"}}}
    found = rendered(trainer, runtime(trainer_job(node), policy={"torch": {}})).pods()
    assert found.warnings == (
        "each Pod of job 'node' has 8 GPUs but starts 1 process; set spec.trainer.numProcPerNode",
    )


def test_the_host_file_of_too_many_nodes_is_an_error() -> None:
    from trainergen import RenderError

    with pytest.raises(RenderError, match="2147483647 hosts is larger than the 1048576 bytes"):
        rendered({"numNodes": 2**31 - 1}, mpi_runtime())


def test_the_expansion_is_plain_json() -> None:
    import json

    plain = rendered({"numNodes": 2}, runtime(policy={"torch": {}})).pods().to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert [pod["hostname"] for pod in plain["kinds"][0]["pods"]] == ["tj-node-0-0", "tj-node-0-1"]  # type: ignore[index, call-overload, union-attr]


def test_of_a_billion_pods_only_the_first_are_listed() -> None:
    plain: Any = rendered({"numNodes": 2**30}, runtime(policy={"torch": {}})).pods().to_dict()
    assert (plain["count"], plain["kinds"][0]["pods_listed"], len(plain["kinds"][0]["pods"])) == (2**30, 10_000, 10_000)
