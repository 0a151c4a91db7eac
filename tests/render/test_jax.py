"""The JAX plugin: coordinator, process count and rank."""

from __future__ import annotations

import pytest

from tests.render.builders import INDEX, container, env, job_of, node, rendered, runtime, trainer_job
from trainergen.render import RenderError


@pytest.mark.parametrize("nodes", [1, 3])
@pytest.mark.parametrize("gpus", [0, 4])
def test_one_process_a_node_whatever_the_gpus(nodes: int, gpus: int) -> None:
    rt = runtime(trainer_job(container(resources={"limits": {"nvidia.com/gpu": gpus}})), policy={"jax": {}})
    result = rendered({"numNodes": nodes, "numProcPerNode": 8}, rt)
    assert list(env(result).items()) == [
        ("JAX_NUM_PROCESSES", str(nodes)),
        ("JAX_PROCESS_ID", INDEX),
        ("JAX_COORDINATOR_ADDRESS", "tj-node-0-0.tj:29500"),
    ]
    assert node(result)["ports"] == [{"containerPort": 29500}]


def test_variables_of_the_train_job_come_after_and_win() -> None:
    trainer = {"env": [{"name": "A", "value": "1"}, {"name": "JAX_NUM_PROCESSES", "value": "9"}]}
    result = rendered(trainer, runtime(policy={"jax": {}}))
    assert list(env(result)) == ["JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS", "A"]
    assert env(result)["JAX_NUM_PROCESSES"] == "9"


def test_without_a_trainer_nothing_is_set() -> None:
    assert env(rendered(None, runtime(policy={"jax": {}}))) == {}


def test_without_a_labelled_job_nothing_happens_since_2_3_and_2_2_panicked() -> None:
    rt = runtime(job_of("node"), policy={"jax": {}})
    assert env(rendered({}, rt)) == {}
    with pytest.raises(RenderError, match="panics"):
        rendered({}, rt, release="2.2")
