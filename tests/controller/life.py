"""The life of TrainJobs, told once and lived through on every API server that tests have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, CONFIG_MAP, JOB_SET, SECRET, TRAIN_JOB

from tests.controller.world import World, eventually, shipped, stays, train_job
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen_controller.client import Object


def wait_job_set(world: World, name: str) -> Object:
    found = eventually(lambda: world.job_set(name), f"JobSet {name} exists")
    assert isinstance(found, dict)
    return found


def starts_suspended_resumes_and_completes(world: World, name: str, runtime: str) -> None:
    """Created suspended, resumed, complete; its objects belong to it and are what the status says."""
    uid = world.create(train_job(name, runtime, suspend=True))["metadata"]["uid"]
    made = wait_job_set(world, name)
    assert made["spec"]["suspend"] is True
    (owner,) = made["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["name"], owner["uid"], owner["controller"]) == ("TrainJob", name, uid, True)
    eventually(lambda: world.conditions(name) == ["Suspended=True/Suspended"], f"{name} is told to be suspended")
    world.patch(name, {"suspend": False})
    eventually(lambda: (world.job_set(name) or {})["spec"].get("suspend") is False, f"JobSet {name} runs")
    eventually(lambda: world.conditions(name) == ["Suspended=False/Resumed"], f"{name} is told to be resumed")
    world.job_set_says(name, "Completed", "AllJobsCompleted", succeeded=1)
    complete = ["Suspended=False/Resumed", "Complete=True/AllJobsCompleted"]
    eventually(lambda: world.conditions(name) == complete, f"{name} is complete")


def fails(world: World, name: str, runtime: str) -> None:
    """Created running, failed."""
    world.create(train_job(name, runtime))
    wait_job_set(world, name)
    world.job_set_says(name, "Failed", "FailedJobs", failed=1)
    eventually(lambda: world.conditions(name) == ["Failed=True/FailedJobs"], f"{name} has failed")


def counts_of_jobs_follow(world: World, name: str, release: str) -> None:
    """``jobsStatus`` mirrors what JobSet counts, in releases that have it."""
    if not get_release(release).reconciling.jobs_status:
        return
    world.create(train_job(name))
    wait_job_set(world, name)
    world.job_set_says(name, "StartupPolicyCompleted", "Started", active=1)

    def counted() -> Any:
        return [one["active"] for one in (world.job(name).get("status") or {}).get("jobsStatus") or []] == [1]

    eventually(counted, f"{name} counts its jobs")
    assert world.conditions(name) == []


def is_suspended_while_running(world: World, name: str) -> None:
    """A running job is suspended and resumed."""
    world.create(train_job(name))
    wait_job_set(world, name)
    world.patch(name, {"suspend": True})
    eventually(lambda: (world.job_set(name) or {})["spec"].get("suspend") is True, f"JobSet {name} is suspended")
    eventually(lambda: world.conditions(name) == ["Suspended=True/Suspended"], f"{name} is suspended")
    world.patch(name, {"suspend": False})
    eventually(lambda: (world.job_set(name) or {})["spec"].get("suspend") is False, f"JobSet {name} runs again")


def exceeds_its_deadline(world: World, name: str, release: str) -> None:
    """The JobSet goes, and stays away, in releases that know deadlines."""
    if not get_release(release).reconciling.active_deadline:
        return
    world.create(train_job(name, activeDeadlineSeconds=2))
    wait_job_set(world, name)
    eventually(lambda: world.conditions(name) == ["Failed=True/DeadlineExceeded"], f"{name} is overdue")
    eventually(lambda: world.job_set(name) is None, f"JobSet {name} is gone")
    stays(lambda: world.job_set(name) is None, f"JobSet {name} is gone")


def heals_what_is_deleted(world: World, name: str) -> None:
    """A JobSet that somebody deletes is made again while the job is unfinished."""
    world.create(train_job(name))
    first = wait_job_set(world, name)["metadata"]["uid"]
    world.client.delete(JOB_SET, name, "team-a")
    eventually(lambda: (world.job_set(name) or {"metadata": {"uid": first}})["metadata"]["uid"] != first, "a new one")


def is_deleted(world: World, name: str) -> None:
    """What belongs to a deleted TrainJob is not made again."""
    world.create(train_job(name))
    wait_job_set(world, name)
    world.client.delete(TRAIN_JOB, name, "team-a")
    if world.job_set(name) is not None:  # nobody collects garbage on an API server alone
        world.client.delete(JOB_SET, name, "team-a")
    eventually(lambda: world.job_set(name) is None, "the JobSet is gone")
    stays(lambda: world.job_set(name) is None, "the JobSet is gone")


def waits_for_its_runtime(world: World, name: str, release: str) -> None:
    """A missing runtime is an Event, and the job goes on as soon as it is there."""
    runtime = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime"}
    world.create(train_job(name, f"late-{name}"))
    eventually(lambda: "TrainJobResourcesCreationFailed" in world.events(name), "an Event tells of the missing runtime")
    assert world.job_set(name) is None
    spec = world.client.get(CLUSTER_TRAINING_RUNTIME, "torch-distributed")["spec"]
    late = {**runtime, "metadata": {"name": f"late-{name}"}, "spec": spec}
    world.client.create(CLUSTER_TRAINING_RUNTIME, late)
    wait_job_set(world, name)
    _runtime_goes(world, f"late-{name}", name, release)


def _runtime_goes(world: World, runtime: str, job: str, release: str) -> None:
    """Up to 2.2 a runtime in use is held by a finalizer, since 2.3 by nothing."""
    held = get_release(release).reconciling.runtime_held

    def finalizers() -> list[str] | None:
        found = [one for one in world.client.list(CLUSTER_TRAINING_RUNTIME).items if one["metadata"]["name"] == runtime]
        return found[0]["metadata"].get("finalizers", []) if found else None

    if held:
        eventually(lambda: finalizers() == ["trainer.kubeflow.org/resource-in-use"], "the runtime is held")
    world.client.delete(CLUSTER_TRAINING_RUNTIME, runtime)
    if held:
        stays(lambda: finalizers() is not None, "the runtime is held")
        world.client.delete(TRAIN_JOB, job, "team-a")
    eventually(lambda: finalizers() is None, "the runtime is gone")


def keeps_to_its_snapshot(world: World, name: str, release: str) -> None:
    """Since 2.3 a runtime that changes after the job was created changes nothing for it."""
    if not get_release(release).rendering.runtime_snapshot:
        return
    runtime = world.client.get(CLUSTER_TRAINING_RUNTIME, "torch-distributed")
    own = {key: runtime[key] for key in ("apiVersion", "kind", "spec")}
    world.client.create(CLUSTER_TRAINING_RUNTIME, {**own, "metadata": {"name": f"own-{name}", "labels": {"v": "1"}}})
    world.create(train_job(name, f"own-{name}", suspend=True))
    wait_job_set(world, name)
    before = world.client.get(CONFIG_MAP, f"{name}-runtime-snapshot", "team-a")
    metadata = {"template": {"metadata": {"labels": {"changed": "yes"}}}}
    world.client.merge_patch(CLUSTER_TRAINING_RUNTIME, f"own-{name}", "", {"spec": metadata})
    world.patch(name, {"suspend": False})
    eventually(lambda: (world.job_set(name) or {})["spec"].get("suspend") is False, "the JobSet runs")
    assert "changed" not in ((world.job_set(name) or {})["metadata"].get("labels") or {})
    assert world.client.get(CONFIG_MAP, f"{name}-runtime-snapshot", "team-a")["data"] == before["data"]


def makes_keys_once(world: World, name: str, release: str) -> None:
    """The keys of an MPI job are made once, however often it is passed over."""
    if "deepspeed-distributed" not in shipped(release):
        return
    world.create(train_job(name, "deepspeed-distributed"))
    wait_job_set(world, name)
    first = eventually(lambda: _secret(world, name), "the keys are there")
    assert set(first["data"]) == {"ssh-privatekey", "ssh-publickey"}
    world.client.merge_patch(TRAIN_JOB, name, "team-a", {"metadata": {"labels": {"touched": "yes"}}})
    stays(lambda: (_secret(world, name) or {}).get("data") == first["data"], "the keys are the same")


def _secret(world: World, name: str) -> Object | None:
    found = world.client.list(SECRET, "team-a").items
    return next((one for one in found if one["metadata"]["name"] == f"{name}-mpi-ssh-auth"), None)
