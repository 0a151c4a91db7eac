"""Drift: where a live JobSet is not what is rendered for its TrainJob."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from trainergen_controller.audit import Audit, Auditor, events_of

from tests.controller.passes.cluster import NOW, World, created
from tests.render.builders import RELEASES, mpi_runtime, patch, pod_patch, runtime

POD = "spec.replicatedJobs[node].template.spec.template.spec"
NODE = f"{POD}.containers[node]"
AUDITORS = {release: Auditor(release=release) for release in RELEASES}


def running(*, owned: bool = True, release: str = "2.3", **spec: Any) -> World:
    world = World(created({"image": "one"}, **spec), release=release, owned=owned)
    world.step()
    return world


def audited(world: World, **options: Any) -> Audit:
    return AUDITORS[world.release].audit(world.job, world.objects.values(), **options)


def paths(world: World) -> list[str]:
    return [each.path for each in audited(world).drift]


def pod_of(world: World) -> Any:
    return world.job_set()["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]


def update(world: World, manager: str, fields: dict[str, Any]) -> None:
    """Another manager takes fields over: it owns them now, and the Trainer does not any more."""
    entries = world.job_set()["metadata"]["managedFields"]
    taken = lose(entries[0]["fieldsV1"], fields)
    entries[0]["fieldsV1"] = taken
    entries.append({"manager": manager, "operation": "Update", "fieldsV1": fields})


def lose(owned: dict[str, Any], taken: dict[str, Any]) -> dict[str, Any]:
    out = {}
    for step, inner in owned.items():
        if step not in taken:
            out[step] = inner
        elif rest := lose(inner, taken[step]):
            out[step] = rest
    return out


def in_pod(fields: dict[str, Any]) -> dict[str, Any]:
    job = {"f:template": {"f:spec": {"f:template": {"f:spec": fields}}}}
    return {"f:spec": {"f:replicatedJobs": {'k:{"name": "node"}': job}}}


@pytest.mark.parametrize("owned", [True, False], ids=["with managed fields", "without"])
@pytest.mark.parametrize("release", RELEASES)
def test_a_jobset_as_it_was_made_has_not_drifted(release: str, owned: bool) -> None:
    assert paths(running(owned=owned, release=release)) == []


@pytest.mark.parametrize("owned", [True, False], ids=["with managed fields", "without"])
def test_defaults_of_jobset_and_of_the_api_server_are_no_drift(owned: bool) -> None:
    world = running(owned=owned)
    spec = world.job_set()["spec"]
    spec |= {"successPolicy": {"operator": "All"}, "startupPolicy": {"startupPolicyOrder": "AnyOrder"}}
    spec["network"] = {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    spec["replicatedJobs"][0] |= {"groupName": "default"}
    pod_of(world)["containers"][0]["imagePullPolicy"] = "IfNotPresent"
    assert paths(world) == []


@pytest.mark.parametrize("owned", [True, False], ids=["with managed fields", "without"])
def test_a_changed_image_has_drifted(owned: bool) -> None:
    world = running(owned=owned)
    pod_of(world)["containers"][0]["image"] = "other"
    [drift] = audited(world).drift
    assert (drift.path, drift.found, drift.rendered) == (f"{NODE}.image", "other", "one")
    assert str(drift) == f"{NODE}.image: the Pods would be others"


def test_who_changed_it_is_named() -> None:
    world = running()
    pod_of(world)["containers"][0]["image"] = "other"
    update(world, "kubectl-edit", in_pod({"f:containers": {'k:{"name": "node"}': {"f:image": {}}}}))
    [drift] = audited(world).drift
    assert drift.managers == ("kubectl-edit",)
    [event] = events_of(audited(world))
    assert event.note == f"the JobSet is not as rendered: {NODE}.image (by kubectl-edit): the Pods would be others"


@pytest.mark.parametrize("manager", ["kueue", "kueue-admission", "manager", "jobset"])
def test_what_kueue_injects_is_no_drift(manager: str) -> None:
    world = running(runtimePatches=[patch(pod_patch("node", nodeSelector={"pool": "a"}))])
    pod_of(world)["nodeSelector"] = {"pool": "b", "flavor": "c"}
    pod_of(world)["tolerations"] = [{"key": "spot", "operator": "Exists"}]
    update(world, manager, in_pod({"f:nodeSelector": {"f:pool": {}, "f:flavor": {}}, "f:tolerations": {}}))
    assert paths(world) == []


def test_the_same_by_hand_is_drift() -> None:
    world = running(runtimePatches=[patch(pod_patch("node", nodeSelector={"pool": "a"}))])
    pod_of(world)["nodeSelector"] = {"pool": "b", "flavor": "c"}
    update(world, "kueuectl", in_pod({"f:nodeSelector": {"f:pool": {}, "f:flavor": {}}}))
    assert paths(world) == [f"{POD}.nodeSelector[pool]"]


def test_what_is_not_rendered_any_more_is_drift_while_the_trainer_owns_it() -> None:
    for owned, wanted in ((True, [f"{POD}.nodeSelector[pool]"]), (False, [])):
        world = running(owned=owned, runtimePatches=[patch(pod_patch("node", nodeSelector={"pool": "a"}))])
        del world.job["spec"]["runtimePatches"]
        assert paths(world) == wanted


def test_what_is_missing_is_drift() -> None:
    world = running(owned=False)
    del pod_of(world)["containers"][0]["image"]
    assert paths(world) == [f"{NODE}.image"]


def test_a_suspension_is_on_its_way_and_no_drift() -> None:
    world = running()
    world.suspend(True)
    assert paths(world) == []


def test_before_snapshots_a_changed_runtime_makes_running_jobs_drift() -> None:
    for release, drifts in (("2.2", True), ("2.3", False)):
        world = running(release=release)
        world.objects["ClusterTrainingRuntime", "rt"]["spec"]["mlPolicy"] = {"numNodes": 3}
        assert bool(paths(world)) == drifts


def test_a_missing_jobset_is_drift_once_the_job_is_not_new() -> None:
    world = running()
    del world.objects["JobSet", "tj"]
    assert [str(each) for each in audited(world).drift] == ["there is no JobSet of that name"]
    created_at = NOW - timedelta(minutes=1)
    assert audited(world, now=created_at + timedelta(seconds=59)).drift == ()
    assert len(audited(world, now=created_at + timedelta(seconds=61)).drift) == 1


ALONE: dict[str, dict[str, Any]] = {
    "a finished job without JobSet": {"status": {"conditions": [{"type": "Complete", "status": "True"}]}},
    "a job that is going": {"metadata": {"deletionTimestamp": "2026-03-01T12:00:00Z"}},
    "another controller's job": {"spec": {"managedBy": "kueue.x-k8s.io/multikueue"}},
}


@pytest.mark.parametrize("change", ALONE.values(), ids=ALONE)
def test_a_missing_jobset_is_right_for(change: dict[str, Any]) -> None:
    world = World(created())
    for key, part in change.items():
        world.job[key] = {**world.job.get(key, {}), **part}
    assert audited(world).drift == ()


def test_a_jobset_that_is_going_is_not_compared() -> None:
    world = running()
    pod_of(world)["containers"][0]["image"] = "other"
    world.job_set()["metadata"]["deletionTimestamp"] = "2026-03-01T12:00:00Z"
    assert paths(world) == []


def test_why_nothing_can_be_rendered_is_told() -> None:
    world = World(created(runtimeRef={"name": "torch-distributed"}), runtime())
    found = audited(world)
    assert "ClusterTrainingRuntime 'torch-distributed', which is not known" in found.failure
    assert "RenderFailed" in [event.reason for event in events_of(found)]


def test_generated_secrets_and_gates_do_not_matter() -> None:
    world = World(created({"numNodes": 2}), mpi_runtime(mpiImplementation="OpenMPI", sshAuthMountPath="/root/.ssh"))
    world.step()
    gated = Auditor(features={"TrainJobStatus": True}).audit(world.job, world.objects.values())
    assert gated.failure == ""
    assert paths(world) == []
