"""The MPI plugin: keys, host file and Open MPI's settings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import (
    RELEASES,
    container,
    counts,
    env,
    find,
    job_of,
    mpi_runtime,
    node,
    pod_of,
    rendered,
    replicated,
    runtime,
    train_job,
    trainer_job,
)
from trainergen.render import GENERATED, RenderError, render

OMPI = (
    "OMPI_MCA_orte_default_hostfile",
    "OMPI_MCA_orte_keep_fqdn_hostnames",
    "OMPI_MCA_orte_set_default_slots",
    "OMPI_MCA_plm_rsh_args",
)


def hostfile(result: Any) -> list[str]:
    text = find(result, "ConfigMap", "tj-mpi-hostfile")["data"]["hostfile"]
    assert text == "" or text.endswith("\n")
    return list(text.splitlines())


@pytest.mark.parametrize("release", RELEASES)
def test_two_nodes_of_eight_processes(release: str) -> None:
    result = rendered({"numNodes": 2, "numProcPerNode": 8}, mpi_runtime(), release=release)
    assert hostfile(result) == ["tj-node-0-0.tj slots=8", "tj-node-0-1.tj slots=8"]
    assert (counts(result), counts(result, "launcher")) == ((2, 2), (1, 1))
    assert list(env(result, "launcher").items()) == [
        (OMPI[0], "/etc/mpi/hostfile"),
        (OMPI[1], "true"),
        (OMPI[2], "8"),
        (OMPI[3], "-o ConnectionAttempts=10"),
    ]
    assert env(result) == {}
    assert [volume["name"] for volume in pod_of(result)["volumes"]] == ["mpi-ssh-auth"]
    assert [volume["name"] for volume in pod_of(result, "launcher")["volumes"]] == ["mpi-ssh-auth", "mpi-hostfile"]
    assert node(result)["volumeMounts"] == [{"name": "mpi-ssh-auth", "mountPath": "/root/.ssh"}]
    assert [mount["mountPath"] for mount in node(result, "launcher")["volumeMounts"]] == ["/root/.ssh", "/etc/mpi"]


def test_the_secret_is_immutable_and_of_the_ssh_type_with_placeholders() -> None:
    secret = find(rendered({}, mpi_runtime()), "Secret", "tj-mpi-ssh-auth")
    assert (secret["type"], secret["immutable"]) == ("kubernetes.io/ssh-auth", True)
    assert secret["data"] == {"ssh-privatekey": GENERATED, "ssh-publickey": GENERATED}


def test_keys_that_are_given_are_encoded() -> None:
    keys = {"tj-mpi-ssh-auth": {"ssh-privatekey": "private", "ssh-publickey": "public"}}
    result = render(train_job({}), [mpi_runtime()], secrets=keys)
    assert find(result, "Secret")["data"] == {"ssh-privatekey": "cHJpdmF0ZQ==", "ssh-publickey": "cHVibGlj"}


@pytest.mark.parametrize(("release", "modes"), [("2.2", [None] * 4), ("2.3", [0o400, 0o640, 0o644, 0o644])])
def test_file_modes_of_the_keys_are_set_since_2_3(release: str, modes: list[int | None]) -> None:
    secret = pod_of(rendered({}, mpi_runtime(), release=release))["volumes"][0]["secret"]
    assert [secret.get("defaultMode"), *[item.get("mode") for item in secret["items"]]] == modes
    assert [item["path"] for item in secret["items"]] == ["id_rsa", "id_rsa.pub", "authorized_keys"]


@pytest.mark.parametrize(
    ("nodes", "workers"), [(None, 1), (1, 1), (2, 1), (10, 9), (100, 99)], ids=lambda value: f"{value}"
)
def test_a_launcher_that_is_a_node_takes_one_from_the_workers_but_leaves_one(nodes: int | None, workers: int) -> None:
    result = rendered({} if nodes is None else {"numNodes": nodes}, mpi_runtime(as_node=True))
    assert counts(result) == (workers, workers)
    assert len(hostfile(result)) == workers + 1


@pytest.mark.parametrize("first", [True, False])
def test_the_host_file_follows_the_order_of_the_runtime(first: bool) -> None:
    result = rendered({"numNodes": 2}, mpi_runtime(as_node=True, launcher_first=first))
    lines = ["tj-launcher-0-0.tj slots=1", "tj-node-0-0.tj slots=1"]
    assert hostfile(result) == (lines if first else lines[::-1])


SLOTS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], int]] = {
    "the policy's number": ({}, {"numProcPerNode": 4}, {}, 4),
    "the TrainJob's number wins": ({"numProcPerNode": 2}, {"numProcPerNode": 4}, {}, 2),
    "one becomes the number of GPUs of the runtime": ({}, {}, {"limits": {"custom.com/gpu": "5"}}, 5),
    "one becomes the number of GPUs of the TrainJob": (
        {"resourcesPerNode": {"limits": {"x/gpu": "3"}}},
        {},
        {"limits": {"x/gpu": "5"}},
        3,
    ),
    "GPUs of the runtime are not seen beside resources of the TrainJob": (
        {"resourcesPerNode": {"limits": {"cpu": "3"}}},
        {},
        {"limits": {"x/gpu": "5"}},
        1,
    ),
    "an explicit one of the TrainJob stays": ({"numProcPerNode": 1}, {}, {"limits": {"x/gpu": "5"}}, 1),
    "more than one of the policy stays": ({}, {"numProcPerNode": 2}, {"limits": {"x/gpu": "5"}}, 2),
}


@pytest.mark.parametrize("case", SLOTS)
def test_slots(case: str) -> None:
    trainer, policy, resources, expected = SLOTS[case]
    rt = mpi_runtime(**policy)
    rt["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0][
        "resources"
    ] = resources
    result = rendered(trainer, rt)
    assert hostfile(result) == [f"tj-node-0-0.tj slots={expected}"]
    assert env(result, "launcher")[OMPI[2]] == str(expected)


def test_the_first_release_took_no_slots_from_gpus() -> None:
    trainer = {"resourcesPerNode": {"limits": {"x/gpu": "3"}}}
    assert hostfile(rendered(trainer, mpi_runtime(), release="2.0")) == ["tj-node-0-0.tj slots=1"]


@pytest.mark.parametrize(("value", "slots"), [("4", 4), ("auto", 0)])
def test_a_number_in_words_was_read_up_to_2_1(value: str, slots: int) -> None:
    assert hostfile(rendered({"numProcPerNode": value}, mpi_runtime(), release="2.1")) == [
        f"tj-node-0-0.tj slots={slots}"
    ]


def test_a_launcher_that_is_a_node_shares_environment_and_resources_with_the_workers_but_not_the_command() -> None:
    trainer = {
        "numNodes": 3,
        "image": "job:1",
        "command": ["mpirun"],
        "args": ["train"],
        "env": [{"name": "X", "value": "1"}],
        "resourcesPerNode": {"requests": {"nvidia.com/gpu": "4"}},
    }
    result = rendered(trainer, mpi_runtime(as_node=True, sshAuthMountPath="/home/u/.ssh"))
    assert hostfile(result) == [f"tj-{host}.tj slots=4" for host in ("node-0-0", "node-0-1", "launcher-0-0")]
    worker, launcher = node(result), node(result, "launcher")
    assert (worker["image"], worker["command"], "args" in worker) == ("runtime:1", ["/usr/sbin/sshd"], False)
    assert (launcher["image"], launcher["command"], launcher["args"]) == ("job:1", ["mpirun"], ["train"])
    assert list(env(result)) == ["X"]
    assert list(env(result, "launcher")) == [*OMPI, "X"]
    assert worker["resources"] == launcher["resources"] == {"requests": {"nvidia.com/gpu": "4"}}
    assert worker["volumeMounts"] == [{"name": "mpi-ssh-auth", "mountPath": "/home/u/.ssh"}]


def test_without_it_the_workers_get_neither() -> None:
    trainer = {"env": [{"name": "X", "value": "1"}], "resourcesPerNode": {"requests": {"cpu": "4"}}}
    result = rendered(trainer, mpi_runtime())
    assert (env(result), "resources" in node(result)) == ({}, False)
    assert env(result, "launcher")["X"] == "1"


def test_in_the_first_release_the_workers_never_got_them() -> None:
    trainer = {"env": [{"name": "X", "value": "1"}], "resourcesPerNode": {"requests": {"cpu": "4"}}}
    result = rendered(trainer, mpi_runtime(as_node=True), release="2.0")
    assert (env(result), "resources" in node(result)) == ({}, False)


def test_a_launcher_without_the_label_keeps_its_own_command() -> None:
    rt = runtime(job_of("node"), job_of("launcher", container(command=["own"], args=["a"])), policy={"mpi": {}})
    launcher = node(rendered({"command": ["mpirun"], "image": "x"}, rt), "launcher")
    assert (launcher["command"], launcher["args"], launcher["image"]) == (["own"], ["a"], "runtime:1")


def test_only_a_container_called_node_is_set_up_on_the_launcher() -> None:
    rt = runtime(job_of("node"), trainer_job(container("launcher"), name="launcher"), policy={"mpi": {}})
    launcher = node(rendered({}, rt), "launcher", "launcher")
    assert ("env" in launcher, "volumeMounts" in launcher) == (False, False)


def test_the_label_does_not_matter_for_the_plugin() -> None:
    rt = runtime(trainer_job(), job_of("launcher"), policy={"mpi": {}})
    result = rendered({"numNodes": 2}, rt)
    assert counts(result) == (2, 2)
    assert list(env(result, "launcher")) == list(OMPI)


def test_variables_of_the_runtime_are_replaced() -> None:
    rt = runtime(
        job_of("node"),
        trainer_job(container(env=[{"name": OMPI[3], "value": "mine"}]), name="launcher"),
        policy={"mpi": {}},
    )
    assert next(iter(env(rendered({}, rt), "launcher").items())) == (OMPI[3], "-o ConnectionAttempts=10")


def test_the_host_file_follows_the_subdomain() -> None:
    rt = mpi_runtime()
    rt["spec"]["template"]["spec"]["network"] = {"subdomain": "sub"}
    assert hostfile(rendered({}, rt)) == ["tj-node-0-0.sub slots=1"]


@pytest.mark.parametrize(("release", "hosts"), [("2.2", 2), ("2.3", 4)])
def test_the_host_file_lists_every_replica_since_2_3(release: str, hosts: int) -> None:
    rt = mpi_runtime()
    rt["spec"]["template"]["spec"]["replicatedJobs"][0]["replicas"] = 2
    lines = hostfile(rendered({"numNodes": 2}, rt, release=release))
    assert lines == [f"tj-node-{number // 2}-{number % 2}.tj slots=1" for number in range(hosts)]


def test_endpoints_use_the_replicas_of_the_template_though_a_labelled_job_is_forced_to_one() -> None:
    rt = runtime(trainer_job(replicas=2), job_of("launcher"), policy={"mpi": {}})
    result = rendered({}, rt)
    assert len(hostfile(result)) == 2
    assert replicated(result)["replicas"] == 1


def test_an_existing_secret_is_left_alone() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "tj-mpi-ssh-auth", "namespace": "ml"}}
    result = rendered({}, mpi_runtime(), secret)
    assert [item["kind"] for item in result.objects] == ["ConfigMap", "ConfigMap", "JobSet"]


def test_a_secret_in_another_namespace_is_another_one() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "tj-mpi-ssh-auth", "namespace": "other"}}
    assert find(rendered({}, mpi_runtime(), secret), "Secret")


@pytest.mark.parametrize("implementation", ["", "Intel"])
def test_another_implementation_fails_where_a_launcher_has_a_container_called_node(implementation: str) -> None:
    with pytest.raises(RenderError, match=f"mpiImplementation is '{implementation}'"):
        rendered({}, mpi_runtime(mpiImplementation=implementation))


def test_another_implementation_without_a_launcher_gets_an_empty_host_file() -> None:
    rt = runtime(trainer_job(), policy={"mpi": {"mpiImplementation": "Intel"}})
    assert hostfile(rendered({}, rt)) == []


def test_workers_alone_are_fine() -> None:
    rt = runtime(job_of("node"), policy={"mpi": {}})
    assert hostfile(rendered({"numNodes": 2}, rt)) == ["tj-node-0-0.tj slots=1", "tj-node-0-1.tj slots=1"]
