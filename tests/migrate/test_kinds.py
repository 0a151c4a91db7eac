"""What the worked examples leave out: roles that differ, servers, sizes, the preview, jobs without a counterpart."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import trainergen
from trainergen.admission.legacy.kinds import KINDS
from trainergen.migrate import Choices, Migration, migrate

PREVIEW = {
    "apiVersion": "kubeflow.org/v2alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "job"},
    "spec": {
        "runtimeRef": {"name": "torch-distributed", "apiGroup": "kubeflow.org"},
        "trainer": {"numNodes": 2, "numProcPerNode": "4"},
        "labels": {"team": "a"},
        "podSpecOverrides": [
            {
                "targetJobs": [{"name": "trainer-node"}],
                "serviceAccountName": "sa",
                "containers": [{"name": "trainer", "command": ["x"], "env": [{"name": "A", "value": "1"}]}],
            }
        ],
    },
}


def job(kind: str, version: str = "v1", /, **roles: Any) -> dict[str, Any]:
    known = KINDS[version, kind]
    specs = {}
    for name, (replicas, own) in roles.items():
        container = {"name": known.container or "main", "image": "example.org/a:1", "command": ["run"], **own}
        specs[name] = {"replicas": replicas, "template": {"spec": {"containers": [container]}}}
    return {
        "apiVersion": known.api_version,
        "kind": kind,
        "metadata": {"name": "job"},
        "spec": {known.replicas_key: specs},
    }


def replicated(migration: Migration) -> dict[str, Any]:
    runtime: Any = migration.objects[0]
    return {each["name"]: each["template"]["spec"] for each in runtime["spec"]["template"]["spec"]["replicatedJobs"]}


def env(spec: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each.get("value") for each in spec["template"]["spec"]["containers"][0]["env"]}


def accepted(migration: Migration, release: str = "2.3") -> bool:
    objects = list(migration.objects)
    return not any(
        trainergen.admit(each, release=release, objects=[other for other in objects if other is not each]).refused
        for each in objects
    )


def test_a_lightgbm_job_whose_roles_differ_knows_its_workers() -> None:
    migration = migrate(job("XGBoostJob", Master=(1, {}), Worker=(2, {"image": "example.org/b:1"})))
    jobs = replicated(migration)
    assert env(jobs["node"])["RANK"] == "0"
    assert env(jobs["worker"])["WORKER_ADDRS"] == (
        "$(JOBSET_NAME)-worker-0-0.$(JOBSET_NAME),$(JOBSET_NAME)-worker-0-1.$(JOBSET_NAME)"
    )
    script = jobs["worker"]["template"]["spec"]["containers"][0]["args"][0]
    assert script == 'export RANK=$((JOB_COMPLETION_INDEX+1)); exec run "$@"'
    assert accepted(migration)


def test_paddle_servers_and_trainers_are_two_jobs() -> None:
    migration = migrate(job("PaddleJob", Master=(2, {}), Worker=(3, {})))
    jobs = replicated(migration)
    assert env(jobs["node"])["PADDLE_SERVER_NUM"] == env(jobs["worker"])["PADDLE_TRAINER_NUM"] == "1"
    assert jobs["worker"]["completions"] == 3
    result = trainergen.render(migration.objects[1], [migration.objects[0]], release="2.3")
    assert {each.name: each.count for each in result.pod_sets} == {"node": 2, "worker": 3}


def test_roles_that_differ_in_resources_become_equal_when_asked() -> None:
    small = {"resources": {"limits": {"cpu": "2", "memory": "1Gi"}}}
    large = {"resources": {"limits": {"cpu": "500m", "memory": "2Gi"}}}
    obj = job("PyTorchJob", Master=(1, small), Worker=(2, large))
    assert len(migrate(obj).objects) == 2
    (merged,) = migrate(obj, choices=Choices(merge_roles=True)).objects
    assert merged["spec"]["trainer"]["resourcesPerNode"] == {"limits": {"cpu": "2", "memory": "2Gi"}}  # type: ignore[index,call-overload]


def test_a_restart_policy_gets_a_runtime_when_asked() -> None:
    obj = job("PyTorchJob", Master=(1, {}))
    obj["spec"]["pytorchReplicaSpecs"]["Master"]["restartPolicy"] = "Never"
    assert len(migrate(obj).objects) == 1
    spec = replicated(migrate(obj, choices=Choices(exact_restart=True)))["node"]
    assert (spec["backoffLimit"], spec["template"]["spec"]["restartPolicy"]) == (0, "Never")


def test_workers_of_tensorflow_that_must_all_succeed() -> None:
    obj = job("TFJob", Worker=(2, {}))
    assert replicated(migrate(obj))["node"]["successPolicy"] == {"rules": [{"succeededIndexes": "0"}]}
    obj["spec"]["successPolicy"] = "AllWorkers"
    assert "successPolicy" not in replicated(migrate(obj))["node"]


def test_a_single_tensorflow_pod_gets_no_tf_config() -> None:
    job_ = migrate(job("TFJob", Worker=(1, {}))).objects[-1]
    assert "env" not in job_["spec"]["trainer"]  # type: ignore[index,operator]


LOSSES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "workers that come and go": (job("TFJob", Worker=(2, {})), {"enableDynamicWorker": True}, "dynamic-workers"),
    "another MPI": (
        job("MPIJob", "v2beta1", Launcher=(1, {}), Worker=(1, {})),
        {"mpiImplementation": "Intel"},
        "mpi-implementation",
    ),
    "two Masters": (job("PyTorchJob", Master=(2, {})), {}, "legacy-refused"),
    "MXNet": (job("MXJob", Worker=(1, {})), {"jobMode": "MXTrain"}, "mxjob"),
}


@pytest.mark.parametrize("case", LOSSES)
def test_a_loss_is_an_error_until_it_is_accepted(case: str) -> None:
    obj, more, name = LOSSES[case]
    obj = {**obj, "spec": {**obj["spec"], **more}}
    migration = migrate(obj)
    assert name in {loss.name for loss in migration.losses()}
    assert name not in {loss.name for loss in migration.losses(frozenset({name}))}
    assert migration.losses(frozenset({"all"})) == ()


def test_a_name_that_leaves_no_room_for_pods_is_a_loss() -> None:
    obj = job("JAXJob", Worker=(11, {}))
    obj["metadata"]["name"] = "a" * 48
    assert "name-too-long" in {loss.name for loss in migrate(obj).losses()}
    obj["metadata"]["name"] = "a" * 47
    assert migrate(obj).losses() == ()


@pytest.mark.parametrize("release", ["2.1", "2.2", "2.3"])
def test_the_preview_becomes_the_api_of_the_target(release: str) -> None:
    obj = deepcopy(PREVIEW)
    migration = migrate(obj, target=release)
    (made,) = migration.objects
    assert not trainergen.admit(made, release=release).refused
    assert {loss.name for loss in migration.losses()} == {"preview-api"}
    assert made["spec"]["trainer"]["env"] == [{"name": "A", "value": "1"}]  # type: ignore[index,call-overload]
    lost = [each.path for each in migration.warnings if each.name == "not-carried-over"]
    assert lost == ["spec.podSpecOverrides[0].containers[0].command"]


def test_jax_on_a_release_without_its_runtime_gets_a_plain_one() -> None:
    migration = migrate(job("JAXJob", Worker=(2, {})), target="2.1")
    found = {each["name"] for each in migration.objects[-1]["spec"]["trainer"]["env"]}  # type: ignore[index,call-overload,union-attr]
    assert {"NUM_PROCESSES", "PROCESS_ID", "COORDINATOR_ADDRESS"} <= found
    assert accepted(migration, "2.1")
    assert [loss.name for loss in migration.losses()] == ["runtime-not-shipped"]


GANGS = {
    "a queue and no scheduler": ({"queue": "q"}, "auto", {"volcano": {}}),
    "a timeout, the scheduler being told": (
        {"scheduleTimeoutSeconds": 9},
        "coscheduling",
        {"coscheduling": {"scheduleTimeoutSeconds": 9}},
    ),
    "sizes only": ({"minAvailable": 1}, "auto", None),
}


@pytest.mark.parametrize("case", GANGS)
def test_a_scheduling_policy_becomes_a_pod_group_policy(case: str) -> None:
    policy, gang, expected = GANGS[case]
    obj = job("PyTorchJob", Master=(1, {}))
    obj["spec"]["runPolicy"] = {"schedulingPolicy": policy}
    migration = migrate(obj, choices=Choices(gang=gang))  # type: ignore[arg-type]
    runtime: Any = migration.objects[0]
    assert runtime["spec"].get("podGroupPolicy") == expected
    assert "gang-scheduler-unknown" in {each.name for each in migration.warnings}


@pytest.mark.parametrize(
    ("gang", "key", "why"),
    [("volcano", "scheduleTimeoutSeconds", "Volcano knows no such time"), ("coscheduling", "queue", "knows no queues")],
)
def test_what_a_gang_scheduler_does_not_know_is_said_to_be_lost_for_that_reason(gang: Any, key: str, why: str) -> None:
    obj = job("PyTorchJob", Master=(1, {}))
    obj["spec"]["runPolicy"] = {"schedulingPolicy": {key: 60 if key != "queue" else "q"}}
    (lost,) = [each for each in migrate(obj, choices=Choices(gang=gang)).warnings if f"{key} of" in each.message]
    assert lost.message.endswith(why)
