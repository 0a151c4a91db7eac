"""The object's own metadata, type and namespace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]
OWNER = {"apiVersion": "v1", "kind": "Job", "name": "a", "uid": "u"}

ACCEPTED: dict[str, dict[str, Any]] = {
    "no namespace": {"name": "mnist"},
    "name that the server makes": {"generateName": "mnist-"},
    "labels and annotations": {
        "name": "a",
        "labels": {"app.kubernetes.io/name": "x", "team": ""},
        "annotations": {"Note": "any text\n"},
    },
    "nulls": {"name": "a", "labels": None, "annotations": None, "creationTimestamp": None, "finalizers": None},
    "null label, which becomes empty": {"name": "a", "labels": {"team": None}},
    "what a cluster fills in": {
        "name": "a",
        "uid": "u",
        "resourceVersion": "1",
        "generation": 3,
        "creationTimestamp": "2026-01-02T03:04:05Z",
        "managedFields": [{"manager": "kubectl", "fieldsV1": {"f:spec": {}}, "time": "2026-01-02T03:04:05Z"}],
    },
    "owner": {"name": "a", "ownerReferences": [{**OWNER, "controller": True}, {**OWNER, "controller": None}]},
    "finalizers": {"name": "a", "finalizers": ["example.com/hold", "orphan"]},
}

REFUSED: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "nothing at all": ({}, [("missing-field", "metadata.name")]),
    "null": (None, [("missing-field", "metadata.name")]),
    "empty name": ({"name": ""}, [("missing-field", "metadata.name")]),
    "list": ([1], [("wrong-type", "metadata")]),
    "number as name": ({"name": 5}, [("wrong-type", "metadata.name")]),
    "upper case": ({"name": "Mnist"}, [("invalid-name", "metadata.name"), ("rule-failed", "metadata.name")]),
    "prefix with a blank": (
        {"generateName": "a b-"},
        [("invalid-name", "metadata.generateName"), ("rule-failed", "metadata.name")],
    ),
    "namespace with a dot": ({"name": "a", "namespace": "a.b"}, [("invalid-name", "metadata.namespace")]),
    "namespace of 64 characters": ({"name": "a", "namespace": "n" * 64}, [("invalid-name", "metadata.namespace")]),
    "unknown field": ({"name": "a", "label": {}}, [("unknown-field", "metadata.label")]),
    "boolean label": ({"name": "a", "labels": {"x": True}}, [("wrong-type", "metadata.labels.x")]),
    "label key with a blank": ({"name": "a", "labels": {"a b": "c"}}, [("invalid-label", "metadata.labels[a b]")]),
    "label key with an empty domain": ({"name": "a", "labels": {"/b": "c"}}, [("invalid-label", "metadata.labels./b")]),
    "label value that ends in a dash": ({"name": "a", "labels": {"b": "c-"}}, [("invalid-label", "metadata.labels.b")]),
    "label value of 64 characters": (
        {"name": "a", "labels": {"b": "c" * 64}},
        [("invalid-label", "metadata.labels.b")],
    ),
    "annotation key with two slashes": (
        {"name": "a", "annotations": {"a/b/c": ""}},
        [("invalid-annotation", "metadata.annotations.a/b/c")],
    ),
    "annotations beyond 256 KiB": (
        {"name": "a", "annotations": {"b": "c" * 262144}},
        [("invalid-annotation", "metadata.annotations")],
    ),
    "numeric annotation": ({"name": "a", "annotations": {"b": 1}}, [("wrong-type", "metadata.annotations.b")]),
    "finalizer without a name": (
        {"name": "a", "finalizers": ["b/"]},
        [("invalid-finalizer", "metadata.finalizers[0]")],
    ),
    "both collectors": (
        {"name": "a", "finalizers": ["orphan", "foregroundDeletion"]},
        [("invalid-finalizer", "metadata.finalizers")],
    ),
    "owner without uid": (
        {"name": "a", "ownerReferences": [{"apiVersion": "v1", "kind": "Job", "name": "x"}]},
        [("invalid-owner-reference", "metadata.ownerReferences[0].uid")],
    ),
    "owner of an odd version": (
        {"name": "a", "ownerReferences": [{**OWNER, "apiVersion": "a/b/c"}]},
        [("invalid-owner-reference", "metadata.ownerReferences[0].apiVersion")],
    ),
    "two controllers": (
        {"name": "a", "ownerReferences": [{**OWNER, "controller": True}] * 2},
        [("invalid-owner-reference", "metadata.ownerReferences[1].controller")],
    ),
    "list of labels": ({"name": "a", "labels": ["x"]}, [("wrong-type", "metadata.labels")]),
    "text as annotations": ({"name": "a", "annotations": "x"}, [("wrong-type", "metadata.annotations")]),
    "mapping of owners": ({"name": "a", "ownerReferences": {"x": 1}}, [("wrong-type", "metadata.ownerReferences")]),
    "text as owner": ({"name": "a", "ownerReferences": ["x"]}, [("wrong-type", "metadata.ownerReferences[0]")]),
    "text as finalizers": ({"name": "a", "finalizers": "x"}, [("wrong-type", "metadata.finalizers")]),
    "time without a zone": (
        {"name": "a", "creationTimestamp": "2026-01-02"},
        [("invalid-metadata", "metadata.creationTimestamp")],
    ),
    "negative generation": ({"name": "a", "generation": -1}, [("invalid-metadata", "metadata.generation")]),
}


@pytest.mark.parametrize("metadata", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_metadata_is_accepted(serve: Serve, job: dict[str, Any], metadata: dict[str, Any]) -> None:
    assert serve({**job, "metadata": metadata}).found == []


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_metadata_is_refused(serve: Serve, job: dict[str, Any], case: tuple[Any, list[tuple[str, str]]]) -> None:
    metadata, expected = case
    verdict = serve({**job, "metadata": metadata})
    assert verdict.found == expected
    assert all(finding.message and finding.help for finding in verdict.findings)


def test_nulls_are_stored_as_go_decodes_them(serve: Serve, job: dict[str, Any]) -> None:
    metadata = {"name": "a", "labels": {"team": None}, "annotations": None, "finalizers": None}
    assert serve({**job, "metadata": metadata}).object["metadata"] == {"name": "a", "labels": {"team": ""}}


def test_absent_metadata_lacks_a_name(serve: Serve, job: dict[str, Any]) -> None:
    del job["metadata"]
    assert serve(job).found == [("missing-field", "metadata.name")]


def test_a_namespace_of_a_cluster_wide_object_is_dropped(serve: Serve) -> None:
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "a", "namespace": "Not_A_Name"},
    }
    verdict = serve(runtime)
    assert verdict.found == []
    assert verdict.object["metadata"] == {"name": "a"}


@pytest.mark.parametrize("version", ["trainer.kubeflow.org/v1", None])
def test_the_type_must_be_the_one_that_is_checked(serve: Serve, job: dict[str, Any], version: str | None) -> None:
    assert serve({**job, "apiVersion": version}).found == [("wrong-kind", "apiVersion")]


IDENTITY = {"name": "b", "namespace": "team-b", "uid": "2", "creationTimestamp": "2026-01-02T03:04:06Z"}


@pytest.mark.parametrize("field", IDENTITY)
def test_identity_cannot_change(serve: Serve, job: dict[str, Any], field: str) -> None:
    old = {
        **job,
        "metadata": {"name": "a", "namespace": "team-a", "uid": "1", "creationTimestamp": "2026-01-02T03:04:05Z"},
    }
    new = {**job, "metadata": {**old["metadata"], field: IDENTITY[field]}}
    assert serve(new, old=old).found == [("immutable-metadata", f"metadata.{field}")]


def test_an_update_may_leave_out_what_the_server_fills_in(serve: Serve, job: dict[str, Any]) -> None:
    old = {**job, "metadata": {**job["metadata"], "uid": "1", "resourceVersion": "5", "generation": 1}}
    assert serve(job, old=old).found == []


def test_labels_are_checked_on_update_and_finalizers_are_not(serve: Serve, job: dict[str, Any]) -> None:
    new = {**job, "metadata": {**job["metadata"], "labels": {"a b": "c"}, "finalizers": ["no name/"]}}
    assert serve(new, old=job).found == [("invalid-label", "metadata.labels[a b]")]
