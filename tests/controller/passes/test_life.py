"""The conditions of a TrainJob over its life, and what its JobSet has to do with them."""

from __future__ import annotations

from typing import Any

import pytest
from trainergen_controller import reconcile
from trainergen_controller.passes.conditions import timestamp

from tests.controller.passes.cluster import NOW, World, created
from tests.render.builders import RELEASES, runtime

SUSPENDED, RESUMED = "Suspended=True/Suspended", "Suspended=False/Resumed"


def suspended_then_resumed(release: str = "2.3") -> World:
    world = World(created(suspend=True), release=release)
    world.step()
    world.suspend(False)
    world.step()
    return world


def test_created_suspended() -> None:
    world = World(created(suspend=True))
    world.step()
    assert world.conditions() == [SUSPENDED]


def test_resumed() -> None:
    assert suspended_then_resumed().conditions() == [RESUMED]


@pytest.mark.parametrize("release", RELEASES)
def test_the_jobset_completes(release: str) -> None:
    world = suspended_then_resumed(release)
    world.ends("Completed")
    world.step()
    assert world.conditions() == [RESUMED, "Complete=True/AllJobsCompleted"]


@pytest.mark.parametrize("release", RELEASES)
def test_the_jobset_fails(release: str) -> None:
    world = suspended_then_resumed(release)
    world.ends("Failed", reason="FailedJobs")
    world.step()
    assert world.conditions() == [RESUMED, "Failed=True/FailedJobs"]


def test_never_suspended_and_overdue() -> None:
    world = World(created(activeDeadlineSeconds=61))
    world.step()
    assert world.names() == ["ConfigMap tj-runtime-snapshot", "JobSet tj"]
    world.wait(2)
    world.step()
    assert world.conditions() == ["Failed=True/DeadlineExceeded"]
    assert world.names() == ["ConfigMap tj-runtime-snapshot"]


def test_a_job_that_was_never_suspended_has_no_conditions_while_it_runs() -> None:
    world = World(created())
    actions = world.step()
    assert (world.conditions(), actions.status, actions.status_patch) == ([], None, None)


def test_the_condition_has_the_time_of_the_jobset_and_all_else_it_says() -> None:
    world = World(created())
    world.step()
    world.ends("Completed", when="2026-03-01T12:00:30Z")
    world.job_set()["status"]["conditions"][0]["observedGeneration"] = 2
    world.step()
    assert world.job["status"]["conditions"] == [
        {
            "type": "Complete",
            "status": "True",
            "reason": "AllJobsCompleted",
            "message": "m",
            "lastTransitionTime": "2026-03-01T12:00:30Z",
            "observedGeneration": 2,
        }
    ]


def test_the_time_moves_only_when_the_status_turns() -> None:
    world = World(created(suspend=True))
    world.step()
    assert world.job["status"]["conditions"][0]["lastTransitionTime"] == timestamp(NOW)
    world.wait(10)
    assert world.step().status_patch is None
    world.suspend(False)
    world.step()
    assert world.job["status"]["conditions"][0]["lastTransitionTime"] == "2026-03-01T12:00:10Z"


@pytest.mark.parametrize(("release", "shown"), [("2.0", None), ("2.1", 2), ("2.2", 2), ("2.3", 2)])
def test_the_jobs_of_the_jobset_are_mirrored_with_their_zeroes(release: str, shown: int | None) -> None:
    world = World(created(), release=release)
    world.step()
    world.reports({"name": "model-initializer", "succeeded": 1}, {"name": "node", "active": 2, "ready": 1})
    world.step()
    jobs = world.job.get("status", {}).get("jobsStatus")
    assert (jobs and len(jobs)) == shown
    if jobs:
        assert jobs[1] == {"name": "node", "ready": 1, "succeeded": 0, "failed": 0, "active": 2, "suspended": 0}


def test_the_jobs_follow_the_jobset_and_go_with_it() -> None:
    world = World(created())
    world.step()
    world.reports({"name": "node", "active": 1})
    world.step()
    world.reports({"name": "node", "succeeded": 1})
    world.step()
    assert [each["succeeded"] for each in world.job["status"]["jobsStatus"]] == [1]
    world.reports()
    # Not {"jobsStatus": None}: what is left would be an empty status, which the schema refuses since 2.2.
    assert world.step().status_patch == {"status": None}


def test_the_state_that_training_code_reports_is_left_alone() -> None:
    world = World({**created(suspend=True), "status": {"trainerStatus": {"progressPercentage": 7}}})
    actions = world.step()
    assert actions.status_patch is not None
    assert "trainerStatus" not in actions.status_patch["status"]
    assert world.job["status"]["trainerStatus"] == {"progressPercentage": 7}


def test_a_jobset_that_only_is_suspended_says_nothing() -> None:
    world = World(created())
    world.step()
    world.ends("Suspended")
    world.ends("StartupPolicyCompleted")
    assert world.step().status is None


def test_in_2_0_of_two_ends_the_first_counts() -> None:
    for release, conditions in (("2.0", ["Complete"]), ("2.1", ["Complete", "Failed"])):
        world = World(created(), release=release)
        world.step()
        world.ends("Completed")
        world.ends("Failed")
        world.step()
        assert [each["type"] for each in world.job["status"]["conditions"]] == conditions


FINISHED: dict[str, tuple[str, bool, bool]] = {
    "2.0 leaves a finished job alone, and its JobSet gone": ("2.0", False, False),
    "2.1 makes the JobSet of a finished job anew": ("2.1", True, False),
    "2.2 leaves a finished job without JobSet": ("2.2", False, False),
    "2.3 leaves a finished job without JobSet": ("2.3", False, False),
}


@pytest.mark.parametrize(("release", "again", "fails"), FINISHED.values(), ids=FINISHED)
def test_the_jobset_of_a_complete_job_is_deleted(release: str, again: bool, fails: bool) -> None:
    world = World(created(), release=release)
    world.step()
    world.ends("Completed")
    world.step()
    del world.objects["JobSet", "tj"]
    actions = world.step()
    assert any(apply.kind.kind == "JobSet" for apply in actions.applies) == again
    assert bool(actions.error) == fails
    assert world.conditions() == ["Complete=True/AllJobsCompleted"]


@pytest.mark.parametrize("release", ["2.0", "2.2", "2.3"])
def test_a_failed_job_whose_jobset_is_gone_stays_failed_and_does_not_run_again(release: str) -> None:
    world = World(created(), release=release)
    world.step()
    world.ends("Failed", reason="FailedJobs")
    world.step()
    del world.objects["JobSet", "tj"]
    actions = world.step()
    assert (actions.applies, actions.error, actions.status_patch) == ((), None, None)
    assert world.conditions() == ["Failed=True/FailedJobs"]


def test_2_1_runs_a_failed_job_again_when_its_jobset_is_gone() -> None:
    world = World(created(), release="2.1")
    world.step()
    world.ends("Failed", reason="FailedJobs")
    world.step()
    del world.objects["JobSet", "tj"]
    world.step()
    assert world.names() == ["JobSet tj"]
    assert world.conditions() == []


def test_the_jobset_of_an_unfinished_job_is_made_again() -> None:
    world = World(created())
    world.step()
    del world.objects["JobSet", "tj"]
    assert [apply.kind.kind for apply in world.step().applies] == ["JobSet"]


MANAGED: dict[str, tuple[str, Any, int]] = {
    "another controller's job is left alone": ("2.3", "kueue.x-k8s.io/multikueue", 0),
    "up to 2.2 it is nobody else's": ("2.2", "kueue.x-k8s.io/multikueue", 1),
    "the Trainer's own name changes nothing": ("2.3", "trainer.kubeflow.org/trainjob-controller", 2),
}


@pytest.mark.parametrize(("release", "manager", "applied"), MANAGED.values(), ids=MANAGED)
def test_managed_by(release: str, manager: str, applied: int) -> None:
    actions = reconcile(created(managedBy=manager, suspend=True), [runtime()], now=NOW, release=release)
    assert len(actions.applies) == applied
    assert bool(actions.status) == bool(applied)


def test_what_is_being_deleted_is_left_alone() -> None:
    job = created(suspend=True, metadata={"deletionTimestamp": "2026-03-01T12:00:00Z", "finalizers": ["a/b"]})
    actions = reconcile(job, [runtime()], now=NOW)
    assert (actions.applies, actions.deletes, actions.status_patch, actions.error) == ((), (), None, None)
