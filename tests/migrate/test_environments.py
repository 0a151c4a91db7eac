"""What Pods see before and after: simulated on both sides, compared by what it means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from tests.migrate.test_nothing_is_lost import jobs
from trainergen.migrate import migrate
from trainergen.migrate.host_ranks import without_sums
from trainergen.migrate.legacy import LegacyJob, read_job
from trainergen.migrate.places import Place, places_in
from trainergen.migrate.simulation import compare
from trainergen.migrate.simulation.legacy_pods import environment

EXAMPLES = Path(__file__).parent / "examples"


def legacy(example: str) -> LegacyJob:
    job = read_job(yaml.safe_load((EXAMPLES / f"{example}.v1.yaml").read_text()))
    assert job is not None
    return job


ENVIRONMENTS: dict[str, tuple[str, str, int, dict[str, str]]] = {
    "a worker of a PyTorchJob, whose world counts processes and whose rank counts nodes": (
        "E02",
        "Worker",
        2,
        {
            "NCCL_DEBUG": "INFO",
            "PYTHONUNBUFFERED": "1",
            "MASTER_ADDR": "resnet-ddp-master-0",
            "PET_MASTER_ADDR": "resnet-ddp-master-0",
            "MASTER_PORT": "23456",
            "PET_MASTER_PORT": "23456",
            "WORLD_SIZE": "16",
            "RANK": "3",
            "PET_NODE_RANK": "3",
            "PET_NPROC_PER_NODE": "4",
            "PET_NNODES": "4",
        },
    ),
    "a worker of an elastic job without a master": (
        "E06",
        "Worker",
        1,
        {
            "PYTHONUNBUFFERED": "1",
            "PET_NPROC_PER_NODE": "auto",
            "PET_RDZV_ENDPOINT": "elastic-imagenet-worker-0:23456",
            "PET_RDZV_BACKEND": "c10d",
            "PET_NNODES": "2:6",
            "PET_MAX_RESTARTS": "100",
        },
    ),
    "the master of an XGBoostJob": (
        "E09",
        "Master",
        0,
        {
            "MASTER_PORT": "9991",
            "MASTER_ADDR": "xgb-iris-master-0",
            "WORLD_SIZE": "3",
            "RANK": "0",
            "PYTHONUNBUFFERED": "1",
            "WORKER_PORT": "9991",
            "WORKER_ADDRS": "xgb-iris-worker-0,xgb-iris-worker-1",
        },
    ),
    "a process of a JAXJob": (
        "E10",
        "Worker",
        1,
        {
            "PYTHONUNBUFFERED": "1",
            "COORDINATOR_PORT": "6666",
            "COORDINATOR_ADDRESS": "jax-spmd-worker-0",
            "NUM_PROCESSES": "2",
            "PROCESS_ID": "1",
        },
    ),
    "the first worker of a PaddleJob, which listens on its own address": (
        "E19",
        "Worker",
        0,
        {
            "PYTHONUNBUFFERED": "1",
            "PADDLE_JOB_ID": "paddle-resnet",
            "PADDLE_NNODES": "2",
            "PADDLE_MASTER": "$(POD_IP):36543",
        },
    ),
}


@pytest.mark.parametrize("case", ENVIRONMENTS)
def test_the_legacy_environment_is_that_of_the_operator(case: str) -> None:
    example, name, index, expected = ENVIRONMENTS[case]
    job = legacy(example)
    role = job.role(name)
    assert role is not None
    found = environment(job, role, index)
    assert {key: found.get(key) for key in expected} == expected


def test_variables_of_the_user_lose_against_the_operator_and_refer_to_earlier_ones_only() -> None:
    job = two_roles("[{name: A, value: x}, {name: B, value: $(A)-$(RANK)}, {name: RANK, value: '9'}]")
    found = environment(job, job.roles[0], 0)
    assert (found["B"], found["RANK"]) == ("x-$(RANK)", "0")


def two_roles(env: str = "[]", command: str = "[python, train.py]") -> LegacyJob:
    container = f"{{name: pytorch, image: a, command: {command}, env: {env}}}"
    role = f"{{replicas: 1, template: {{spec: {{containers: [{container}]}}}}}}"
    text = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: job}\nspec:\n  pytorchReplicaSpecs:\n"
    job = read_job(yaml.safe_load(f"{text}    Master: {role}\n    Worker: {role}\n"))
    assert job is not None
    return job


def differences(job: LegacyJob, objects: list[Any]) -> dict[str, tuple[str, str]]:
    found = compare(job, objects, places_in(job, objects), "2.3")
    assert found is not None
    return {one.name: (one.text, one.reason) for one in found}


def test_a_job_that_sees_something_else_is_found_out() -> None:
    job = two_roles()
    objects: list[Any] = list(migrate(job.obj).objects)
    assert {name for name, (_, reason) in differences(job, objects).items() if not reason} == set()
    env = objects[0]["spec"]["trainer"]["env"]
    objects[0]["spec"]["trainer"]["env"] = [
        {**one, "value": "7"} if one["name"] == "WORLD_SIZE" else one
        for one in env
        if one["name"] not in ("RANK", "PYTHONUNBUFFERED")
    ]
    unexplained = {name: text for name, (text, reason) in differences(job, objects).items() if not reason}
    assert unexplained == {
        "WORLD_SIZE": "WORLD_SIZE was '2' for master 0, worker 0 and now is '7'",
        "RANK": "RANK was '0' for master 0 and now is nothing, '1' for worker 0 and now is nothing",
        "PYTHONUNBUFFERED": "PYTHONUNBUFFERED was '1' for master 0, worker 0 and now is nothing",
    }


def test_the_rank_that_a_shell_counts_is_seen() -> None:
    job = read_job(yaml.safe_load((EXAMPLES / "E17.v1.yaml").read_text()))
    assert job is not None
    objects = list(migrate(job.obj).objects)
    assert places_in(job, objects) == {"master": Place("node", 0), "worker": Place("worker", 0)}
    assert "RANK" not in differences(job, objects)


def test_what_cannot_be_rendered_is_not_compared() -> None:
    job = two_roles()
    assert compare(job, [], {}, "2.3") is None


def test_differences_with_a_reason_are_notes_and_others_warnings() -> None:
    migration = migrate(legacy("E02").obj)
    assert "environment-differs" not in {each.name for each in migration.warnings}
    first, second = migration.notes[-2:]
    assert first.startswith(
        "Pods see other variables: WORLD_SIZE (was '16', now unset), MASTER_ADDR (was 'resnet-ddp-mas"
    )
    assert first.endswith(", RANK; the launcher sets them for each process.")
    assert second.endswith("PET_MASTER_PORT (was '23456', now '29500'); the Torch policy has a port of its own.")


@given(job=jobs())
def test_whatever_pods_see_otherwise_is_said_for_a_reason(job: dict[str, Any]) -> None:
    migration = migrate(job)
    unexplained = [each for each in migration.warnings if each.name == "environment-differs"]
    # The rank of Workers with a job of their own needs a command that a shell can start.
    opaque = any(each.name == "command-opaque" and each.severity == "error" for each in migration.warnings)
    assert [each.message for each in unexplained if not (opaque and each.message.startswith("RANK "))] == []


SUMS = {
    "RANK=$((${HOSTNAME##*-} + 1))": "RANK=${HOSTNAME##*-}",
    "RANK=$((1+${HOSTNAME##*-}))": "RANK=${HOSTNAME##*-}",
    "RANK=$(expr ${HOSTNAME##*-} + 1)": "RANK=${HOSTNAME##*-}",
    "i=${HOSTNAME##*-}; export RANK=$((i+1))": "i=${HOSTNAME##*-}; export RANK=${i}",
    'IDX="${HOSTNAME##*-}"\nRANK=$(( $IDX + 1 ))': 'IDX="${HOSTNAME##*-}"\nRANK=${IDX}',
    "R=$(hostname | awk -F- '{print $NF+1}')": "R=$(hostname | awk -F- '{print $NF}')",
    "n=$(hostname | rev | cut -d- -f1 | rev); r=$(expr $n + 1)": "n=$(hostname | rev | cut -d- -f1 | rev); r=${n}",
    "x=$((y+1)); echo ${HOSTNAME##*-}": "x=$((y+1)); echo ${HOSTNAME##*-}",
    "RANK=$((${HOSTNAME##*-} + 10))": "RANK=$((${HOSTNAME##*-} + 10))",
}


@pytest.mark.parametrize("text", SUMS)
def test_nothing_is_added_to_the_number_in_the_host_name(text: str) -> None:
    assert without_sums(text) == SUMS[text]


def test_the_sum_is_taken_out_of_a_job_with_a_master_and_said() -> None:
    job = two_roles(command="[bash, -c, 'RANK=$((${HOSTNAME##*-}+1)) python train.py']")
    migration = migrate(job.obj)
    (said,) = [each for each in migration.warnings if each.name == "rank-from-host-name"]
    assert said.message.startswith("1 is no longer added")
    assert "RANK=${HOSTNAME##*-} python train.py" in str(migration.objects)
    cut = migrate(two_roles(command="[bash, -c, 'echo $HOSTNAME | cut -d- -f4']").obj)
    (said,) = [each for each in cut.warnings if each.name == "rank-from-host-name"]
    assert said.message.startswith("a number is cut off the host name")


def test_the_sum_stays_where_the_workers_are_counted_by_themselves() -> None:
    job = two_roles(command="[bash, -c, 'RANK=$((${HOSTNAME##*-}+1)) python train.py']").obj
    specs = job["spec"]["pytorchReplicaSpecs"]  # type: ignore[index, call-overload]
    del specs["Master"]  # type: ignore[union-attr, arg-type]
    migration = migrate(job)
    assert "RANK=$((${HOSTNAME##*-}+1))" in str(migration.objects)
