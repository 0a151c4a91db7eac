"""The JobSet itself: when it is emitted, and what the TrainJob sets on it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import (
    RELEASES,
    container,
    env,
    find,
    job_of,
    node,
    pod_of,
    rendered,
    replicated,
    runtime,
    trainer_job,
)

OWNER = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "name": "tj",
    "uid": "u-1",
    "controller": True,
    "blockOwnerDeletion": True,
}


def live(suspend: bool | None) -> dict[str, Any]:
    spec = {} if suspend is None else {"suspend": suspend}
    metadata = {"name": "tj", "namespace": "ml"}
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": metadata, "spec": spec}


# whether the JobSet is suspended, whether the TrainJob is, whether the JobSet is applied
EMITTED = [(True, True, True), (True, False, True), (False, True, True), (False, False, False), (None, False, False)]


@pytest.mark.parametrize(("jobset", "job", "emitted"), EMITTED)
def test_a_running_jobset_is_left_alone(jobset: bool | None, job: bool, emitted: bool) -> None:
    result = rendered({}, runtime(), live(jobset), suspend=job)
    assert any(item["kind"] == "JobSet" for item in result.objects) is emitted
    assert any("has the JobSet already" in note for note in result.notes) is not emitted
    assert [pods.count for pods in result.pod_sets] == [1]


def test_companions_are_applied_beside_a_running_jobset() -> None:
    result = rendered({}, runtime(policy={"mpi": {}}), live(False))
    assert [item["kind"] for item in result.objects] == ["ConfigMap", "Secret", "ConfigMap"]


@pytest.mark.parametrize("release", RELEASES)
def test_every_object_has_this_owner_and_only_the_jobset_has_labels(release: str) -> None:
    rt = runtime(
        policy={"mpi": {}}, gang={"coscheduling": {}}, template={"metadata": {"labels": {"a": "b"}, "name": "ignored"}}
    )
    result = rendered({}, rt, release=release)
    for item in result.objects:
        assert item["metadata"]["ownerReferences"] == [OWNER]
        assert (item["metadata"]["namespace"], "annotations" in item["metadata"]) == ("ml", False)
        assert item["metadata"].get("labels") == ({"a": "b"} if item["kind"] == "JobSet" else None)
    assert find(result, "JobSet")["metadata"]["name"] == "tj"


def test_everything_else_of_the_template_passes_through() -> None:
    jobset = {
        "network": {"subdomain": "sub", "enableDNSHostnames": False},
        "successPolicy": {"operator": "Any", "targetReplicatedJobs": ["node"]},
        "failurePolicy": {"maxRestarts": 3},
        "ttlSecondsAfterFinished": 60,
        "suspend": True,
    }
    spec = find(rendered({}, runtime(trainer_job(spec={"backoffLimit": 2}), jobset=jobset)), "JobSet")["spec"]
    assert spec["network"] == jobset["network"]
    assert spec["successPolicy"] == jobset["successPolicy"]
    assert spec["failurePolicy"] == {"maxRestarts": 3, "restartStrategy": "Recreate"}
    assert spec["ttlSecondsAfterFinished"] == 60
    assert spec["suspend"] is False
    assert spec["replicatedJobs"][0]["template"]["spec"]["backoffLimit"] == 2


@pytest.mark.parametrize("suspend", [True, False])
def test_suspend_is_the_train_jobs(suspend: bool) -> None:
    assert find(rendered({}, runtime(), suspend=suspend), "JobSet")["spec"]["suspend"] is suspend


@pytest.mark.parametrize("release", RELEASES)
def test_image_command_and_args_replace_those_of_the_runtime(release: str) -> None:
    rt = runtime(trainer_job(container(command=["old"], args=["old"]), container("side", command=["own"])))
    result = rendered({"image": "new:1", "command": ["new"], "args": ["a"]}, rt, release=release)
    assert (node(result)["image"], node(result)["command"], node(result)["args"]) == ("new:1", ["new"], ["a"])
    assert node(result, name="side")["command"] == ["own"]


def test_empty_lists_wipe_command_and_args_and_an_empty_image_is_set() -> None:
    rt = runtime(trainer_job(container(command=["old"], args=["old"])))
    result = rendered({"image": "", "command": [], "args": []}, rt)
    assert (node(result)["image"], node(result)["command"], node(result)["args"]) == ("", [], [])


def test_an_absent_trainer_still_forces_one_replica() -> None:
    assert replicated(rendered(None, runtime(trainer_job(replicas=5))))["replicas"] == 1


def test_a_job_that_does_not_train_ignores_the_trainer_and_keeps_its_replicas() -> None:
    rt = runtime(trainer_job(), job_of("aux", replicas=5))
    result = rendered({"image": "new:1", "env": [{"name": "A", "value": "1"}]}, rt)
    assert (node(result, "aux")["image"], env(result, "aux"), replicated(result, "aux")["replicas"]) == (
        "runtime:1",
        {},
        5,
    )


def test_replicas_of_zero_are_lost_in_go() -> None:
    assert "replicas" not in replicated(rendered({}, runtime(trainer_job(), job_of("aux", replicas=0))), "aux")


# resources of the runtime, of the TrainJob, on the JobSet before 2.3 and since
RESOURCES: dict[str, tuple[dict[str, Any], Any, Any, Any]] = {
    "a half that is given": (
        {"requests": {"cpu": "2"}},
        {"limits": {"x/gpu": "2"}},
        {"limits": {"x/gpu": "2"}},
        {"limits": {"x/gpu": "2"}, "requests": {"cpu": "2"}},
    ),
    "one key of a half": (
        {"limits": {"cpu": "8", "x/gpu": "4"}},
        {"limits": {"cpu": "1"}},
        {"limits": {"cpu": "1"}},
        {"limits": {"cpu": "1", "x/gpu": "4"}},
    ),
    "nothing": ({"limits": {"cpu": "8"}}, {}, {"limits": {"cpu": "8"}}, {"limits": {"cpu": "8"}}),
    "an empty half": ({"requests": {"cpu": "2"}}, {"limits": {}}, {"limits": {}}, {"requests": {"cpu": "2"}}),
    "other spellings of an amount": (
        {"requests": {"cpu": "1000m"}},
        {"requests": {"memory": "1024Mi"}},
        {"requests": {"memory": "1Gi"}},
        {"requests": {"cpu": "1", "memory": "1Gi"}},
    ),
}


@pytest.mark.parametrize("case", RESOURCES)
def test_resources_were_replaced_and_are_merged_since_2_3(case: str) -> None:
    base, given, before, since = RESOURCES[case]
    rt = runtime(trainer_job(container(resources=base)), policy={})
    for release, expected in zip(RELEASES, [before, before, before, since], strict=True):
        assert node(rendered({"resourcesPerNode": given}, rt, release=release))["resources"] == expected


def test_without_a_policy_resources_are_ignored_since_2_3_and_that_is_noted() -> None:
    given = {"resourcesPerNode": {"limits": {"cpu": "1"}}}
    result = rendered(given, runtime())
    assert "resources" not in node(result)
    assert any("resourcesPerNode is ignored" in note for note in result.notes)
    assert node(rendered(given, runtime(), release="2.2"))["resources"] == {"limits": {"cpu": "1"}}


def test_claims_are_lost_with_resources_of_the_train_job_and_that_is_noted() -> None:
    rt = runtime(trainer_job(container(resources={"claims": [{"name": "c"}]})), policy={})
    assert node(rendered({}, rt))["resources"] == {"claims": [{"name": "c"}]}
    result = rendered({"resourcesPerNode": {"limits": {"cpu": "1"}}}, rt)
    assert node(result)["resources"] == {"limits": {"cpu": "1"}}
    assert any("claims" in note for note in result.notes)


def initializers(**fields: Any) -> dict[str, Any]:
    def job(step: str) -> dict[str, Any]:
        containers = (container(f"{step}-initializer", **fields), container("side"))
        return job_of(f"{step}-initializer", *containers, ancestor=f"{step}-initializer", replicas=3)

    return runtime(job("dataset"), job("model"), trainer_job())


@pytest.mark.parametrize("step", ["dataset", "model"])
def test_an_initializer_gets_address_environment_and_secret(step: str) -> None:
    section = {
        "storageUri": "s3://b/x",
        "env": [{"name": "A", "value": "1"}],
        "secretRef": {"name": "token"},
    }
    result = rendered({}, initializers(env=[{"name": "RT", "value": "rt"}]), initializer={step: section})
    job = f"{step}-initializer"
    assert list(env(result, job, job).items()) == [("RT", "rt"), ("STORAGE_URI", "s3://b/x"), ("A", "1")]
    assert node(result, job, job)["envFrom"] == [{"secretRef": {"name": "token"}}]
    assert env(result, job, "side") == {}
    other = "model-initializer" if step == "dataset" else "dataset-initializer"
    assert env(result, other, other) == {"RT": "rt"}


def test_an_initializer_without_a_section_runs_with_one_replica() -> None:
    result = rendered({}, initializers())
    assert replicated(result, "dataset-initializer")["replicas"] == 1
    assert env(result, "dataset-initializer", "dataset-initializer") == {}


def test_environment_beats_the_address_and_an_empty_address_is_set() -> None:
    section: dict[str, Any] = {"storageUri": "", "env": [{"name": "STORAGE_URI", "value": "x://y"}]}
    job = "dataset-initializer"
    assert env(rendered({}, initializers(), initializer={"dataset": section}), job, job) == {"STORAGE_URI": "x://y"}
    del section["env"]
    assert env(rendered({}, initializers(), initializer={"dataset": section}), job, job) == {"STORAGE_URI": ""}


def test_a_secret_is_appended_though_it_is_there_already() -> None:
    source = {"secretRef": {"name": "token"}}
    rt = initializers(envFrom=[source])
    result = rendered({}, rt, initializer={"model": {"secretRef": {"name": "token"}}})
    assert node(result, "model-initializer", "model-initializer")["envFrom"] == [source, source]


def test_a_job_with_the_name_but_without_the_label_is_no_initializer() -> None:
    rt = runtime(job_of("dataset-initializer", container("dataset-initializer"), replicas=3), trainer_job())
    result = rendered({}, rt, initializer={"dataset": {"storageUri": "s3://b/x"}})
    assert env(result, "dataset-initializer", "dataset-initializer") == {}
    assert replicated(result, "dataset-initializer")["replicas"] == 3


def test_two_unnamed_ports_become_the_second_twice_even_without_a_plugin() -> None:
    ports = [{"containerPort": 1}, {"containerPort": 2}]
    second = {"containerPort": 2, "protocol": "TCP"}
    pre = {"initContainers": [container("pre", ports=ports)]}
    rt = runtime(trainer_job(container(ports=ports), pod=pre))
    result = rendered(None, rt)
    assert node(result)["ports"] == [second, second]
    assert node(result, name="pre", init=True)["ports"] == [second, second]
    before = rendered(None, rt, release="2.2")
    assert [port["containerPort"] for port in node(before, name="pre", init=True)["ports"]] == [1, 2]


def test_of_two_mounts_at_one_path_the_last_remains_twice() -> None:
    mounts = [{"name": "a", "mountPath": "/x"}, {"name": "b", "mountPath": "/x"}]
    result = rendered(None, runtime(trainer_job(container(volumeMounts=mounts))))
    assert node(result)["volumeMounts"] == [mounts[1], mounts[1]]


def test_a_runtime_without_jobs_or_template_gives_an_empty_jobset() -> None:
    empty = runtime()
    empty["spec"] = {}
    assert find(rendered({}, empty), "JobSet")["spec"] == {"suspend": False}


def test_a_job_without_a_pod_template_is_rendered() -> None:
    rt = runtime()
    rt["spec"]["template"]["spec"]["replicatedJobs"] = [{"name": "node", "template": {}}]
    assert pod_of(rendered({"numNodes": 3}, rt)) == {}
