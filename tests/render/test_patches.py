"""What patches of each release do to the JobSet, and that each part is traced to its patch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import (
    container,
    env,
    find,
    job_of,
    node,
    patch,
    pod_of,
    pod_patch,
    render,
    rendered,
    replicated,
    runtime,
    train_job,
    trainer_job,
)
from trainergen.render import Origin


def variables(**values: str) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in values.items()]


RUNTIME = runtime(
    job_of(
        "first",
        container("first", volumeMounts=[{"name": "v1", "mountPath": "/v1"}]),
        pod={"volumes": [{"name": "v1", "emptyDir": {}}]},
    ),
    trainer_job(
        container(),
        container("side"),
        pod={
            "nodeSelector": {"a": "1"},
            "tolerations": [{"key": "x"}],
            "volumes": [{"name": "v1", "emptyDir": {}}, {"name": "v2", "emptyDir": {}}],
            "initContainers": [container("pre", env=variables(P="1", Q="1"))],
            "serviceAccountName": "runtime",
        },
    ),
    template={"metadata": {"labels": {"queue": "bronze", "own": "1"}, "annotations": {"a": "1"}}},
)


def patched(*patches: Any) -> Any:
    return rendered({}, RUNTIME, runtimePatches=list(patches))


def test_two_managers_in_order() -> None:
    pod = {
        "nodeSelector": {"b": "2"},
        "tolerations": [{"key": "y", "operator": "Exists"}],
        "volumes": [{"name": "v3", "emptyDir": {}}],
        "initContainers": [{"name": "pre", "env": variables(Q="new", R="new")}],
    }
    result = patched(
        patch(pod_patch("node", {"annotations": {"n": "1"}}, **pod), metadata={"labels": {"queue": "gold"}}),
        patch(
            pod_patch("node", nodeSelector={"a": "9"}),
            manager="example.com/two",
            metadata={"labels": {"queue": "silver"}},
        ),
    )
    assert find(result, "JobSet")["metadata"]["labels"] == {"queue": "silver", "own": "1"}
    assert replicated(result)["template"]["spec"]["template"]["metadata"] == {"annotations": {"n": "1"}}
    assert pod_of(result)["nodeSelector"] == {"a": "9", "b": "2"}
    assert pod_of(result)["tolerations"] == [{"key": "y", "operator": "Exists"}]
    assert [volume["name"] for volume in pod_of(result)["volumes"]] == ["v3", "v1", "v2"]
    assert list(env(result, name="pre", init=True).items()) == [("P", "1"), ("Q", "new"), ("R", "new")]


def test_labels_and_annotations_of_a_patch_win_and_other_metadata_is_not_propagated() -> None:
    result = patched(
        patch(metadata={"labels": {"queue": "gold"}, "annotations": {"a": "2"}, "name": "x", "finalizers": ["f"]})
    )
    metadata = find(result, "JobSet")["metadata"]
    assert (metadata["name"], metadata["labels"]["queue"], metadata["annotations"]) == ("tj", "gold", {"a": "2"})
    assert "finalizers" not in metadata


def test_a_patch_affects_its_own_job_only() -> None:
    result = patched(
        patch(pod_patch("first", serviceAccountName="one")), patch(pod_patch("node", serviceAccountName="two"))
    )
    assert [pod_of(result, job)["serviceAccountName"] for job in ("first", "node")] == ["one", "two"]
    assert (
        patched(patch(pod_patch("first", serviceAccountName="one"))).pod_sets[1].pod["serviceAccountName"] == "runtime"
    )


def test_volumes_and_mounts_are_added_to_those_of_the_runtime() -> None:
    pod = {
        "volumes": [{"name": "v9", "emptyDir": {}}],
        "containers": [{"name": "first", "volumeMounts": [{"name": "v9", "mountPath": "/v9"}]}],
    }
    result = patched(patch(pod_patch("first", **pod)))
    assert [volume["name"] for volume in pod_of(result, "first")["volumes"]] == ["v9", "v1"]
    assert [mount["mountPath"] for mount in node(result, "first", "first")["volumeMounts"]] == ["/v9", "/v1"]


FIELDS: dict[str, Any] = {
    "serviceAccountName": "sa",
    "imagePullSecrets": [{"name": "pull"}],
    "schedulingGates": [{"name": "gate"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "terminationGracePeriodSeconds": 300,
    "securityContext": {"runAsUser": 1000},
}


@pytest.mark.parametrize("field", FIELDS)
def test_fields_of_a_pod_can_be_patched(field: str) -> None:
    result = patched(patch(pod_patch("node", **{field: FIELDS[field]})))
    expected = {"nodeAffinity": {}} if field == "affinity" else FIELDS[field]
    assert pod_of(result)[field] == expected
    assert field not in pod_of(result, "first")


def test_the_grace_period_came_with_2_3() -> None:
    patches = [patch(pod_patch("node", terminationGracePeriodSeconds=300))]
    assert "terminationGracePeriodSeconds" not in pod_of(rendered({}, RUNTIME, release="2.2", runtimePatches=patches))


def test_security_contexts_of_pod_and_sidecar_leave_node_alone() -> None:
    context = {"runAsNonRoot": True}
    pod = {"securityContext": context, "containers": [{"name": "side", "securityContext": context}]}
    result = patched(patch(pod_patch("node", **pod)))
    assert pod_of(result)["securityContext"] == node(result, name="side")["securityContext"] == context
    assert "securityContext" not in node(result)


def test_metadata_lands_at_its_level() -> None:
    job = {
        "name": "node",
        "template": {
            "metadata": {"labels": {"job": "1"}},
            "spec": {"template": {"metadata": {"labels": {"pod": "1"}}}},
        },
    }
    result = patched(patch(job))
    assert replicated(result)["template"]["metadata"]["labels"]["job"] == "1"
    assert replicated(result)["template"]["spec"]["template"]["metadata"]["labels"] == {"pod": "1"}


def test_another_source_for_a_volume_stays_beside_the_old_one() -> None:
    result = patched(patch(pod_patch("node", volumes=[{"name": "v1", "persistentVolumeClaim": {"claimName": "c"}}])))
    assert pod_of(result)["volumes"][0] == {"name": "v1", "emptyDir": {}, "persistentVolumeClaim": {"claimName": "c"}}


def test_an_empty_value_in_a_patch_changes_nothing() -> None:
    pod = {"tolerations": [], "initContainers": [{"name": "pre", "env": variables(P="")}]}
    result = patched(patch(pod_patch("node", **pod)))
    assert pod_of(result)["tolerations"] == [{"key": "x"}]
    assert env(result, name="pre", init=True)["P"] == "1"


def test_a_patch_is_written_anew_by_go_before_it_is_merged() -> None:
    source = {"resourceFieldRef": {"resource": "limits.cpu"}}
    pod = {
        "initContainers": [{"name": "pre", "env": [{"name": "R", "valueFrom": source}]}],
        "volumes": [{"name": "v9", "emptyDir": {"sizeLimit": "1024Mi", "medium": ""}}],
    }
    result = patched(patch(pod_patch("node", **pod)))
    assert env(result, name="pre", init=True)["R"] == {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}
    assert pod_of(result)["volumes"][0] == {"name": "v9", "emptyDir": {"sizeLimit": "1Gi"}}


def test_jobs_keep_the_order_of_the_runtime_and_an_unknown_one_comes_first() -> None:
    result = patched(patch(pod_patch("node", serviceAccountName="a")), patch(pod_patch("new", serviceAccountName="b")))
    names = [job["name"] for job in find(result, "JobSet")["spec"]["replicatedJobs"]]
    assert sorted(names) == ["first", "new", "node"]
    assert names.index("first") < names.index("node")
    assert names.index("new") < names.index("node")


def test_an_unknown_job_is_skipped_before_2_3() -> None:
    result = rendered({}, RUNTIME, release="2.2", runtimePatches=[patch(pod_patch("new", serviceAccountName="b"))])
    assert [job["name"] for job in find(result, "JobSet")["spec"]["replicatedJobs"]] == ["first", "node"]


def test_a_patch_can_turn_the_trainer_into_something_else() -> None:
    label = {"trainer.kubeflow.org/trainjob-ancestor-step": "other"}
    job = {"name": "node", "template": {"metadata": {"labels": label}}}
    result = rendered({"image": "x", "numNodes": 3}, RUNTIME, runtimePatches=[patch(job)])
    assert (node(result)["image"], result.pod_sets[1].count) == ("runtime:1", 1)


def test_a_patch_meets_the_trainer_and_the_plugin() -> None:
    rt = runtime(policy={"torch": {}})
    pods = pod_patch("node", containers=[{"name": "node", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}])
    result = rendered({"numNodes": 2}, rt, runtimePatches=[patch(pods)])
    assert node(result)["volumeMounts"] == [{"name": "v", "mountPath": "/v"}]
    assert env(result)["PET_NNODES"] == "2"


# ---- the overrides of earlier releases, and where each part comes from

OVERRIDES: dict[str, dict[str, Any]] = {
    "2.0": {
        "podSpecOverrides": [
            {
                "targetJobs": [{"name": "first"}, {"name": "node"}],
                "nodeSelector": {"b": "2"},
                "tolerations": [{"key": "y"}],
            }
        ]
    },
    "2.1": {
        "podTemplateOverrides": [
            {
                "targetJobs": [{"name": "first"}, {"name": "node"}],
                "spec": {"nodeSelector": {"b": "2"}, "tolerations": [{"key": "y"}]},
            }
        ]
    },
}
BELOW = {"2.0": (), "2.1": ("spec",)}
POD = ("template", "spec", "template", "spec")


def origin(result: Any, *path: str | int, job: int = 1) -> Origin:
    found: Origin = result.origin(find_itself(result), ("spec", "replicatedJobs", job, *path))
    return found


def find_itself(result: Any) -> dict[str, Any]:
    """The JobSet object itself, not a copy."""
    found: dict[str, Any] = next(item for item in result.objects if item["kind"] == "JobSet")
    return found


@pytest.mark.parametrize("release", OVERRIDES)
def test_overrides_reach_every_target_and_are_traced(release: str) -> None:
    (field,) = OVERRIDES[release]
    result = render(train_job({}, **OVERRIDES[release]), [RUNTIME], release=release)
    assert pod_of(result, "first")["nodeSelector"] == {"b": "2"}
    assert pod_of(result)["nodeSelector"] == {"a": "1", "b": "2"}
    place = ("spec", field, 0, *BELOW[release])
    for job in (0, 1):
        assert origin(result, *POD, "nodeSelector", "b", job=job) == Origin("patch", (*place, "nodeSelector", "b"))
        assert origin(result, *POD, "tolerations", 0, "key", job=job) == Origin(
            "patch", (*place, "tolerations", 0, "key")
        )
    assert origin(result, *POD, "nodeSelector", "a").kind == "runtime"
    assert origin(result, "groupName" if release != "2.0" else "replicas").kind in ("default", "plugin")


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_patches_are_traced_through_merged_lists(release: str) -> None:
    patches = [
        patch(
            pod_patch(
                "node",
                volumes=[{"name": "v3", "emptyDir": {}}],
                initContainers=[{"name": "pre", "env": variables(Q="new", R="new")}],
                serviceAccountName="one",
            ),
            metadata={"labels": {"queue": "gold"}},
        ),
        patch(pod_patch("node", serviceAccountName="two"), manager="example.com/two"),
    ]
    result = rendered({}, RUNTIME, release=release, runtimePatches=patches)
    place = ("spec", "runtimePatches", 0, "trainingRuntimeSpec", "template")
    pods = (*place, "spec", "replicatedJobs", 0, "template", "spec", "template", "spec")
    runtime_pods = ("spec", "template", "spec", "replicatedJobs", 1, *POD)
    one, two, rt = "example.com/one", "example.com/two", "ClusterTrainingRuntime rt"
    pre = (*POD, "initContainers", 0, "env")
    expected = {
        (*POD, "volumes", 0, "name"): Origin("patch", (*pods, "volumes", 0, "name"), one),
        (*POD, "volumes", 1, "name"): Origin("runtime", (*runtime_pods, "volumes", 0, "name"), rt),
        (*pre, 0, "value"): Origin("runtime", (*runtime_pods, "initContainers", 0, "env", 0, "value"), rt),
        (*pre, 1, "value"): Origin("patch", (*pods, "initContainers", 0, "env", 0, "value"), one),
        (*pre, 1, "name"): Origin("runtime", (*runtime_pods, "initContainers", 0, "env", 1, "name"), rt),
        (*pre, 2, "name"): Origin("patch", (*pods, "initContainers", 0, "env", 1, "name"), one),
        (*POD, "serviceAccountName"): Origin(
            "patch",
            ("spec", "runtimePatches", 1, *pods[3:], "serviceAccountName"),
            two,
        ),
        ("groupName",): Origin("default", ("spec", "template", "spec", "replicatedJobs", 1, "groupName"), rt),
    }
    assert {path: origin(result, *path) for path in expected} == expected
    jobset = find_itself(result)
    assert result.origin(jobset, ("metadata", "labels", "queue")) == Origin(
        "patch", (*place, "metadata", "labels", "queue"), one
    )
    assert result.origin(jobset, ("metadata", "labels", "own")).kind == "runtime"


def test_the_same_job_twice_in_one_patch_is_traced_to_both() -> None:
    twice = patch(pod_patch("node", nodeSelector={"p": "1"}), pod_patch("node", nodeSelector={"q": "2"}))
    result = patched(twice)
    paths = [origin(result, *POD, "nodeSelector", key).path[7] for key in "pq"]
    assert paths == [0, 1]


@pytest.mark.parametrize("release", ["2.0", "2.1"])
def test_labels_of_the_spec_reach_the_jobset_up_to_2_1(release: str) -> None:
    result = render(train_job({}, labels={"queue": "gold"}, annotations={"b": "2"}), [RUNTIME], release=release)
    jobset = find_itself(result)
    assert jobset["metadata"]["labels"] == {"queue": "gold", "own": "1"}
    assert jobset["metadata"]["annotations"] == {"a": "1", "b": "2"}
    assert result.origin(jobset, ("metadata", "labels", "queue")) == Origin("trainjob", ("spec", "labels", "queue"))
