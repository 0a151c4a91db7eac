"""Which applies are left out, and what is applied when JobSet refuses the whole."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.passes.applying import within_limits

from tests.controller.passes.cluster import World, created
from tests.render.builders import RELEASES, patch, pod_patch, runtime

if TYPE_CHECKING:
    from trainergen_controller import Apply

ROOT = "spec.replicatedJobs[node].template.spec.template"


def suspended(*, owned: bool = True, release: str = "2.3") -> World:
    world = World(created({"image": "one"}, suspend=True), release=release, owned=owned)
    world.step()
    return world


def job_set_apply(world: World) -> Apply:
    [apply] = [each for each in world.decide().applies if each.kind.kind == "JobSet"]
    return apply


@pytest.mark.parametrize("owned", [True, False], ids=["with managed fields", "without"])
@pytest.mark.parametrize("release", RELEASES)
def test_nothing_is_applied_to_what_is_as_it_should_be(release: str, owned: bool) -> None:
    assert suspended(owned=owned, release=release).decide().applies == ()


def test_defaults_and_fields_of_others_are_no_reason_to_apply() -> None:
    world = suspended()
    pod = world.job_set()["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    pod["spec"]["nodeSelector"] = {"kueue": "chose"}
    pod["spec"]["containers"][0]["terminationMessagePath"] = "/dev/termination-log"
    world.job_set()["metadata"] |= {"resourceVersion": "5", "labels": {"mine": "1"}}
    assert world.decide().applies == ()


def test_without_managed_fields_whatever_differs_is_applied() -> None:
    world = suspended(owned=False)
    world.job_set()["spec"]["successPolicy"] = {"operator": "All"}
    assert job_set_apply(world).refused == ()


def test_what_was_rendered_and_no_longer_is_gets_removed() -> None:
    world = World(created(suspend=True, runtimePatches=[patch(pod_patch("node", nodeSelector={"a": "b"}))]), owned=True)
    world.step()
    del world.job["spec"]["runtimePatches"]
    apply = job_set_apply(world)
    assert "nodeSelector" not in str(apply.object)
    assert apply.fallback is None


def test_what_another_manager_applied_alone_is_taken_over() -> None:
    world = suspended()
    world.job_set()["metadata"]["managedFields"][0]["manager"] = "kubectl"
    assert job_set_apply(world).object["metadata"]["name"] == "tj"


OPEN: dict[str, dict[str, Any]] = {
    "the node selector": {"nodeSelector": {"a": "b"}},
    "tolerations": {"tolerations": [{"key": "a", "operator": "Exists"}]},
    "scheduling gates": {"schedulingGates": [{"name": "a/b"}]},
}


@pytest.mark.parametrize("pod", OPEN.values(), ids=OPEN)
def test_what_jobset_lets_change_has_no_fallback(pod: dict[str, Any]) -> None:
    world = suspended()
    world.job["spec"]["runtimePatches"] = [patch(pod_patch("node", metadata={"labels": {"c": "d"}}, **pod))]
    apply = job_set_apply(world)
    assert (apply.refused, apply.fallback) == ((), None)


LOCKED: dict[str, tuple[dict[str, Any], str]] = {
    "a volume": ({"volumes": [{"name": "v", "emptyDir": {}}]}, f"{ROOT}.spec.volumes[v]"),
    "a service account": ({"serviceAccountName": "sa"}, f"{ROOT}.spec.serviceAccountName"),
    "an affinity": ({"affinity": {"nodeAffinity": {}}}, f"{ROOT}.spec.affinity"),
    "a security context": ({"securityContext": {"runAsUser": 5}}, f"{ROOT}.spec.securityContext"),
}


@pytest.mark.parametrize(("pod", "where"), LOCKED.values(), ids=LOCKED)
def test_what_jobset_does_not_let_change_is_sent_all_the_same_and_named(pod: dict[str, Any], where: str) -> None:
    world = suspended()
    world.job["spec"]["runtimePatches"] = [patch(pod_patch("node", nodeSelector={"a": "b"}, **pod))]
    world.suspend(False)
    apply = job_set_apply(world)
    key = next(iter(pod))
    assert key in str(apply.object)
    assert apply.refused == (where,)
    fallback = apply.fallback
    assert fallback is not None
    assert fallback["spec"]["suspend"] is False
    template = fallback["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    assert template["spec"]["nodeSelector"] == {"a": "b"}
    assert key not in template["spec"]


@pytest.mark.parametrize("owned", [True, False], ids=["with managed fields", "without"])
def test_the_fallback_changes_nothing_else_and_takes_nothing_of_others(owned: bool) -> None:
    world = World(created({"image": "one"}), release="2.0", owned=owned)
    world.step()
    before = deepcopy(world.job_set())
    world.job_set()["spec"]["replicatedJobs"][0]["template"]["spec"]["backoffLimit"] = 3
    world.job["spec"]["trainer"]["image"] = "two"
    world.suspend(True)
    apply = job_set_apply(world)
    assert apply.refused == (f"{ROOT}.spec.containers[node].image",)
    fallback = apply.fallback
    assert fallback is not None
    assert "backoffLimit" not in str(fallback)
    assert "managedFields" not in fallback["metadata"]
    spec = fallback["spec"]
    assert spec.pop("suspend") is True
    made = before["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"]
    assert spec["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"] == made


def test_a_whole_policy_may_come_to_a_jobset_but_not_change() -> None:
    live = {
        "kind": "JobSet",
        "metadata": {"name": "a"},
        "spec": {"suspend": True, "successPolicy": {"operator": "All"}},
    }
    other = {**live, "spec": {"suspend": True, "successPolicy": {"operator": "Any"}}}
    limited = within_limits(live, other)
    assert limited is not None
    assert limited.refused == ("spec.successPolicy.operator",)
    assert limited.object["spec"] == live["spec"]
    bare: dict[str, Any] = {**live, "spec": {"suspend": True}}
    assert within_limits(bare, other) is None


def test_suspending_after_the_runtime_changed_is_still_possible_before_snapshots() -> None:
    world = World(created(), runtime(), release="2.2", owned=True)
    world.step()
    world.objects["ClusterTrainingRuntime", "rt"]["spec"]["mlPolicy"] = {"numNodes": 3}
    world.suspend(True)
    apply = job_set_apply(world)
    assert apply.fallback is not None
    assert apply.fallback["spec"]["suspend"] is True
    assert apply.fallback["spec"]["replicatedJobs"][0]["template"]["spec"]["parallelism"] == 1
    assert apply.object["spec"]["replicatedJobs"][0]["template"]["spec"]["parallelism"] == 3
