"""What holds of every pass: no input is changed, its outcome is at rest, what has ended stays so."""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from trainergen_controller import Actions, reconcile
from trainergen_controller.passes.conditions import is_finished
from trainergen_controller.passes.merge_patch import merge_patch
from trainergen_controller.passes.secret_values import SecretValues

from tests.controller.passes.cluster import NOW, Object, World, created, merged
from tests.controller.passes.test_oracle import recorded
from tests.render.builders import RELEASES, mpi_runtime, patch, pod_patch, runtime

RUNTIMES = {
    "plain": runtime(),
    "torch in a gang": runtime(policy={"torch": {}}, gang={"coscheduling": {"scheduleTimeoutSeconds": 10}}),
    "mpi": mpi_runtime(mpiImplementation="OpenMPI", sshAuthMountPath="/root/.ssh"),
}
STEPS = st.lists(
    st.sampled_from(["suspend", "resume", "wait", "complete", "fail", "run", "patch", "delete"]), max_size=8
)


def act(world: World, step: str) -> None:
    """Something happens between two passes."""
    there = ("JobSet", "tj") in world.objects
    if step in ("suspend", "resume"):
        world.suspend(step == "suspend")
    elif step == "wait":
        world.wait(45)
    elif step == "patch":
        world.job["spec"]["runtimePatches"] = [patch(pod_patch("node", nodeSelector={"at": str(world.now)}))]
    elif there and step == "run":
        world.reports({"name": "node", "active": 1})
    elif there and step == "delete":
        del world.objects["JobSet", "tj"]
    elif there and step in ("complete", "fail"):
        world.ends({"complete": "Completed", "fail": "Failed"}[step])


def started(name: str, release: str, owned: bool) -> World:
    job = created({"numNodes": 2}, activeDeadlineSeconds=200)
    return World(job, RUNTIMES[name], release=release, owned=owned)


WORLDS = st.builds(started, st.sampled_from(sorted(RUNTIMES)), st.sampled_from(RELEASES), st.booleans())


def at_rest(actions: Actions) -> bool:
    return not (actions.applies or actions.deletes or actions.patches or actions.status_patch or actions.events)


@given(WORLDS, STEPS)
def test_a_second_pass_has_nothing_to_do(world: World, steps: list[str]) -> None:
    for step in steps:
        act(world, step)
        world.step()
    world.step()
    again = world.decide()
    assert at_rest(again), again


@given(WORLDS, STEPS)
def test_what_has_ended_stays_so_and_is_not_begun_again(world: World, steps: list[str]) -> None:
    assume(world.release != "2.1")
    ended: list[str] = []
    for step in steps:
        act(world, step)
        actions = world.step()
        if ended:
            assert not any(apply.kind.kind == "JobSet" for apply in actions.applies)
            assert set(ended) <= set(world.conditions())
        if is_finished(world.job.get("status", {}).get("conditions", [])):
            ended = [each for each in world.conditions() if not each.startswith("Suspended")]


@given(WORLDS, STEPS)
def test_a_complete_job_stays_complete_in_every_release(world: World, steps: list[str]) -> None:
    complete = False
    for step in steps:
        act(world, step)
        world.step()
        now = any(each.startswith("Complete=True") for each in world.conditions())
        assert now or not complete
        complete = now


@given(WORLDS, STEPS)
def test_every_apply_is_of_an_object_of_the_jobs_own(world: World, steps: list[str]) -> None:
    for step in steps:
        act(world, step)
        for apply in world.step().applies:
            [owner] = apply.object["metadata"]["ownerReferences"]
            assert (owner["uid"], owner["controller"], apply.manager) == ("u-1", True, "trainer")
            assert apply.object["metadata"]["namespace"] == "ml"


@pytest.mark.parametrize("release", RELEASES)
def test_no_input_is_changed_and_the_same_gives_the_same(release: str) -> None:
    for case in recorded(release)[::3]:
        job, objects = deepcopy(case["trainjob"]), deepcopy(case["objects"])
        features = case.get("features") or {}
        first = reconcile(job, objects, release=release, now=NOW, features=features)
        assert (job, objects) == (case["trainjob"], case["objects"]), case["id"]
        for apply in first.applies:
            apply.object.clear()
        assert reconcile(job, objects, release=release, now=NOW, features=features).error == first.error


@pytest.mark.parametrize("release", RELEASES)
def test_the_order_of_the_objects_does_not_matter(release: str) -> None:
    for case in recorded(release)[::3]:
        features = case.get("features") or {}
        there = reconcile(case["trainjob"], case["objects"], release=release, now=NOW, features=features)
        back = reconcile(case["trainjob"], case["objects"][::-1], release=release, now=NOW, features=features)
        assert there == back, case["id"]


@given(WORLDS, STEPS)
def test_only_conditions_and_jobs_of_the_status_are_ever_written(world: World, steps: list[str]) -> None:
    world.job["status"] = {"trainerStatus": {"progressPercentage": 1}}
    for step in steps:
        act(world, step)
        patch = world.step().status_patch or {"status": {}}
        assert patch.keys() == {"status"}
        assert patch["status"].keys() <= {"conditions", "jobsStatus"}
    assert world.job["status"]["trainerStatus"] == {"progressPercentage": 1}


JSON = st.recursive(
    st.booleans() | st.integers(-2, 2) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)


@given(OBJECTS, OBJECTS)
def test_a_merge_patch_leads_from_the_old_to_the_new(old: Object, new: Object) -> None:
    # NB: a merge patch cannot tell an empty object from none where none was.
    assert merged(old, merge_patch(old, new)) == new
    assert merge_patch(new, new) == {}


@given(st.floats(min_value=0, max_value=300))
def test_the_time_to_the_deadline_is_what_is_left_of_it(passed: float) -> None:
    world = World(created(activeDeadlineSeconds=200))
    world.now += timedelta(seconds=passed)
    actions = world.step()
    if actions.requeue_after is not None:
        assert 0 < actions.requeue_after <= 140
    else:
        assert world.conditions() == ["Failed=True/DeadlineExceeded"]
        assert passed > 140


def test_keys_are_made_only_when_they_are_needed() -> None:
    made: list[str] = []

    def keys() -> tuple[str, str]:
        made.append("pair")
        return "private", "public"

    values = SecretValues("tj", "u-1", keys)
    World(created({"numNodes": 2}), runtime()).step(secrets=values)
    assert made == []
    world = World(created({"numNodes": 2}), RUNTIMES["mpi"])
    world.step(secrets=values)
    world.step(secrets=values)
    assert made == ["pair"]
    assert sorted(values) == ["tj-flux-curve", "tj-mpi-ssh-auth"]
    assert len(values) == 2
    assert "public-key" in values["tj-flux-curve"]["curve.cert"]


def test_the_core_imports_no_client_and_no_pydantic() -> None:
    code = (
        "import sys, trainergen_controller; print(sorted({'kubernetes','pydantic','ssl','asyncio'} & set(sys.modules)))"
    )
    env: dict[str, Any] = {"PYTHONPATH": ":".join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert ran.stdout == "[]\n"
