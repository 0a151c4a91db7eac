"""What changes mean, and who refuses them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.diff import Impact, Kind, compare_objects
from trainergen.diff.effect import Situation
from trainergen.diff.footprint import footprint_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainergen.finding import JsonObject, JsonValue

COSMETIC, NOTHING, RESTART = Impact.COSMETIC, Impact.NOTHING, Impact.RESTART
RESOURCES, PROCESSES, REFUSED = Impact.RESOURCES, Impact.PROCESSES, Impact.REFUSED


def jobset() -> JsonObject:
    node: JsonObject = {
        "name": "node",
        "image": "example.org/torch:1",
        "args": ["a", "b"],
        "env": [{"name": "PET_NNODES", "value": "2"}, {"name": "B", "value": "1"}],
        "resources": {"limits": {"cpu": "2", "nvidia.com/gpu": "1"}, "requests": {"cpu": "1"}},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}, {"name": "tmp", "mountPath": "/tmp"}],
    }
    pod: JsonObject = {
        "containers": [node, {"name": "sidecar"}],
        "initContainers": [{"name": "first"}, {"name": "second"}],
        "volumes": [{"name": "data", "emptyDir": {}}, {"name": "tmp", "emptyDir": {}}],
        "nodeSelector": {"pool": "a"},
    }
    job: JsonObject = {
        "parallelism": 2,
        "completions": 2,
        "template": {"metadata": {"labels": {"x": "1"}}, "spec": pod},
    }
    jobs: list[JsonValue] = [{"name": "prepare", "template": {"spec": {}}}, {"name": "node", "template": {"spec": job}}]
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "j", "namespace": "n", "labels": {"team": "a"}},
        "spec": {"network": {"subdomain": "a"}, "suspend": False, "replicatedJobs": jobs},
    }


def at(value: JsonValue, *steps: str | int) -> JsonObject:
    for step in steps:
        value = value[step]  # type: ignore[index]
    assert isinstance(value, dict)
    return value


JOB = ("spec", "replicatedJobs", 1)
POD = (*JOB, "template", "spec", "template", "spec")
NODE = (*POD, "containers", 0)

EDITS: dict[str, tuple[tuple[str | int, ...], JsonObject, Impact, bool]] = {
    "a label of the JobSet": (("metadata", "labels"), {"team": "b"}, NOTHING, False),
    "suspending": (("spec",), {"suspend": True}, RESTART, False),
    "the network": (("spec", "network"), {"subdomain": "b"}, RESTART, True),
    "the failure policy, which was not set": (("spec",), {"failurePolicy": {"maxRestarts": 3}}, NOTHING, False),
    "the time to live": (("spec",), {"ttlSecondsAfterFinished": 3}, NOTHING, False),
    "replicas": (JOB, {"replicas": 2}, PROCESSES, True),
    "a default that is spelled out": (JOB, {"replicas": 1}, COSMETIC, False),
    "parallelism": ((*JOB, "template", "spec"), {"parallelism": 3}, PROCESSES, True),
    "a dependency": (JOB, {"dependsOn": [{"name": "prepare", "status": "Complete"}]}, RESTART, True),
    "retries": ((*JOB, "template", "spec"), {"backoffLimit": 3}, RESTART, True),
    "the retries that are the default": ((*JOB, "template", "spec"), {"backoffLimit": 6}, COSMETIC, False),
    "a label of the Pods": ((*POD[:-1], "metadata", "labels"), {"x": "2"}, RESTART, False),
    "the node selector": ((*POD, "nodeSelector"), {"pool": "b"}, RESTART, False),
    "tolerations": (POD, {"tolerations": [{"key": "gpu"}]}, RESTART, False),
    "affinity": (POD, {"affinity": {"nodeAffinity": {"a": 1}}}, RESTART, True),
    "affinity that says nothing": (POD, {"affinity": {}}, COSMETIC, False),
    "the image": (NODE, {"image": "example.org/torch:2"}, RESTART, True),
    "the order of arguments": (NODE, {"args": ["b", "a"]}, RESTART, True),
    "resources": ((*NODE, "resources", "limits"), {"cpu": "3"}, RESOURCES, True),
    "resources of the Pod": (POD, {"resources": {"limits": {"cpu": "3"}}}, RESOURCES, True),
    "a variable": ((*NODE, "env", 1), {"value": "2"}, RESTART, True),
    "the variable with the number of nodes": ((*NODE, "env", 0), {"value": "4"}, PROCESSES, True),
}


@pytest.mark.parametrize("case", EDITS)
@pytest.mark.parametrize("reapplied", [False, True], ids=["running", "suspended"])
def test_each_change_of_a_jobset_has_its_impact(case: str, reapplied: bool) -> None:
    where, edit, impact, locked = EDITS[case]
    new = jobset()
    at(new, *where).update(edit)
    (found,) = compare_objects([jobset()], [new], Situation(reapplied=reapplied))
    (change,) = found.changes
    refused = locked and reapplied
    assert change.impacts == ((REFUSED, impact) if refused else (impact,))
    assert bool(change.refusal) == bool(change.remedy) == refused
    assert change.reason


METADATA: dict[str, tuple[JsonObject, bool]] = {
    "labels": ({"labels": {"a": "b"}}, False),
    "labels and annotations": ({"labels": {"a": "b"}, "annotations": {"c": "d"}}, False),
    "a finalizer": ({"finalizers": ["a/b"]}, True),
}


@pytest.mark.parametrize(("metadata", "locked"), METADATA.values(), ids=METADATA)
def test_metadata_where_pods_had_none_is_refused_for_what_is_in_it(metadata: JsonObject, locked: bool) -> None:
    bare, full = jobset(), jobset()
    template = (*JOB, "template", "spec", "template")
    at(bare, *template).pop("metadata")
    at(full, *template)["metadata"] = metadata
    for old, new in ((bare, full), (full, bare)):
        (found,) = compare_objects([old], [new], Situation(reapplied=True))
        (change,) = found.changes
        assert bool(change.refusal) == locked


def reverse(*where: str | int) -> Callable[[JsonObject], None]:
    def edit(obj: JsonObject) -> None:
        items = at(obj, *where[:-1])[str(where[-1])]
        assert isinstance(items, list)
        items.reverse()

    return edit


ORDERS = {
    "jobs": (reverse("spec", "replicatedJobs"), RESTART),
    "init containers": (reverse(*POD, "initContainers"), RESTART),
    "containers": (reverse(*POD, "containers"), COSMETIC),
    "variables that stand alone": (reverse(*NODE, "env"), COSMETIC),
    "volumes": (reverse(*POD, "volumes"), COSMETIC),
}


@pytest.mark.parametrize("case", ORDERS)
def test_order_counts_only_where_it_has_a_meaning(case: str) -> None:
    edit, impact = ORDERS[case]
    new = jobset()
    edit(new)
    (found,) = compare_objects([jobset()], [new])
    assert [(change.kind, change.impact) for change in found.changes] == [(Kind.ORDER, impact)]


def test_the_order_of_variables_counts_when_one_refers_to_another() -> None:
    old = jobset()
    at(old, *NODE, "env", 1)["value"] = "$(PET_NNODES)"
    new = copy.deepcopy(old)
    reverse(*NODE, "env")(new)
    (found,) = compare_objects([old], [new])
    assert [change.impact for change in found.changes] == [RESTART]


@given(st.data())
def test_shuffling_keyed_lists_changes_only_orders(data: st.DataObject) -> None:
    new = jobset()
    # The jobs last, since the paths of the others go through them.
    for where in ((*NODE, "env"), (*POD, "containers"), (*POD, "volumes"), ("spec", "replicatedJobs")):
        owner, name = at(new, *where[:-1]), str(where[-1])
        items = owner[name]
        assert isinstance(items, list)
        owner[name] = data.draw(st.permutations(items))
    for found in compare_objects([jobset()], [new]):
        assert {change.kind for change in found.changes} == {Kind.ORDER}
        places = {change.path[-1]: change.impact for change in found.changes}
        assert all(impact is COSMETIC for place, impact in places.items() if place != "replicatedJobs")


def companion(kind: str, name: str, **content: JsonValue) -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "n"}, **content}


def hosts(text: str) -> JsonObject:
    return companion("ConfigMap", "j-mpi-hostfile", data={"hostfile": text})


COMPANIONS: dict[str, tuple[list[JsonObject], list[JsonObject], list[Impact]]] = {
    "the order of hosts": ([hosts("a slots=1\nb slots=1\n")], [hosts("b slots=1\na slots=1\n")], [RESTART]),
    "the processes of a host": ([hosts("a slots=1\n")], [hosts("a slots=2\n")], [PROCESSES]),
    "the snapshot's content": (
        [companion("ConfigMap", "j-runtime-snapshot", data={"runtime": "a: 1"})],
        [companion("ConfigMap", "j-runtime-snapshot", data={"runtime": "a: 2"})],
        [COSMETIC],
    ),
    "a snapshot where there was none": (
        [hosts("")],
        [hosts(""), companion("ConfigMap", "j-runtime-snapshot", data={"runtime": "a: 2"})],
        [COSMETIC],
    ),
    "a script": (
        [companion("ConfigMap", "j-flux-entrypoint", data={"init.sh": "a"})],
        [companion("ConfigMap", "j-flux-entrypoint", data={"init.sh": "b"})],
        [RESTART],
    ),
    "how many Pods are scheduled together": (
        [companion("PodGroup", "j", spec={"minMember": 1, "minResources": {"cpu": "1"}, "queue": "a"})],
        [companion("PodGroup", "j", spec={"minMember": 2, "minResources": {"cpu": "2"}, "queue": "b"})],
        [PROCESSES, RESOURCES, NOTHING],
    ),
    "a gang where there was none": ([hosts("")], [hosts(""), companion("PodGroup", "j", spec={})], [RESTART]),
    "the type of a Secret": (
        [companion("Secret", "j-mpi-ssh-auth", type="a")],
        [companion("Secret", "j-mpi-ssh-auth", type="b")],
        [RESTART],
    ),
    "the TrainJob's own fields": (
        [companion("TrainJob", "j", spec={"managedBy": "a", "runtimeRef": {"name": "a"}})],
        [companion("TrainJob", "j", spec={"managedBy": "b", "runtimeRef": {"name": "b"}})],
        [NOTHING, RESTART],
    ),
    "a queue's label on the TrainJob": (
        [companion("TrainJob", "j", spec={})],
        [{**companion("TrainJob", "j"), "metadata": {"name": "j", "namespace": "n", "labels": {"q": "a"}}, "spec": {}}],
        [NOTHING],
    ),
}


@pytest.mark.parametrize("case", COMPANIONS)
def test_each_change_of_a_companion_has_its_impact(case: str) -> None:
    old, new, expected = COMPANIONS[case]
    assert [change.impact for found in compare_objects(old, new) for change in found.changes] == expected


def test_what_secrets_hold_is_never_shown() -> None:
    old = companion("Secret", "s", data={"key": "c2VjcmV0", "gone": "c2VjcmV0"})
    new = companion("Secret", "s", data={"key": "b3RoZXI=", "come": "b3RoZXI="})
    (found,) = compare_objects([old], [new])
    assert [(change.place, change.old, change.new) for change in found.changes] == [
        ("data.gone", "<hidden>", None),
        ("data.come", None, "<hidden>"),
    ]


def test_a_whole_trainjob_is_its_pods_and_what_comes_with_them() -> None:
    added = compare_objects([], [jobset(), hosts("a\n")])
    assert [(found.kind, found.changes[0].impact, found.changes[0].reason) for found in added] == [
        (Kind.ADDED, PROCESSES, "3 Pods in all"),
        (Kind.ADDED, NOTHING, "it comes and goes with the TrainJob"),
    ]
    removed = compare_objects([jobset(), hosts("a\n")], [])
    assert [found.kind for found in removed] == [Kind.REMOVED, Kind.REMOVED]
    assert [found.changes[0].impacts for found in removed] == [found.changes[0].impacts for found in added]


def test_objects_of_another_version_are_the_same_object() -> None:
    newer = {**jobset(), "apiVersion": "jobset.x-k8s.io/v1"}
    (found,) = compare_objects([jobset()], [newer])
    assert (found.kind, [change.place for change in found.changes]) == (Kind.CHANGED, ["apiVersion"])


def test_the_footprint_counts_all_pods_and_takes_limits_for_requests() -> None:
    found = footprint_of([jobset(), hosts("")])
    assert found.pods == 3, "one for the first job, two for the second"
    assert found.resources == {"cpu": "2", "nvidia.com/gpu": "2"}


parts = st.recursive(
    st.none() | st.integers(0, 2) | st.sampled_from(["", "a", "a slots=1\n", "{a: 1}"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["name", "spec", "template", "env", "replicas"]), inner, max_size=3)
    ),
    max_leaves=8,
)
anything = st.builds(
    lambda kind, name, content: companion(kind, name, **content),
    st.sampled_from(["JobSet", "ConfigMap", "PodGroup", "Secret", "TrainJob", "Odd"]),
    st.sampled_from(["j", "j-mpi-hostfile", "j-runtime-snapshot"]),
    st.dictionaries(
        st.sampled_from(["spec", "data", "type", "status"]),
        parts | st.fixed_dictionaries({"replicatedJobs": parts}) | st.fixed_dictionaries({"hostfile": parts}),
        max_size=3,
    ),
)


@given(st.lists(anything, max_size=2), st.lists(anything, max_size=2), st.booleans())
def test_any_objects_can_be_compared_both_ways(old: list[JsonObject], new: list[JsonObject], reapplied: bool) -> None:
    assert compare_objects(old, old) == ()
    there = compare_objects(old, new, Situation(reapplied=reapplied))
    back = compare_objects(new, old, Situation(reapplied=reapplied))
    swapped = {Kind.ADDED: Kind.REMOVED, Kind.REMOVED: Kind.ADDED}
    assert {(found.ref.kind, found.ref.name, swapped.get(found.kind, found.kind)) for found in there} == {
        (found.ref.kind, found.ref.name, found.kind) for found in back
    }
    assert sum(len(found.changes) for found in there) == sum(len(found.changes) for found in back)
