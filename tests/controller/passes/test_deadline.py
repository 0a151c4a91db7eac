"""``activeDeadlineSeconds``: from when it counts, what it ends, and what is tried again."""

from __future__ import annotations

import pytest
from trainergen_controller import Delete
from trainergen_controller.kinds import JOB_SET

from tests.controller.passes.cluster import NOW, World, created

OVERDUE = "Failed=True/DeadlineExceeded"


def test_a_job_that_is_in_time_is_looked_at_again_when_it_is_not() -> None:
    actions = World(created(activeDeadlineSeconds=3600)).step()
    assert (actions.requeue_after, actions.error) == (3540.0, None)


def test_at_the_very_moment_one_more_second_is_given() -> None:
    world = World(created(activeDeadlineSeconds=60))
    assert world.step().requeue_after == 1.0
    assert world.conditions() == []


def test_a_suspended_job_has_no_deadline() -> None:
    world = World(created(activeDeadlineSeconds=1, suspend=True))
    assert world.step().requeue_after is None
    assert world.conditions() == ["Suspended=True/Suspended"]


def test_a_resumed_job_gets_its_time_anew() -> None:
    world = World(created(activeDeadlineSeconds=70, suspend=True))
    world.step()
    world.wait(600)
    world.suspend(False)
    assert world.step().requeue_after == 70
    world.wait(71)
    world.step()
    assert world.conditions() == ["Suspended=False/Resumed", OVERDUE]


@pytest.mark.parametrize("release", ["2.0", "2.1"])
def test_older_releases_know_no_deadline(release: str) -> None:
    world = World(created(activeDeadlineSeconds=1), release=release)
    assert world.step().requeue_after is None
    assert world.conditions() == []


def test_a_job_without_a_time_of_creation_has_no_deadline() -> None:
    job = created(activeDeadlineSeconds=1)
    del job["metadata"]["creationTimestamp"]
    assert World(job).step().requeue_after is None


def test_exactly_the_jobset_that_was_seen_is_deleted() -> None:
    world = World(created(activeDeadlineSeconds=61))
    world.step()
    world.job_set()["metadata"]["uid"] = "js-1"
    world.wait(2)
    assert world.step().deletes == (Delete(JOB_SET, "ml", "tj", "js-1"),)


def test_an_overdue_job_gets_no_jobset_any_more() -> None:
    world = World(created(activeDeadlineSeconds=1))
    actions = world.step()
    assert [apply.object["metadata"]["name"] for apply in actions.applies] == ["tj-runtime-snapshot"]
    assert (actions.deletes, actions.requeue_after) == ((), None)
    assert world.conditions() == [OVERDUE]


def test_a_deletion_that_failed_is_tried_again() -> None:
    world = World(created(activeDeadlineSeconds=61))
    world.step()
    left = world.job_set()
    world.wait(2)
    world.step()
    world.objects["JobSet", "tj"] = left
    actions = world.step()
    assert [each.name for each in actions.deletes] == ["tj"]
    assert actions.status_patch is None


def test_a_jobset_that_is_going_or_has_ended_is_not_deleted_again() -> None:
    world = World(created(activeDeadlineSeconds=61))
    world.step()
    left = world.job_set()
    world.wait(2)
    world.step()
    world.objects["JobSet", "tj"] = left
    left["metadata"]["deletionTimestamp"] = "2026-03-01T12:00:03Z"
    assert world.decide().deletes == ()
    del left["metadata"]["deletionTimestamp"]
    world.ends("Completed")
    assert world.decide().deletes == ()


def test_the_deadline_stays_although_the_jobset_completes_meanwhile() -> None:
    world = World(created(activeDeadlineSeconds=61))
    world.step()
    left = world.job_set()
    world.wait(2)
    world.step()
    world.objects["JobSet", "tj"] = left
    world.ends("Failed", reason="FailedJobs")
    world.step()
    assert world.conditions() == [OVERDUE]


def test_a_job_whose_jobset_failed_in_time_is_not_overdue() -> None:
    world = World(created(activeDeadlineSeconds=61))
    world.step()
    world.ends("Failed", reason="FailedJobs")
    world.wait(2)
    actions = world.step()
    assert world.conditions() == ["Failed=True/FailedJobs"]
    assert actions.deletes == ()


def test_the_moment_is_written_in_whole_seconds() -> None:
    world = World(created(activeDeadlineSeconds=1))
    world.now = NOW.replace(microsecond=700_000)
    world.step()
    assert world.job["status"]["conditions"][0]["lastTransitionTime"] == "2026-03-01T12:00:00Z"
