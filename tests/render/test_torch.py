"""The Torch plugin: what torchrun reads from its environment."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import (
    INDEX,
    RELEASES,
    container,
    env,
    job_of,
    node,
    rendered,
    replicated,
    runtime,
    trainer_job,
)
from trainergen.render import RenderError

PET = ("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT")


def torch_runtime(*jobs: dict[str, Any], inject: list[dict[str, Any]] | None = None, **policy: Any) -> dict[str, Any]:
    torch = {"envInjection": {"targets": inject}} if inject is not None else {}
    return runtime(*jobs, policy={"numNodes": 1, "torch": {**torch, **policy}})


def with_resources(**resources: Any) -> dict[str, Any]:
    return torch_runtime(trainer_job(container(resources=resources)))


@pytest.mark.parametrize("release", RELEASES)
def test_the_environment_follows_that_of_the_train_job_in_this_order(release: str) -> None:
    trainer = {"numNodes": 30, "numProcPerNode": 3, "env": [{"name": "X", "value": "1"}]}
    rt = torch_runtime(trainer_job(dependsOn=[{"name": "first", "status": "Complete"}]))
    result = rendered(trainer, rt, release=release, name="test-job")
    assert list(env(result).items()) == [
        ("X", "1"),
        ("PET_NNODES", "30"),
        ("PET_NPROC_PER_NODE", "3"),
        ("PET_NODE_RANK", INDEX),
        ("PET_MASTER_ADDR", "test-job-node-0-0.test-job"),
        ("PET_MASTER_PORT", "29500"),
    ]
    assert node(result)["ports"] == [{"containerPort": 29500}]
    assert replicated(result)["dependsOn"] == [{"name": "first", "status": "Complete"}]


# trainer, runtime's resources, PET_NPROC_PER_NODE from 2.1 on
PROCESSES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "an explicit number holds over cpu": ({"numProcPerNode": 3}, {"requests": {"cpu": "8"}}, "3"),
    "zero is accepted": ({"numProcPerNode": 0}, {}, "0"),
    "nothing at all gives one": ({}, {}, "1"),
    "four cpus give four": ({}, {"requests": {"cpu": "4"}}, "4"),
    "two and a half cpus give three": ({}, {"requests": {"cpu": "2.5"}}, "3"),
    "a cpu limit of 3.7 gives four": ({}, {"limits": {"cpu": "3.7"}}, "4"),
    "700m give one": ({}, {"limits": {"cpu": "700m"}}, "1"),
    "requests are asked before limits": ({}, {"requests": {"cpu": "3"}, "limits": {"cpu": "8"}}, "3"),
    "a requested GPU gives auto, whatever the cpu": ({}, {"requests": {"example.com/gpu": "2", "cpu": "6"}}, "auto"),
    "a GPU limit gives auto": ({}, {"limits": {"nvidia.com/gpu": "4"}}, "auto"),
    "several nodes do not matter": ({"numNodes": 4}, {"limits": {"nvidia.com/gpu": "4", "cpu": "8"}}, "auto"),
    "resources of the TrainJob are counted alone: a GPU of the runtime is not seen": (
        {"resourcesPerNode": {"requests": {"memory": "1Gi"}}},
        {"limits": {"nvidia.com/gpu": "4", "cpu": "8"}},
        "1",
    ),
    "empty resources of the TrainJob hide those of the runtime": (
        {"resourcesPerNode": {}},
        {"limits": {"nvidia.com/gpu": "4"}},
        "1",
    ),
    "a GPU of the TrainJob is seen over cpus of the runtime": (
        {"resourcesPerNode": {"limits": {"nvidia.com/gpu": "2"}}},
        {"requests": {"cpu": "8"}},
        "auto",
    ),
}


@pytest.mark.parametrize("release", RELEASES[1:])
@pytest.mark.parametrize("case", PROCESSES)
def test_processes_per_node(case: str, release: str) -> None:
    trainer, resources, expected = PROCESSES[case]
    assert env(rendered(trainer, with_resources(**resources), release=release))["PET_NPROC_PER_NODE"] == expected


# The first release: policy, trainer, PET_NPROC_PER_NODE
FIRST: dict[str, tuple[Any, dict[str, Any], str]] = {
    "resources of the runtime are never looked at": ("auto", {}, "auto"),
    "words are passed on without resources": ("cpu", {}, "cpu"),
    "the TrainJob's word wins": ("cpu", {"numProcPerNode": "gpu"}, "gpu"),
    "GPUs in limits only end in one, since a missing list of requests says one": (
        "auto",
        {"resourcesPerNode": {"limits": {"nvidia.com/gpu": "4"}}},
        "1",
    ),
    "GPUs in requests keep auto": ("auto", {"resourcesPerNode": {"requests": {"nvidia.com/gpu": "4"}}}, "auto"),
    "cpu limits decide": ("auto", {"resourcesPerNode": {"limits": {"cpu": "3"}, "requests": {"cpu": "1"}}}, "3"),
    "cpu requests decide without limits": ("auto", {"resourcesPerNode": {"requests": {"cpu": "2500m"}}}, "3"),
    "cpu counts cpus": ("cpu", {"resourcesPerNode": {"limits": {"cpu": "5", "nvidia.com/gpu": "2"}}}, "5"),
    "cpu without any in requests is one": (
        "cpu",
        {"resourcesPerNode": {"limits": {"memory": "1Gi"}, "requests": {"memory": "1Gi"}}},
        "1",
    ),
    "even an explicit number becomes one with limits only": (
        "auto",
        {"numProcPerNode": 2, "resourcesPerNode": {"limits": {"cpu": "8"}}},
        "1",
    ),
    "an explicit number holds with requests": (
        "auto",
        {"numProcPerNode": 2, "resourcesPerNode": {"requests": {"cpu": "8"}}},
        "2",
    ),
}


@pytest.mark.parametrize("case", FIRST)
def test_processes_per_node_in_the_first_release(case: str) -> None:
    policy, trainer, expected = FIRST[case]
    rt = torch_runtime(trainer_job(container(resources={"limits": {"nvidia.com/gpu": "4"}})), numProcPerNode=policy)
    assert env(rendered(trainer, rt, release="2.0"))["PET_NPROC_PER_NODE"] == expected


@pytest.mark.parametrize(
    ("policy", "resources", "expected"),
    [("cpu", {"requests": {"cpu": "3", "x/gpu": "1"}}, "3"), ("gpu", {}, "gpu"), (2, {"limits": {"x/gpu": "4"}}, "2")],
)
def test_the_policy_of_2_1_still_had_words_and_numbers(policy: Any, resources: Any, expected: str) -> None:
    rt = torch_runtime(trainer_job(container(resources=resources)), numProcPerNode=policy)
    assert env(rendered({}, rt, release="2.1"))["PET_NPROC_PER_NODE"] == expected


def test_resources_are_looked_up_in_the_first_job_that_is_called_node_or_labelled() -> None:
    first = job_of("node", container(resources={"limits": {"x/gpu": "1"}}))
    rt = torch_runtime(first, trainer_job(container(resources={"requests": {"cpu": "4"}}), name="labelled"))
    assert env(rendered({}, rt), "labelled")["PET_NPROC_PER_NODE"] == "auto"


def test_without_a_trainer_there_is_no_environment_and_no_port_but_the_count() -> None:
    result = rendered(None, torch_runtime())
    assert (env(result), "ports" in node(result)) == ({}, False)
    assert any("spec.trainer" in note for note in result.notes)


def test_an_empty_trainer_is_enough() -> None:
    assert tuple(env(rendered({}, torch_runtime()))) == PET


def test_the_address_ignores_the_real_job_name_and_the_subdomain() -> None:
    rt = runtime(trainer_job(name="workers"), policy={"torch": {}}, jobset={"network": {"subdomain": "sub"}})
    assert env(rendered({}, rt), "workers")["PET_MASTER_ADDR"] == "tj-node-0-0.tj"


def test_the_unnamed_port_replaces_the_first_unnamed_one_and_named_ones_stay() -> None:
    ports = [{"name": "http", "containerPort": 80}, {"containerPort": 8080}]
    result = rendered({}, torch_runtime(trainer_job(container(ports=ports))))
    assert node(result)["ports"] == [
        {"name": "http", "containerPort": 80, "protocol": "TCP"},
        {"containerPort": 29500},
    ]


def test_variables_of_the_train_job_beat_those_of_the_plugin() -> None:
    result = rendered({"env": [{"name": "PET_NNODES", "value": "9"}]}, torch_runtime())
    assert env(result)["PET_NNODES"] == "9"


def test_variables_of_the_plugin_beat_those_of_the_runtime() -> None:
    rt = torch_runtime(trainer_job(container(env=[{"name": "PET_MASTER_ADDR", "value": "mine"}])))
    assert next(iter(env(rendered({}, rt)).items())) == ("PET_MASTER_ADDR", "tj-node-0-0.tj")


def target(job: str, *names: str) -> dict[str, Any]:
    return {"jobName": job, "containerNames": list(names)}


def crowded(*targets: dict[str, Any]) -> dict[str, Any]:
    pre = {"initContainers": [container("pre"), container("other")]}
    return torch_runtime(
        trainer_job(container(), container("side"), pod=pre), job_of("aux", container("helper")), inject=list(targets)
    )


def test_all_five_variables_are_injected_into_an_init_container_and_into_node() -> None:
    result = rendered({}, crowded(target("node", "pre")))
    assert tuple(env(result, name="pre", init=True)) == PET
    assert tuple(env(result)) == PET
    assert env(result, name="other", init=True) == {}
    assert "ports" not in node(result, name="pre", init=True)


def test_injection_reaches_several_containers_of_several_jobs() -> None:
    result = rendered({}, crowded(target("node", "pre", "side"), target("aux", "helper")))
    assert tuple(env(result, name="pre", init=True)) == PET
    assert tuple(env(result, name="side")) == PET
    assert tuple(env(result, "aux", "helper")) == PET


def test_injection_without_targets_changes_nothing_else() -> None:
    result = rendered({}, torch_runtime(trainer_job(container(), container("side")), inject=[]))
    assert (tuple(env(result)), env(result, name="side")) == (PET, {})


def test_injection_works_without_a_trainer_though_node_gets_nothing() -> None:
    result = rendered(None, crowded(target("node", "side")))
    assert (tuple(env(result, name="side")), env(result)) == (PET, {})


def test_injection_does_not_pass_on_the_environment_of_the_train_job() -> None:
    result = rendered({"env": [{"name": "A", "value": "1"}]}, crowded(target("node", "side")))
    assert "A" not in env(result, name="side")


def test_injection_under_torchtune_includes_the_master_for_the_target_but_not_for_node() -> None:
    result = rendered({"command": ["tune", "run"]}, crowded(target("node", "pre")))
    assert tuple(env(result, name="pre", init=True)) == PET
    assert tuple(env(result)) == PET[:3]


def test_a_regular_container_is_preferred_over_an_init_container_of_the_same_name() -> None:
    rt = torch_runtime(
        trainer_job(container(), container("twin"), pod={"initContainers": [container("twin")]}),
        inject=[target("node", "twin")],
    )
    result = rendered({}, rt)
    assert (len(env(result, name="twin")), env(result, name="twin", init=True)) == (5, {})


@pytest.mark.parametrize(
    ("missing", "near"),
    [(target("node", "sid"), "did you mean 'side'"), (target("nodes", "side"), "did you mean 'node'")],
)
def test_a_target_that_is_missing_is_an_error(missing: dict[str, Any], near: str) -> None:
    with pytest.raises(RenderError, match="envInjection names container") as caught:
        rendered({}, crowded(missing))
    assert near in str(caught.value)


def test_before_2_3_there_was_no_injection() -> None:
    assert env(rendered({}, crowded(target("node", "nope")), release="2.2"), name="side") == {}
