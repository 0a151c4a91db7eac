"""What goes wrong in a pass: the error, the Event, and what happens all the same."""

from __future__ import annotations

from typing import Any

import pytest
from trainergen_controller import creation_failed, reconcile

from tests.controller.passes.cluster import NOW, World, created
from tests.render.builders import RELEASES, mpi_runtime, runtime, train_job


@pytest.mark.parametrize("kind", ["ClusterTrainingRuntime", "TrainingRuntime"])
def test_a_missing_runtime_gives_an_event_and_no_condition(kind: str) -> None:
    job = created(runtimeRef={"name": "lost", "kind": kind})
    actions = reconcile(job, [runtime()], now=NOW)
    assert (actions.applies, actions.status, actions.status_patch) == ((), None, None)
    assert actions.error is not None
    assert f"refers to the {kind} 'lost'" in actions.error
    assert actions.error.endswith("there is no JobSet 'ml/tj'")
    [event] = actions.events
    assert (event.type, event.reason, event.action) == ("Warning", "TrainJobResourcesCreationFailed", "Reconciling")
    assert "'lost'" in event.note


def test_a_runtime_that_the_release_ships_must_be_installed() -> None:
    actions = reconcile(created(runtimeRef={"name": "torch-distributed"}), [], now=NOW)
    assert actions.error is not None
    assert "ClusterTrainingRuntime 'torch-distributed', which is not known" in actions.error


def test_a_job_with_a_missing_runtime_is_suspended_and_gets_overdue_all_the_same() -> None:
    world = World(created(runtimeRef={"name": "lost"}, suspend=True, activeDeadlineSeconds=5))
    world.step()
    assert world.conditions() == ["Suspended=True/Suspended"]
    world.suspend(False)
    actions = world.step()
    assert actions.requeue_after == 5
    world.wait(6)
    world.step()
    assert world.conditions() == ["Suspended=False/Resumed", "Failed=True/DeadlineExceeded"]


def test_the_job_recovers_when_the_runtime_comes() -> None:
    world = World(created(runtimeRef={"name": "later"}))
    assert world.step().error
    world.objects["ClusterTrainingRuntime", "later"] = runtime(name="later")
    assert world.step().error is None
    assert world.names() == ["ConfigMap tj-runtime-snapshot", "JobSet tj"]


@pytest.mark.parametrize("release", RELEASES)
def test_a_runtime_of_an_unknown_kind_fails_the_job_without_an_event(release: str) -> None:
    world = World(created(runtimeRef={"apiGroup": "example.com", "kind": "Recipe", "name": "rt"}), release=release)
    actions = world.step()
    assert (actions.error, actions.events) == ("unsupported runtime: Recipe.example.com", ())
    assert world.conditions() == ["Failed=True/TrainingRuntimeNotSupported"]
    assert world.job["status"]["conditions"][0]["message"] == "unsupported runtime: Recipe.example.com"


def test_a_kind_without_group_is_written_without_a_dot() -> None:
    actions = reconcile(created(runtimeRef={"apiGroup": "", "kind": "Recipe", "name": "rt"}), [], now=NOW)
    assert actions.error == "unsupported runtime: Recipe"


def test_the_failure_does_not_turn_at_every_pass() -> None:
    world = World(created(runtimeRef={"apiGroup": "example.com", "kind": "Recipe", "name": "rt"}))
    world.step()
    world.wait(60)
    assert world.step().status_patch is None


@pytest.mark.parametrize("release", RELEASES)
def test_the_failure_is_forgotten_when_the_kind_is_mended(release: str) -> None:
    world = World(created(runtimeRef={"apiGroup": "example.com", "kind": "Recipe", "name": "rt"}), release=release)
    world.step()
    world.job["spec"]["runtimeRef"] = {"name": "rt"}
    world.step()
    assert world.conditions() == []
    assert ("JobSet", "tj") in world.objects


def test_flux_without_a_number_of_nodes_is_an_error_and_no_panic() -> None:
    actions = reconcile(created({}), [runtime(policy={"flux": {"numProcPerNode": 1}})], now=NOW)
    assert actions.error is not None
    assert "spec.trainer.numNodes" in actions.error
    assert len(actions.events) == 1


LENGTHS: dict[str, tuple[int, int, bool]] = {
    "a short error is told in full": (10, 10, False),
    "one of 950 characters too": (950, 950, False),
    "a longer one is cut": (951, 950, True),
    "however long it is": (5000, 950, True),
}


@pytest.mark.parametrize(("length", "kept", "cut"), LENGTHS.values(), ids=LENGTHS)
def test_the_note_of_the_event(length: int, kept: int, cut: bool) -> None:
    note = creation_failed("ü" * length).note
    assert note.count("ü") == kept
    assert note.endswith(" ...") == cut
    assert len(note.encode()) <= 2048
    assert len(note) <= 1024


@pytest.mark.parametrize(
    ("release", "action"), [("2.0", ""), ("2.1", ""), ("2.2", "Reconciling"), ("2.3", "Reconciling")]
)
def test_only_newer_events_say_what_was_being_done(release: str, action: str) -> None:
    assert creation_failed("no", release).action == action


def snapshot(**metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "tj-runtime-snapshot", "namespace": "ml", **metadata},
    }


def test_the_snapshot_of_an_earlier_job_of_that_name_stops_the_pass() -> None:
    owner = {"kind": "TrainJob", "name": "tj", "uid": "u-0", "controller": True}
    actions = reconcile(created(), [runtime(), snapshot(ownerReferences=[owner])], now=NOW)
    assert actions.applies == ()
    assert actions.error is not None
    assert "is not owned by this TrainJob" in actions.error


@pytest.mark.parametrize("release", RELEASES)
def test_the_jobset_of_an_earlier_job_of_that_name_is_neither_changed_nor_believed(release: str) -> None:
    world = World(created(), release=release)
    world.step()
    world.ends("Completed")
    world.job_set()["metadata"]["ownerReferences"][0]["uid"] = "u-0"
    actions = world.step()
    assert (actions.applies, actions.deletes, actions.status) == ((), (), None)
    assert actions.error is not None
    assert "the JobSet 'ml/tj' belongs to the TrainJob 'tj' with uid 'u-0', not to this TrainJob" in actions.error


def test_a_jobset_without_an_owner_is_believed() -> None:
    world = World(created())
    world.step()
    del world.job_set()["metadata"]["ownerReferences"]
    world.ends("Completed")
    world.step()
    assert world.conditions() == ["Complete=True/AllJobsCompleted"]


def test_what_cannot_be_read_is_an_error() -> None:
    job = train_job({"numNodes": "three"})
    actions = reconcile(job, [runtime()], now=NOW)
    assert actions.error is not None
    assert "spec.trainer.numNodes" in actions.error


def test_the_content_of_secrets_is_in_no_note_or_error() -> None:
    secrets = {"tj-mpi-ssh-auth": {"ssh-privatekey": "PRIVATE", "ssh-publickey": "PUBLIC"}}
    world = World(created({"numNodes": 2}), mpi_runtime(numProcPerNode=1, mpiImplementation="OpenMPI"))
    actions = world.step(secrets=secrets)
    assert any(apply.kind.kind == "Secret" for apply in actions.applies)
    assert "PRIVATE" not in f"{actions.notes} {actions.events} {actions.error} {actions.status}"
