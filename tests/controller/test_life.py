"""The life of TrainJobs on the in-process API server; the same is lived through on a real one where there is one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from trainergen_controller.inprocess import InProcessServer

from tests.controller import life
from tests.controller.world import World, shipped
from trainergen.releases import RELEASES


@pytest.fixture(scope="module", params=[release.name for release in RELEASES])
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def world(release: str) -> Iterator[World]:
    server = InProcessServer(release)
    made = World(server.client("test"), lambda seconds: server.client("trainer"))
    made.add_runtimes(release)
    with made.running(release=release):
        yield made


def test_jobs_of_every_shipped_runtime_start_suspended_resume_and_complete(world: World, release: str) -> None:
    for number, runtime in enumerate(shipped(release)):
        life.starts_suspended_resumes_and_completes(world, f"complete-{number}", runtime)


def test_jobs_fail(world: World) -> None:
    life.fails(world, "fail", "torch-distributed")


def test_a_running_job_is_suspended_and_resumed(world: World) -> None:
    life.is_suspended_while_running(world, "turns")


def test_counts_of_jobs_follow_those_of_the_job_set(world: World, release: str) -> None:
    life.counts_of_jobs_follow(world, "counted", release)


def test_a_job_exceeds_its_deadline(world: World, release: str) -> None:
    life.exceeds_its_deadline(world, "overdue", release)


def test_a_deleted_job_set_is_made_again(world: World) -> None:
    life.heals_what_is_deleted(world, "healed")


def test_a_deleted_job_leaves_nothing_that_comes_back(world: World) -> None:
    life.is_deleted(world, "deleted")


def test_a_job_waits_for_its_runtime_which_can_go_as_the_release_allows(world: World, release: str) -> None:
    life.waits_for_its_runtime(world, "waiting", release)


def test_a_runtime_that_changes_changes_nothing_for_jobs_with_a_snapshot(world: World, release: str) -> None:
    life.keeps_to_its_snapshot(world, "kept", release)


def test_the_keys_of_an_mpi_job_are_made_once(world: World, release: str) -> None:
    life.makes_keys_once(world, "keys", release)
