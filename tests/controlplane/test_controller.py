"""The controller against a real API server: every shipped runtime, every turn that a TrainJob's life can take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, JOB_SET, TRAIN_JOB
from trainergen_controller.kubernetes_client import KubernetesClient, configuration

from tests.controller import life
from tests.controller.world import World, shipped

if TYPE_CHECKING:
    from tests.controlplane.server import ControlPlane


def connected(control_plane: ControlPlane, seconds: float = 10.0) -> KubernetesClient:
    return KubernetesClient(configuration(kubeconfig=str(control_plane.kubeconfig())), timeout=seconds)


def tidied(world: World) -> None:
    """Deletes what tests have made, so that the CRDs of another release can be installed."""
    for kind in (TRAIN_JOB, JOB_SET, CLUSTER_TRAINING_RUNTIME):
        for found in world.client.list(kind).items:
            name, namespace = found["metadata"]["name"], found["metadata"].get("namespace", "")
            if found["metadata"].get("finalizers"):  # up to 2.2 runtimes keep theirs, which would hold up their CRD
                world.client.merge_patch(kind, name, namespace, {"metadata": {"finalizers": None}})
            world.client.delete(kind, name, namespace)


@pytest.fixture(scope="module")
def world(control_plane: ControlPlane, release: str) -> Iterator[World]:
    """A controller of that release at work."""
    made = World(connected(control_plane), lambda seconds: connected(control_plane, seconds))
    made.add_namespaces("kubeflow-system", "team-a")
    made.add_runtimes(release)
    with made.running(release=release):
        yield made
    tidied(made)


def test_jobs_of_every_shipped_runtime_start_suspended_resume_and_complete(world: World, release: str) -> None:
    for number, runtime in enumerate(shipped(release)):
        life.starts_suspended_resumes_and_completes(world, f"complete-{number}", runtime)


def test_jobs_of_every_shipped_runtime_fail(world: World, release: str) -> None:
    for number, runtime in enumerate(shipped(release)):
        life.fails(world, f"fail-{number}", runtime)


def test_a_running_job_is_suspended_and_resumed(world: World, release: str) -> None:
    life.is_suspended_while_running(world, "turns")


def test_counts_of_jobs_follow_those_of_the_job_set(world: World, release: str) -> None:
    life.counts_of_jobs_follow(world, "counted", release)


def test_a_job_exceeds_its_deadline(world: World, release: str) -> None:
    life.exceeds_its_deadline(world, "overdue", release)


def test_a_deleted_job_set_is_made_again(world: World, release: str) -> None:
    life.heals_what_is_deleted(world, "healed")


def test_a_deleted_job_leaves_nothing_that_comes_back(world: World, release: str) -> None:
    life.is_deleted(world, "deleted")


def test_a_job_waits_for_its_runtime_which_can_go_as_the_release_allows(world: World, release: str) -> None:
    life.waits_for_its_runtime(world, "waiting", release)


def test_a_runtime_that_changes_changes_nothing_for_jobs_with_a_snapshot(world: World, release: str) -> None:
    life.keeps_to_its_snapshot(world, "kept", release)


def test_the_keys_of_an_mpi_job_are_made_once(world: World, release: str) -> None:
    life.makes_keys_once(world, "keys", release)
