"""Finding the runtime of a TrainJob, and reading the TrainJob itself."""

from __future__ import annotations

from typing import Any

import pytest

import trainergen
from tests.render.builders import API_VERSION, RELEASES, find, node, render, runtime, train_job
from trainergen.errors import TrainergenError
from trainergen.render import PLACEHOLDER_UID, Cluster, RenderError


def ref(name: str = "rt", **fields: str) -> dict[str, Any]:
    return train_job({}, runtimeRef={"name": name, **fields})


NAMESPACED = {"kind": "TrainingRuntime"}
ELSEWHERE = runtime(kind="TrainingRuntime")
ELSEWHERE["metadata"] = {"name": "rt", "namespace": "other"}

# TrainJob, objects, message, help
MISSING: dict[str, tuple[dict[str, Any], list[Any], str, str]] = {
    "a misspelt one": (
        ref("rtt"),
        [runtime()],
        "ClusterTrainingRuntime 'rtt', which is not known",
        "did you mean 'rt'?",
    ),
    "a misspelt shipped one": (ref("torch-distributd"), [], "is not known", "did you mean 'torch-distributed'?"),
    "one of the other kind": (
        ref("rt", **NAMESPACED),
        [runtime()],
        "TrainingRuntime 'rt' in namespace 'ml', which is not known",
        "set spec.runtimeRef.kind to ClusterTrainingRuntime",
    ),
    "one in another namespace": (ref("rt", **NAMESPACED), [ELSEWHERE], "is not known", "one in namespace 'other'"),
    "one that is nothing like any": (ref("qqq"), [runtime()], "is not known", "Create the runtime before"),
    "a foreign group": (
        ref("rt", apiGroup="example.com"),
        [runtime()],
        "'ClusterTrainingRuntime.example.com'",
        "panics",
    ),
    "a foreign kind": (ref("rt", kind="Job"), [runtime()], "'Job.trainer.kubeflow.org'", "Refer to a runtime"),
    "no reference at all": (
        {**train_job(), "spec": {}},
        [runtime()],
        "spec.runtimeRef is missing",
        "Refer to a runtime",
    ),
}


@pytest.mark.parametrize("case", MISSING)
def test_a_runtime_that_is_not_found_gets_a_hint(case: str) -> None:
    job, objects, message, hint = MISSING[case]
    with pytest.raises(RenderError) as caught:
        render(job, objects)
    assert message in caught.value.message
    assert hint in caught.value.help


@pytest.mark.parametrize("kind", ["ClusterTrainingRuntime", "TrainingRuntime"])
def test_the_kind_decides_between_two_of_one_name(kind: str) -> None:
    both = [runtime(), runtime(kind="TrainingRuntime")]
    containers = [
        item["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"]
        for item in both
    ]
    for own, item in zip(containers, both, strict=True):
        own[0]["image"] = item["kind"]
    assert node(render(ref(kind=kind), both))["image"] == kind


@pytest.mark.parametrize("release", RELEASES)
def test_a_runtime_that_the_release_ships_need_not_be_given(release: str) -> None:
    result = render(ref("torch-distributed"), release=release)
    assert node(result)["name"] == "node"


def test_a_given_runtime_beats_the_shipped_one() -> None:
    assert node(render(ref("torch-distributed"), [runtime(name="torch-distributed")]))["image"] == "runtime:1"


def test_objects_without_a_namespace_lie_in_the_default_one() -> None:
    job, rt = ref(**NAMESPACED), runtime(kind="TrainingRuntime")
    del job["metadata"]["namespace"], rt["metadata"]["namespace"]
    assert find(render(job, [rt]), "JobSet")["metadata"]["namespace"] == "default"


def test_a_train_job_without_a_uid_gets_the_placeholder() -> None:
    job = train_job({})
    del job["metadata"]["uid"]
    (owner,) = find(render(job, [runtime()]), "JobSet")["metadata"]["ownerReferences"]
    assert owner["uid"] == PLACEHOLDER_UID


def test_an_index_over_objects_can_be_used_many_times() -> None:
    cluster = Cluster([runtime()])
    assert render(ref(), cluster).objects == render(ref(), [runtime()]).objects


# TrainJob, message
UNREADABLE: dict[str, tuple[Any, str]] = {
    "another kind": (runtime(), "the object is a 'ClusterTrainingRuntime'"),
    "another group": ({**train_job(), "apiVersion": "kubeflow.org/v1"}, "of group 'kubeflow.org'"),
    "nothing": ({}, "the object is a ''"),
    "no name": ({**train_job(), "metadata": {"generateName": "x-"}}, "metadata.name is missing"),
    "a text for a number": (train_job({"numNodes": "2"}), "spec.trainer.numNodes is '2', but must be an integer"),
    "a truth for a number": (train_job({"numNodes": True}), "spec.trainer.numNodes is 'True', but must be an integer"),
    "a number that is too large": (train_job({"numNodes": 2**31}), "must be between -2147483648 and 2147483647"),
    "a text for a list": (train_job({"command": "x"}), "spec.trainer.command is 'x', but must be a list"),
    "a number for a text": (train_job({"image": 1}), "spec.trainer.image is '1', but must be a string"),
    "a list for an object": (train_job(initializer=[]), "spec.initializer is '[]', but must be an object"),
    "a text for a truth": (train_job(suspend="yes"), "spec.suspend is 'yes', but must be true or false"),
    "no quantity": (
        train_job({"resourcesPerNode": {"limits": {"cpu": "1 core"}}}),
        "spec.trainer.resourcesPerNode.limits.cpu is '1 core', but must be a quantity",
    ),
    "an item of a list": (train_job({"env": [{"name": 1}]}), "spec.trainer.env[0].name is '1', but must be a string"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_go_types_cannot_hold_is_an_error(case: str) -> None:
    job, message = UNREADABLE[case]
    with pytest.raises(RenderError) as caught:
        render(job, [runtime()])
    assert message in caught.value.message
    assert caught.value.help


def test_a_runtime_of_the_wrong_shape_is_named() -> None:
    with pytest.raises(RenderError, match=r"the ClusterTrainingRuntime rt cannot be read: spec\.mlPolicy is 'x'"):
        render(ref(), [runtime(policy="x")])  # type: ignore[arg-type]


def test_a_patch_that_cannot_be_merged_is_an_error() -> None:
    labels = {"$patch": "explode"}
    patch = {
        "manager": "a.b/c",
        "trainingRuntimeSpec": {
            "template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"metadata": {"labels": labels}}}]}}
        },
    }
    rt = runtime()
    with pytest.raises(RenderError, match="runtimePatches cannot be merged"):
        render(train_job({}, runtimePatches=[patch]), [rt])


def test_an_unknown_release_is_an_error() -> None:
    with pytest.raises(TrainergenError, match=r"unknown Trainer release '1\.9'"):
        render(ref(), [runtime()], release="1.9")


def test_fields_that_the_release_does_not_know_are_ignored() -> None:
    job = train_job({"numNodes": 2}, podTemplateOverrides=[{"targetJobs": []}], nonsense={"a": 1})
    assert render(job, [runtime()]).objects == render(train_job({"numNodes": 2}), [runtime()]).objects


def test_a_foreign_manager_is_noted_since_2_3() -> None:
    job = train_job({}, managedBy="kueue.x-k8s.io/multikueue")
    assert any("leaves the TrainJob alone" in note for note in render(job, [runtime()]).notes)
    assert render(job, [runtime()], release="2.2").notes == []
    assert render(train_job({}), [runtime()]).notes == []


def test_the_public_names_are_those_of_the_package() -> None:
    assert trainergen.RenderError is RenderError
    assert trainergen.render(ref(), [runtime()]).objects == render(ref(), [runtime()]).objects
    assert API_VERSION in str(trainergen.render(ref(), [runtime()]).objects)
