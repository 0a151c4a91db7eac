"""The finalizer of runtimes: set while TrainJobs refer to them up to 2.2, and taken off since."""

from __future__ import annotations

from typing import Any

import pytest
from trainergen_controller import Actions, reconcile_runtime
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAINING_RUNTIME
from trainergen_controller.passes.training_runtime import refers_to

from tests.render.builders import runtime, train_job

IN_USE = "trainer.kubeflow.org/resource-in-use"
OLD = ["2.0", "2.1", "2.2"]


def held(*finalizers: str, kind: str = "ClusterTrainingRuntime", deleting: bool = False) -> dict[str, Any]:
    made = runtime(kind=kind)
    made["metadata"] |= {"finalizers": list(finalizers), "resourceVersion": "7"}
    if deleting:
        made["metadata"]["deletionTimestamp"] = "2026-03-01T12:00:00Z"
    return made


def finalizers(actions: Actions) -> Any:
    [patch] = actions.patches
    return patch.patch["metadata"]["finalizers"]


@pytest.mark.parametrize("release", OLD)
def test_a_runtime_that_is_referred_to_is_held(release: str) -> None:
    actions = reconcile_runtime(runtime(), [train_job()], release=release)
    assert finalizers(actions) == [IN_USE]
    assert actions.patches[0].kind == CLUSTER_TRAINING_RUNTIME


@pytest.mark.parametrize("release", OLD)
def test_it_is_held_on_when_the_job_is_gone_and_let_go_when_it_is_deleted(release: str) -> None:
    assert reconcile_runtime(held(IN_USE), [], release=release) == Actions()
    assert finalizers(reconcile_runtime(held(IN_USE, deleting=True), [], release=release)) is None


@pytest.mark.parametrize("release", OLD)
def test_it_is_not_let_go_while_a_job_refers_to_it(release: str) -> None:
    assert reconcile_runtime(held(IN_USE, deleting=True), [train_job()], release=release) == Actions()


def test_what_is_being_deleted_gets_no_finalizer() -> None:
    assert reconcile_runtime(held("a/b", deleting=True), [train_job()], release="2.2") == Actions()


def test_an_unused_runtime_is_not_held() -> None:
    assert reconcile_runtime(runtime(), [], release="2.2") == Actions()


def test_since_2_3_the_finalizer_goes_whoever_refers_to_the_runtime() -> None:
    actions = reconcile_runtime(held("a/b", IN_USE), [train_job()], release="2.3")
    assert finalizers(actions) == ["a/b"]
    assert actions.patches[0].resource_version == "7"
    assert reconcile_runtime(held("a/b"), [train_job()], release="2.3") == Actions()


def test_a_namespaced_runtime_is_patched_in_its_namespace() -> None:
    [patch] = reconcile_runtime(held(IN_USE, kind="TrainingRuntime"), release="2.3").patches
    assert (patch.kind, patch.namespace, patch.name) == (TRAINING_RUNTIME, "ml", "rt")


REFERENCES: dict[str, tuple[dict[str, Any], str, bool]] = {
    "kind and group are those of cluster runtimes by default": ({"name": "rt"}, "ClusterTrainingRuntime", True),
    "another name": ({"name": "other"}, "ClusterTrainingRuntime", False),
    "another kind": ({"name": "rt", "kind": "TrainingRuntime"}, "ClusterTrainingRuntime", False),
    "another group": ({"name": "rt", "apiGroup": "example.com"}, "ClusterTrainingRuntime", False),
    "a namespaced one": ({"name": "rt", "kind": "TrainingRuntime"}, "TrainingRuntime", True),
}


@pytest.mark.parametrize(("reference", "kind", "refers"), REFERENCES.values(), ids=REFERENCES)
def test_references(reference: dict[str, Any], kind: str, refers: bool) -> None:
    assert refers_to(train_job(runtimeRef=reference), runtime(kind=kind)) == refers


def test_a_namespaced_runtime_serves_its_namespace_only() -> None:
    job = train_job(runtimeRef={"name": "rt", "kind": "TrainingRuntime"})
    job["metadata"]["namespace"] = "elsewhere"
    assert not refers_to(job, runtime(kind="TrainingRuntime"))
