"""The in-process server does what a real API server does: the same requests leave the same objects and answers.

Times, uids, versions, messages and the random part of generated names aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from tests.controlplane.agreement import (
    CORE,
    JOB_SETS,
    JOBS,
    NAMESPACE,
    RUNTIMES,
    Scenario,
    assert_alike,
    condition,
    config_map,
    job,
    job_set,
    with_metadata,
)

if TYPE_CHECKING:
    from tests.controlplane.api import Answer, Api
    from tests.controlplane.crds import Definitions


def created_with_defaults(api: Api) -> Iterator[Answer]:
    yield api.request("POST", JOBS, job(), fieldManager="me")
    yield api.request("POST", JOBS, job(), fieldManager="me")
    yield api.request("GET", f"{JOBS}/job")
    yield api.request("GET", f"{JOBS}/other")
    yield api.request("POST", JOBS, job("unknown", nonsense=1), fieldManager="me")
    yield api.request("POST", JOBS, job("strict", nonsense=1), fieldManager="me", fieldValidation="Strict")
    yield api.request("POST", JOBS, job("Invalid.Name"))
    yield api.request("POST", JOBS, job("wrong", trainer={"numNodes": "two"}))
    yield api.request("POST", JOBS, job("dry"), dryRun="All", fieldManager="me")
    yield api.request("GET", f"{JOBS}/dry")


def created_with_a_status_and_server_fields(api: Api) -> Iterator[Answer]:
    odd = with_metadata(job(), uid="mine", generation=7, creationTimestamp="2020-01-01T00:00:00Z", selfLink="x")
    yield api.request("POST", JOBS, {**odd, "status": {"conditions": [condition("Complete")]}}, fieldManager="me")


def updated_with_and_without_a_version(api: Api) -> Iterator[Answer]:
    made = api.request("POST", JOBS, job(), fieldManager="me").body
    changed = {**made, "spec": {**made["spec"], "suspend": True}}
    without = with_metadata(changed)
    without["metadata"].pop("resourceVersion")
    yield api.request("PUT", f"{JOBS}/job", without, fieldManager="me")
    yield api.request("PUT", f"{JOBS}/job", changed, fieldManager="you")
    yield api.request("PUT", f"{JOBS}/job", changed, fieldManager="you")
    again = api.request("GET", f"{JOBS}/job").body
    yield api.request("PUT", f"{JOBS}/job", again, fieldManager="third")
    yield api.request("PUT", f"{JOBS}/job", with_metadata(again, uid="00000000-0000-0000-0000-000000000000"))
    immutable = deepcopy(again)
    immutable["spec"]["runtimeRef"]["name"] = "other"
    yield api.request("PUT", f"{JOBS}/job", immutable)
    labelled = with_metadata(again, labels={"a": "b"}, generation=99)
    yield api.request("PUT", f"{JOBS}/job", labelled, fieldManager="you")
    yield api.request("PUT", f"{JOBS}/none", with_metadata(labelled, name="none"))


def status_is_a_place_of_its_own(api: Api) -> Iterator[Answer]:
    made = api.request("POST", JOBS, job(), fieldManager="me").body
    both = {**with_metadata(made, labels={"x": "y"}), "status": {"conditions": [condition("Suspended")]}}
    both["spec"] = {**both["spec"], "suspend": True}
    yield api.request("PUT", f"{JOBS}/job/status", both, fieldManager="controller")
    yield api.merge_patch(f"{JOBS}/job/status", {"status": {"conditions": [condition("Complete")]}}, fieldManager="c2")
    yield api.merge_patch(f"{JOBS}/job", {"status": None, "spec": {"suspend": True}}, fieldManager="me")
    yield api.merge_patch(f"{JOBS}/job/status", {"status": {"conditions": [{"type": "Complete"}]}})
    yield api.merge_patch(f"{JOBS}/job/status", {"status": None}, fieldManager="c2")
    yield api.request("GET", f"{JOBS}/job/status")


def merge_patched(api: Api) -> Iterator[Answer]:
    made = api.request("POST", JOBS, job(), fieldManager="me").body
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"labels": {"a": "1", "b": "2"}}}, fieldManager="p")
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"labels": {"a": None}}}, fieldManager="q")
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"labels": {"b": "2"}}}, fieldManager="q")
    yield api.merge_patch(f"{JOBS}/job", {"spec": {"suspend": None}}, fieldManager="p")
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"labels": None}}, fieldManager="p")
    stale = {"metadata": {"resourceVersion": made["metadata"]["resourceVersion"], "labels": {"c": "1"}}}
    yield api.merge_patch(f"{JOBS}/job", stale)
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"name": "other"}})
    yield api.merge_patch(f"{JOBS}/none", {"metadata": {"labels": {"c": "1"}}})
    yield api.merge_patch(f"{JOBS}/job", {"spec": {"trainer": {"numNodes": []}}})


def applied_and_taken_back(api: Api) -> Iterator[Answer]:
    place = f"{JOB_SETS}/set"
    env = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    node = {"name": "node", "image": "a", "env": env, "args": ["x"]}
    side = {"name": "side", "image": "b"}
    first = with_metadata(job_set(node, side, suspend=True), labels={"l": "1"}, annotations={"n": "1"})
    yield api.apply(place, first, manager="trainer")
    yield api.apply(place, first, manager="trainer")
    yield api.apply(place, job_set({**node, "env": env[:1], "args": ["y"]}, suspend=False), manager="trainer")
    yield api.apply(place, job_set({"name": "node", "image": "a"}), manager="trainer")
    yield api.apply(place, {**job_set(), "spec": {}}, manager="trainer")


def applied_by_two(api: Api) -> Iterator[Answer]:
    place = f"{JOB_SETS}/set"
    yield api.apply(place, with_metadata(job_set(suspend=True), labels={"l": "1", "m": "1"}), manager="one")
    yield api.apply(place, with_metadata(job_set(suspend=True), labels={"m": "1", "n": "1"}), manager="two")
    yield api.apply(place, job_set({"name": "node", "image": "z"}), manager="two", force=False)
    yield api.apply(place, job_set({"name": "node", "image": "z"}), manager="two")
    yield api.apply(place, job_set({"name": "node"}), manager="one")
    yield api.apply(place, job_set({"name": "added", "image": "z"}), manager="two")
    yield api.apply(place, job_set({"name": "first", "image": "y"}, {"name": "added", "image": "z"}), manager="two")


def applied_over_updates(api: Api) -> Iterator[Answer]:
    place = f"{JOB_SETS}/set"
    made = api.request("POST", JOB_SETS, job_set(), fieldManager="creator").body
    yield api.apply(place, job_set({"name": "node", "image": "b"}), manager="trainer", force=False)
    yield api.apply(place, job_set({"name": "node", "image": "b"}), manager="trainer")
    yield api.merge_patch(place, {"spec": {"suspend": True}, "metadata": {"labels": {"q": "1"}}}, fieldManager="kueue")
    yield api.apply(place, job_set({"name": "node", "image": "b"}, suspend=False), manager="trainer", force=False)
    yield api.apply(place, job_set({"name": "node", "image": "b"}, suspend=False), manager="trainer")
    stale = with_metadata(job_set(), resourceVersion=made["metadata"]["resourceVersion"])
    yield api.apply(place, stale, manager="trainer")
    yield api.apply(place, with_metadata(job_set(), uid="00000000-0000-0000-0000-000000000000"), manager="trainer")


def applied_status(api: Api) -> Iterator[Answer]:
    api.request("POST", JOBS, job(), fieldManager="me")
    bare = {key: value for key, value in job().items() if key != "spec"}
    progress = {"trainerStatus": {"progressPercentage": 10, "lastUpdatedTime": "2026-01-02T03:04:05Z"}}
    yield api.apply(f"{JOBS}/job/status", {**bare, "status": progress}, manager="trainer-status")
    api.merge_patch(f"{JOBS}/job/status", {"status": {"conditions": [condition("Suspended")]}}, fieldManager="c")
    progress["trainerStatus"] = {"estimatedRemainingSeconds": 5, "lastUpdatedTime": "2026-01-02T03:04:06Z"}
    yield api.apply(f"{JOBS}/job/status", {**bare, "status": progress}, manager="trainer-status")
    yield api.apply(f"{JOBS}/job/status", {**bare, "status": {"trainerStatus": {}}}, manager="trainer-status")
    yield api.apply(f"{JOBS}/none/status", with_metadata({**bare, "status": progress}, name="none"))
    yield api.apply(f"{JOBS}/job", {**job(), "status": progress}, manager="both")


def applied_faultily(api: Api) -> Iterator[Answer]:
    yield api.apply(f"{JOBS}/job", job(nonsense=1))
    yield api.apply(f"{JOBS}/job", {**job(), "apiVersion": "trainer.kubeflow.org/v9"})
    yield api.apply(f"{JOBS}/job", with_metadata(job(), managedFields=[]))
    yield api.apply(f"{JOBS}/other", job())
    twice = [{"name": "node", "image": "a"}, {"name": "node", "image": "b"}]
    yield api.apply(f"{JOB_SETS}/set", job_set(*twice))
    yield api.request("PATCH", f"{JOBS}/job", job(), content_type="application/apply-patch+yaml")
    yield api.request("PATCH", f"{JOBS}/job", [], content_type="text/plain")


def applied_config_maps(api: Api) -> Iterator[Answer]:
    place = f"{CORE}/configmaps/map"
    yield api.apply(place, config_map(a="1", b="2"), manager="trainer")
    yield api.merge_patch(place, {"data": {"a": "9", "c": "3"}}, fieldManager="hand")
    yield api.apply(place, config_map(a="1", b="2"), manager="trainer", force=False)
    yield api.apply(place, config_map(a="1"), manager="trainer")
    yield api.apply(place, config_map(), manager="trainer")
    plain = {key: value for key, value in config_map().items() if key != "data"}
    yield api.apply(place, plain, manager="trainer")
    yield api.request("PUT", place, config_map(z="1"), fieldManager="hand")


def secrets_take_plain_text(api: Api) -> Iterator[Answer]:
    secret = {**config_map("keys"), "kind": "Secret", "stringData": {"k": "v"}}
    secret.pop("data")
    yield api.request("POST", f"{CORE}/secrets", secret, fieldManager="me")
    yield api.merge_patch(f"{CORE}/secrets/keys", {"stringData": {"m": "w"}}, fieldManager="me")


def deleted(api: Api) -> Iterator[Answer]:
    made = api.request("POST", JOBS, job()).body
    yield api.request("DELETE", f"{JOBS}/job", {"preconditions": {"uid": "00000000-0000-0000-0000-000000000000"}})
    yield api.request("DELETE", f"{JOBS}/job", {"preconditions": {"resourceVersion": "1"}})
    yield api.request("DELETE", f"{JOBS}/job", {"dryRun": ["All"]})
    yield api.request("DELETE", f"{JOBS}/job", {"preconditions": {"uid": made["metadata"]["uid"]}})
    yield api.request("DELETE", f"{JOBS}/job")
    yield api.request("GET", f"{JOBS}/job")


def deleted_once_finalizers_are_gone(api: Api) -> Iterator[Answer]:
    api.request("POST", JOBS, with_metadata(job(), finalizers=["a.b/c", "d.e/f"]), fieldManager="me")
    yield api.request("DELETE", f"{JOBS}/job")
    yield api.request("DELETE", f"{JOBS}/job")
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"finalizers": ["a.b/c"]}}, fieldManager="me")
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"finalizers": ["a.b/c", "g.h/i"]}}, fieldManager="me")
    yield api.merge_patch(f"{JOBS}/job", {"spec": {"suspend": True}}, fieldManager="me")
    yield api.merge_patch(f"{JOBS}/job", {"metadata": {"finalizers": None}}, fieldManager="me")
    yield api.request("GET", f"{JOBS}/job")


def generated_names(api: Api) -> Iterator[Answer]:
    obj = job()
    obj["metadata"] = {"generateName": "run-", "namespace": NAMESPACE}
    answer = api.request("POST", JOBS, obj, fieldManager="me")
    name = answer.body["metadata"]["name"]
    assert name.startswith("run-")
    assert len(name) == len("run-") + 5
    api.request("DELETE", f"{JOBS}/{name}")
    yield answer


def owners_and_odd_metadata(api: Api) -> Iterator[Answer]:
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True, "blockOwnerDeletion": True}
    yield api.apply(f"{JOB_SETS}/set", with_metadata(job_set(), ownerReferences=[owner]), manager="trainer")
    yield api.apply(f"{JOB_SETS}/set", with_metadata(job_set(), ownerReferences=[{**owner, "uid": "v"}]), manager="t2")
    yield api.merge_patch(f"{JOB_SETS}/set", {"metadata": {"labels": {"not a label!": "x"}}})
    yield api.merge_patch(f"{JOB_SETS}/set", {"metadata": {"annotations": {"k": "v"}, "nonsense": 1}})


def fields_without_an_owner(api: Api) -> Iterator[Answer]:
    made = api.request("POST", JOB_SETS, job_set(), fieldManager="me").body
    yield api.request("PUT", f"{JOB_SETS}/set", with_metadata(made, managedFields=[{}]), fieldManager="me")
    yield api.merge_patch(f"{JOB_SETS}/set", {"spec": {"suspend": True}}, fieldManager="me")
    yield api.apply(f"{JOB_SETS}/set", job_set(suspend=False), manager="trainer", force=False)
    yield api.apply(f"{JOB_SETS}/set", job_set(suspend=False), manager="trainer")


def listed_by_pages_and_labels(api: Api) -> Iterator[Answer]:
    for number in range(5):
        api.request(
            "POST", f"{CORE}/configmaps", with_metadata(config_map(f"m{number}"), labels={"n": str(number % 2)})
        )
    yield api.request("GET", f"{CORE}/configmaps", labelSelector="n=1")
    yield api.request("GET", f"{CORE}/configmaps", labelSelector="n in (0),!missing")
    yield api.request("GET", f"{CORE}/configmaps", labelSelector="n,n!=0")
    first = api.request("GET", f"{CORE}/configmaps", labelSelector="n", limit="2")
    api.request("POST", f"{CORE}/configmaps", with_metadata(config_map("m9"), labels={"n": "1"}))
    second = api.request("GET", f"{CORE}/configmaps", labelSelector="n", limit="2", **following(first))
    third = api.request("GET", f"{CORE}/configmaps", labelSelector="n", limit="2", **following(second))
    assert "continue" not in third.body["metadata"]
    yield from (first, second, third)
    for name in ("m0", "m1", "m2", "m3", "m4", "m9"):
        api.request("DELETE", f"{CORE}/configmaps/{name}")


def following(page: Answer) -> dict[str, str]:
    """What asks for the page after one."""
    return {"continue": page.body["metadata"]["continue"]}


def places_that_are_not_there(api: Api) -> Iterator[Answer]:
    yield api.request("GET", "/apis/trainer.kubeflow.org/v1alpha1/nonsense")
    yield api.request("GET", "/apis/nonsense.example/v1/things")
    yield api.request("POST", f"{JOBS}/job", job())
    yield api.request("POST", JOBS, config_map())
    yield api.request("POST", JOBS, with_metadata(job(), namespace="elsewhere"))
    yield api.request("PUT", f"{RUNTIMES}/r/status", {"metadata": {"name": "r"}})


SCENARIOS: tuple[Scenario, ...] = (
    created_with_defaults,
    created_with_a_status_and_server_fields,
    updated_with_and_without_a_version,
    status_is_a_place_of_its_own,
    merge_patched,
    applied_and_taken_back,
    applied_by_two,
    applied_over_updates,
    applied_status,
    applied_faultily,
    applied_config_maps,
    secrets_take_plain_text,
    deleted,
    deleted_once_finalizers_are_gone,
    generated_names,
    owners_and_odd_metadata,
    fields_without_an_owner,
    listed_by_pages_and_labels,
    places_that_are_not_there,
)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.__name__)
def test_both_servers_answer_alike(api: Api, definitions: Definitions, scenario: Scenario) -> None:
    definitions.install("2.3")
    assert_alike(api, scenario)
