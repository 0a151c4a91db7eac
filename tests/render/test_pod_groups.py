"""Coscheduling and Volcano: marks on Pods, and PodGroups."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import (
    RELEASES,
    container,
    find,
    job_of,
    mpi_runtime,
    patch,
    rendered,
    replicated,
    runtime,
    trainer_job,
)

COSCHEDULING: dict[str, Any] = {"coscheduling": {}}
VOLCANO: dict[str, Any] = {"volcano": {}}
LABEL, ANNOTATION = "scheduling.x-k8s.io/pod-group", "scheduling.k8s.io/group-name"
QUEUE = "scheduling.volcano.sh/queue-name"


def requesting(name: str = "node", **requests: Any) -> dict[str, Any]:
    return container(name, resources={"requests": requests})


def initializer(step: str, **requests: Any) -> dict[str, Any]:
    return job_of(f"{step}-initializer", requesting(f"{step}-initializer", **requests), ancestor=f"{step}-initializer")


def metadata(result: Any, job: str = "node") -> dict[str, Any]:
    return dict(replicated(result, job)["template"]["spec"]["template"].get("metadata", {}))


def live(group: str) -> dict[str, Any]:
    return {"apiVersion": f"{group}/v1", "kind": "PodGroup", "metadata": {"name": "tj", "namespace": "ml"}}


@pytest.mark.parametrize("gang", [None, {}])
def test_without_a_policy_there_is_nothing(gang: dict[str, Any] | None) -> None:
    result = rendered({}, runtime(gang=gang))
    assert [item["kind"] for item in result.objects] == ["ConfigMap", "JobSet"]
    assert metadata(result) == {}


def test_an_empty_policy_labelled_the_pods_in_the_first_release() -> None:
    result = rendered({}, runtime(gang={}), release="2.0")
    assert metadata(result) == {"labels": {LABEL: "tj"}}
    assert [item["kind"] for item in result.objects] == ["JobSet"]


@pytest.mark.parametrize("release", RELEASES)
def test_thirty_nodes_and_two_initializers(release: str) -> None:
    jobs = [initializer("dataset", cpu=1), initializer("model", cpu=1), trainer_job(requesting(cpu=1))]
    gang = {"coscheduling": {"scheduleTimeoutSeconds": 120}}
    result = rendered({"numNodes": 30}, runtime(*jobs, policy={"numNodes": 100}, gang=gang), release=release)
    group = find(result, "PodGroup", "tj")
    assert group["apiVersion"] == "scheduling.x-k8s.io/v1alpha1"
    assert group["spec"] == {"minMember": 32, "minResources": {"cpu": "32"}, "scheduleTimeoutSeconds": 120}
    for job in ("dataset-initializer", "model-initializer", "node"):
        assert metadata(result, job) == {"labels": {LABEL: "tj"}}


def test_sums_of_several_jobs_are_canonical_and_the_timeout_has_a_default() -> None:
    jobs = [
        job_of("aux", requesting(cpu="250m", memory="512Mi"), replicas=2),
        trainer_job(requesting(cpu="500m", memory="1Gi")),
    ]
    spec = find(rendered({"numNodes": 2}, runtime(*jobs, gang=COSCHEDULING)), "PodGroup")["spec"]
    assert spec == {
        "minMember": 3,
        "minResources": {"cpu": "1250m", "memory": "2560Mi"},
        "scheduleTimeoutSeconds": 60,
    }


def test_limits_do_not_count() -> None:
    rt = runtime(trainer_job(container(resources={"limits": {"cpu": "1"}})), gang=COSCHEDULING)
    assert find(rendered({}, rt), "PodGroup")["spec"]["minResources"] == {}


# release, whether there is an ML policy, what is counted for cpu 2 and memory in the runtime and cpu 5 in the TrainJob
COUNTED = {
    ("2.0", True): {"cpu": "2", "memory": "1Gi"},
    ("2.1", True): {"cpu": "2", "memory": "1Gi"},
    ("2.2", True): {"cpu": "5"},
    ("2.3", True): {"cpu": "5", "memory": "1Gi"},
    ("2.2", False): {"cpu": "2", "memory": "1Gi"},
    ("2.3", False): {"cpu": "2", "memory": "1Gi"},
}


@pytest.mark.parametrize(("release", "policy"), COUNTED)
def test_what_is_counted_of_the_resources_of_the_train_job(release: str, policy: bool) -> None:
    rt = runtime(trainer_job(requesting(cpu=2, memory="1Gi")), policy={} if policy else None, gang=COSCHEDULING)
    result = rendered({"resourcesPerNode": {"requests": {"cpu": 5}}}, rt, release=release)
    assert find(result, "PodGroup")["spec"]["minResources"] == COUNTED[release, policy]


@pytest.mark.parametrize(("release", "cpu"), [("2.2", "5"), ("2.3", "15")])
def test_mpi_workers_are_counted_with_the_merged_resources_since_2_3(release: str, cpu: str) -> None:
    rt = mpi_runtime(as_node=True)
    rt["spec"]["podGroupPolicy"] = COSCHEDULING
    result = rendered({"numNodes": 3, "resourcesPerNode": {"requests": {"cpu": 5}}}, rt, release=release)
    assert find(result, "PodGroup")["spec"]["minResources"] == {"cpu": cpu}


@pytest.mark.parametrize(("gang", "group"), [(COSCHEDULING, "scheduling.x-k8s.io"), (VOLCANO, "scheduling.volcano.sh")])
@pytest.mark.parametrize(("suspended", "emitted"), [(False, 0), (True, 1)])
def test_an_existing_pod_group_is_changed_only_while_suspended(
    gang: dict[str, Any], group: str, suspended: bool, emitted: int
) -> None:
    result = rendered({}, runtime(gang=gang), live(group), suspend=suspended)
    assert [item["kind"] for item in result.objects].count("PodGroup") == emitted
    # The Pods are marked all the same.
    assert metadata(result) == (
        {"labels": {LABEL: "tj"}} if gang is COSCHEDULING else {"annotations": {ANNOTATION: "tj"}}
    )


def test_a_pod_group_of_the_other_scheduler_does_not_matter() -> None:
    assert find(rendered({}, runtime(gang=VOLCANO), live("scheduling.x-k8s.io")), "PodGroup")


def test_volcano_takes_queue_priority_and_topology() -> None:
    rt = runtime(
        job_of("aux", pod={"priorityClassName": "low"}),
        trainer_job(requesting(cpu="460m", memory="600Mi"), pod={"priorityClassName": "high"}),
        gang={"volcano": {"networkTopology": {"mode": "soft", "highestTierAllowed": 2}}},
        template={"metadata": {"annotations": {QUEUE: "gold"}}},
    )
    group = find(rendered({"numNodes": 5}, rt, suspend=True), "PodGroup")
    assert group["apiVersion"] == "scheduling.volcano.sh/v1beta1"
    assert group["spec"] == {
        "minMember": 6,
        "minResources": {"cpu": "2300m", "memory": "3000Mi"},
        "queue": "gold",
        "priorityClassName": "high",
        "networkTopology": {"mode": "soft", "highestTierAllowed": 2},
    }


def test_volcano_takes_an_empty_queue_and_defaults_of_the_topology() -> None:
    rt = runtime(gang={"volcano": {"networkTopology": {}}}, template={"metadata": {"annotations": {QUEUE: ""}}})
    spec = find(rendered({}, rt), "PodGroup")["spec"]
    assert (spec["queue"], spec["networkTopology"]) == ("", {"mode": "hard", "highestTierAllowed": 1})


def test_a_queue_of_a_patch_wins_and_one_of_the_train_job_itself_is_ignored() -> None:
    rt = runtime(gang=VOLCANO, template={"metadata": {"annotations": {QUEUE: "gold"}}})
    result = rendered({}, rt, runtimePatches=[patch(metadata={"annotations": {QUEUE: "silver"}})])
    assert find(result, "PodGroup")["spec"]["queue"] == "silver"


def test_volcano_without_jobs_asks_for_nothing() -> None:
    rt = runtime(gang=VOLCANO)
    rt["spec"]["template"]["spec"]["replicatedJobs"] = []
    assert find(rendered({}, rt), "PodGroup")["spec"] == {"minMember": 0, "minResources": {}}


def test_volcano_came_with_2_1() -> None:
    kinds = [item["kind"] for item in rendered({}, runtime(gang=VOLCANO), release="2.0").objects]
    assert kinds == ["JobSet"]


def test_both_policies_give_two_pod_groups() -> None:
    result = rendered({}, runtime(gang={**COSCHEDULING, **VOLCANO}))
    groups = [item["apiVersion"] for item in result.objects if item["kind"] == "PodGroup"]
    assert groups == ["scheduling.x-k8s.io/v1alpha1", "scheduling.volcano.sh/v1beta1"]
    assert metadata(result) == {"labels": {LABEL: "tj"}, "annotations": {ANNOTATION: "tj"}}


def test_marks_override_what_the_runtime_has_and_leave_the_rest() -> None:
    rt = runtime(gang=COSCHEDULING)
    template = rt["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    template["metadata"] = {"labels": {LABEL: "other", "a": "b"}}
    assert metadata(rendered({}, rt))["labels"] == {LABEL: "tj", "a": "b"}
