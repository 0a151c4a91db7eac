"""Which objects a pass applies, and when again: what the Trainer's own integration tests expect of its controller."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from trainergen_controller import reconcile

from tests.controller.passes.cluster import NOW, World, created
from tests.render.builders import container, job_of, mpi_runtime, patch, pod_patch, runtime, trainer_job
from trainergen.admission.admit import admit

GI4 = {"requests": {"cpu": "1", "memory": "4Gi"}}
GANG = {"coscheduling": {"scheduleTimeoutSeconds": 100}}
INITIALIZERS = [
    job_of(f"{name}-initializer", container(f"{name}-initializer", resources=GI4), ancestor=f"{name}-initializer")
    for name in ("dataset", "model")
]


def jobs_of(world: World) -> dict[str, Any]:
    """The Pod templates of the JobSet by the name of their job."""
    return {each["name"]: each["template"]["spec"] for each in world.job_set()["spec"]["replicatedJobs"]}


def node_of(world: World) -> Any:
    return jobs_of(world)["node"]["template"]["spec"]["containers"][0]


def test_a_suspended_job_has_a_suspended_jobset_and_a_pod_group_that_counts_all_pods() -> None:
    gang = runtime(*INITIALIZERS, trainer_job(container(resources=GI4)), policy={"torch": {}}, gang=GANG)
    world = World(created({"numNodes": 100}, suspend=True), gang)
    world.step()
    assert world.job_set()["spec"]["suspend"] is True
    group = world.objects["PodGroup", "tj"]["spec"]
    assert (group["minMember"], group["minResources"]["memory"]) == (102, "408Gi")


def test_a_patch_of_a_suspended_job_reaches_its_jobset_and_not_its_pod_group() -> None:
    world = World(created(suspend=True), runtime(gang=GANG))
    world.step()
    before = world.objects["PodGroup", "tj"]
    world.job["spec"]["runtimePatches"] = [patch(pod_patch("node", nodeSelector={"a": "b"}))]
    actions = world.step()
    assert [apply.kind.kind for apply in actions.applies] == ["JobSet"]
    assert actions.applies[0].refused == ()
    assert jobs_of(world)["node"]["template"]["spec"]["nodeSelector"] == {"a": "b"}
    assert world.objects["PodGroup", "tj"] == before


def test_in_2_0_an_image_follows_only_while_the_job_is_suspended() -> None:
    world = World(created({"image": "one"}, suspend=True), release="2.0")
    world.step()
    world.job["spec"]["trainer"]["image"] = "two"
    world.step()
    assert node_of(world)["image"] == "two"
    world.suspend(False)
    world.step()
    world.job["spec"]["trainer"]["image"] = "three"
    world.step()
    assert node_of(world)["image"] == "two"
    world.suspend(True)
    world.step()
    assert node_of(world)["image"] == "three"


@pytest.mark.parametrize(("release", "refused"), [("2.0", False), ("2.1", False), ("2.2", True), ("2.3", True)])
def test_since_2_2_the_image_of_a_job_cannot_be_changed_at_all(release: str, refused: bool) -> None:
    old, new = created({"image": "one"}, suspend=True), created({"image": "two"}, suspend=True)
    admission = admit(new, release=release, old=old, objects=[runtime()])
    assert admission.refused == refused
    assert [finding.path for finding in admission.findings if finding.refuses] == ["spec.trainer"] * refused


def test_the_order_of_variables_of_torch() -> None:
    world = World(created({"env": [{"name": "MINE", "value": "1"}]}), runtime(policy={"torch": {}}))
    world.step()
    master = ["PET_MASTER_ADDR", "PET_MASTER_PORT"]
    process = ["PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK"]
    assert [each["name"] for each in node_of(world)["env"]] == ["MINE", *process, *master]
    assert node_of(world)["ports"] == [{"containerPort": 29500}]


def test_new_variables_of_a_patch_come_before_the_rest_of_the_runtimes() -> None:
    init = container("pre", env=[{"name": "INIT_ENV", "value": "o"}, {"name": "DATASET_PATH", "value": "p"}])
    world = World(
        created(
            runtimePatches=[
                patch(
                    pod_patch(
                        "node",
                        initContainers=[
                            {
                                "name": "pre",
                                "env": [{"name": "INIT_ENV", "value": "n"}, {"name": "NEW_VALUE", "value": "v"}],
                            }
                        ],
                    )
                )
            ]
        ),
        runtime(trainer_job(pod={"initContainers": [init]})),
    )
    world.step()
    [made] = jobs_of(world)["node"]["template"]["spec"]["initContainers"]
    assert [each["name"] for each in made["env"]] == ["INIT_ENV", "NEW_VALUE", "DATASET_PATH"]


def test_open_mpi_from_end_to_end() -> None:
    keys = {"tj-mpi-ssh-auth": {"ssh-privatekey": "a", "ssh-publickey": "b"}}
    ssh = {"mpiImplementation": "OpenMPI", "sshAuthMountPath": "/root/.ssh", "numProcPerNode": 8}
    world = World(created({"numNodes": 2, "env": [{"name": "X", "value": "1"}]}), mpi_runtime(**ssh))
    world.step(secrets=keys)
    hosts = world.objects["ConfigMap", "tj-mpi-hostfile"]["data"]["hostfile"]
    assert hosts == "tj-node-0-0.tj slots=8\ntj-node-0-1.tj slots=8\n"
    launcher = jobs_of(world)["launcher"]["template"]["spec"]["containers"][0]
    assert [each["name"] for each in launcher["env"]][-1] == "X"
    assert any(each["name"].startswith("OMPI_MCA_") for each in launcher["env"])
    assert world.objects["Secret", "tj-mpi-ssh-auth"]["data"] == {"ssh-privatekey": "YQ==", "ssh-publickey": "Yg=="}


def test_the_keys_of_mpi_are_made_once_and_the_host_file_is_mended() -> None:
    world = World(created({"numNodes": 2}), mpi_runtime(mpiImplementation="OpenMPI"))
    world.step()
    assert world.step().applies == ()
    world.objects["ConfigMap", "tj-mpi-hostfile"]["data"]["hostfile"] = "mine slots=1\n"
    world.objects["Secret", "tj-mpi-ssh-auth"]["data"] = {}
    assert [apply.object["metadata"]["name"] for apply in world.step().applies] == ["tj-mpi-hostfile"]
    del world.objects["ConfigMap", "tj-mpi-hostfile"]
    assert [apply.object["metadata"]["name"] for apply in world.step().applies] == ["tj-mpi-hostfile"]


@pytest.mark.parametrize(("policy", "variable"), [("jax", "JAX_NUM_PROCESSES"), ("xgboost", "DMLC_NUM_WORKER")])
def test_two_nodes_of_jax_and_xgboost(policy: str, variable: str) -> None:
    world = World(created({"numNodes": 2}), runtime(policy={policy: {}}))
    world.step()
    assert {"name": variable, "value": "2"} in node_of(world)["env"]
    assert node_of(world)["ports"] == [{"containerPort": 29500}]


def test_flux_from_end_to_end() -> None:
    trainer = {"numNodes": 2, "command": ["trainjob"], "args": ["trainjob"]}
    world = World(created(trainer), runtime(policy={"flux": {"numProcPerNode": 1}}))
    world.step()
    assert node_of(world)["command"] == ["/bin/bash", "/etc/flux-config/entrypoint.sh", "trainjob trainjob"]
    assert jobs_of(world)["node"]["parallelism"] == 2
    volumes = jobs_of(world)["node"]["template"]["spec"]["volumes"]
    assert {each["name"] for each in volumes} >= {each["name"] for each in node_of(world)["volumeMounts"]}
    assert sorted(world.objects["ConfigMap", "tj-flux-entrypoint"]["data"]) == ["entrypoint.sh", "init.sh"]
    assert list(world.objects["Secret", "tj-flux-curve"]["data"]) == ["curve.cert"]


@pytest.mark.parametrize("kind", ["ClusterTrainingRuntime", "TrainingRuntime"])
def test_the_snapshot_has_one_owner_and_says_what_it_holds(kind: str) -> None:
    world = World(created(runtimeRef={"name": "rt", "kind": kind}), runtime(kind=kind))
    world.step()
    snapshot = world.objects["ConfigMap", "tj-runtime-snapshot"]
    [owner] = snapshot["metadata"]["ownerReferences"]
    assert (owner["controller"], owner["blockOwnerDeletion"], owner["uid"]) == (True, True, "u-1")
    kept = yaml.safe_load(snapshot["data"]["runtime"])
    assert (kept["kind"], kept["metadata"]["name"]) == (kind, "rt")


def test_the_snapshot_is_applied_first() -> None:
    actions = reconcile(created({"numNodes": 2}), [mpi_runtime(mpiImplementation="OpenMPI")], now=NOW)
    assert [apply.object["metadata"]["name"] for apply in actions.applies] == [
        "tj-runtime-snapshot",
        "tj-mpi-ssh-auth",
        "tj-mpi-hostfile",
        "tj",
    ]


def labelled(team: str) -> dict[str, Any]:
    return runtime(template={"metadata": {"labels": {"team": team}}})


def test_a_changed_runtime_does_not_reach_a_job_that_has_its_snapshot() -> None:
    world = World(created(suspend=True), labelled("red"))
    world.step()
    snapshot = world.objects["ConfigMap", "tj-runtime-snapshot"]
    world.objects["ClusterTrainingRuntime", "rt"] = labelled("blue")
    world.suspend(False)
    world.step()
    assert world.job_set()["spec"]["suspend"] is False
    assert world.job_set()["metadata"]["labels"] == {"team": "red"}
    assert world.objects["ConfigMap", "tj-runtime-snapshot"] is snapshot


def test_before_snapshots_a_changed_runtime_reaches_a_suspended_job() -> None:
    world = World(created(suspend=True), labelled("red"), release="2.2")
    world.step()
    world.objects["ClusterTrainingRuntime", "rt"] = labelled("blue")
    world.step()
    assert world.job_set()["metadata"]["labels"] == {"team": "blue"}


def test_a_deleted_snapshot_is_taken_anew() -> None:
    world = World(created(), labelled("red"))
    world.step()
    del world.objects["ConfigMap", "tj-runtime-snapshot"]
    world.objects["ClusterTrainingRuntime", "rt"] = labelled("blue")
    assert [apply.object["metadata"]["name"] for apply in world.step().applies] == ["tj-runtime-snapshot"]


def test_a_job_outlives_its_runtime_by_the_snapshot() -> None:
    world = World(created(suspend=True))
    world.step()
    del world.objects["ClusterTrainingRuntime", "rt"]
    world.suspend(False)
    assert world.step().error is None
    assert world.job_set()["spec"]["suspend"] is False


def test_a_grace_period_in_a_patch_is_that_of_the_patched_pods() -> None:
    gracious = created(runtimePatches=[patch(pod_patch("node", terminationGracePeriodSeconds=300))])
    world = World(gracious, runtime(*INITIALIZERS, trainer_job()))
    world.step()
    periods = {
        name: each["template"]["spec"].get("terminationGracePeriodSeconds") for name, each in jobs_of(world).items()
    }
    assert periods == {"dataset-initializer": None, "model-initializer": None, "node": 300}


# The JobSet is absent or has that suspend, the TrainJob has the other: is the JobSet applied?
SKIPPED: dict[str, tuple[bool | None, bool, bool]] = {
    "absent and wanted running": (None, False, True),
    "absent and wanted suspended": (None, True, True),
    "suspended and to be resumed": (True, False, True),
    "running and to be suspended": (False, True, True),
    "running and to run on": (False, False, False),
}


@pytest.mark.parametrize(("jobset", "wanted", "applied"), SKIPPED.values(), ids=SKIPPED)
def test_when_a_jobset_is_applied(jobset: bool | None, wanted: bool, applied: bool) -> None:
    world = World(created(suspend=bool(jobset)))
    if jobset is not None:
        world.step()
    world.suspend(wanted)
    assert any(apply.kind.kind == "JobSet" for apply in world.decide().applies) == applied


def test_a_change_of_a_running_job_waits_until_it_is_suspended() -> None:
    world = World(created())
    world.step()
    world.job["spec"]["runtimePatches"] = [patch(pod_patch("node", nodeSelector={"a": "b"}))]
    assert world.step().applies == ()
    world.suspend(True)
    world.step()
    assert jobs_of(world)["node"]["template"]["spec"]["nodeSelector"] == {"a": "b"}
