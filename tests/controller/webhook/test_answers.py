"""The webhook's answers: those of the recorded webhooks, in the API server's own language."""

from __future__ import annotations

import base64
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from trainergen_controller.webhook import BadReviewError, answer

from trainergen.releases import RELEASES

ORACLE = Path(__file__).parents[2] / "oracle"
NOW = "2026-01-02T03:04:05Z"
JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "job", "namespace": "team-a"},
    "spec": {"runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime", "name": "torch"}},
}


def review(new: Any, old: Any = None, operation: str = "") -> bytes:
    request = {
        "uid": "r-1",
        "kind": {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "TrainJob"},
        "operation": operation or ("UPDATE" if old else "CREATE"),
        "object": new,
        "oldObject": old,
    }
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


def ask(verb: str, body: bytes, release: str = "2.3", objects: list[Any] | None = None) -> dict[str, Any]:
    answered = answer(verb, body, release=release, lookup=lambda job: objects or [], now=NOW)
    assert answered["kind"] == "AdmissionReview"
    response = answered["response"]
    assert isinstance(response, dict)
    assert response["uid"] == "r-1"
    return response


@cache
def recorded(release: str) -> list[dict[str, Any]]:
    with lzma.open(ORACLE / f"render-{release}.json.xz") as file:
        cases = json.load(file)
    return [case for case in cases if not case["expect"]["crd"]["errors"] and "webhook" in case["expect"]]


@pytest.mark.parametrize("release", [release.name for release in RELEASES])
def test_what_the_schema_takes_is_refused_exactly_when_the_real_webhook_refused_it(release: str) -> None:
    """The real webhook sees what the API server has defaulted and the mutating webhook has rewritten."""
    wrong = []
    for case in recorded(release):
        crd, hook = case["expect"]["crd"], case["expect"]["webhook"]
        if crd.get("decodeError") or crd.get("pruned"):
            continue
        response = ask("validate", review(case["trainjob"], case.get("oldTrainjob")), release, case["objects"])
        if response["allowed"] is bool(hook.get("errors") or hook.get("panic")):
            wrong.append((case["id"], response))
        elif response["allowed"]:
            assert len(response.get("warnings") or []) == len(hook.get("warnings") or []), case["id"]
    assert not wrong
    assert len(recorded(release)) > 200


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_a_mutation_gives_the_recorded_specification(release: str) -> None:
    seen = 0
    for case in recorded(release):
        if not case["expect"].get("mutatedByWebhook") or case["expect"]["crd"].get("pruned"):
            continue
        response = ask("mutate", review(case["trainjob"], case.get("oldTrainjob")), release)
        spec = case["trainjob"]["spec"]
        if "patch" in response:
            (operation,) = json.loads(base64.b64decode(response["patch"]))
            spec = operation["value"]
        assert bare(spec) == bare(case["expect"]["defaultedTrainjob"]["spec"]), case["id"]
        seen += 1
    assert seen > 50


def bare(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: bare(child) for key, child in value.items()}
        return {key: child for key, child in kept.items() if child not in (None, {}, [])}
    return [bare(child) for child in value] if isinstance(value, list) else value


def test_a_refusal_names_the_field_and_the_reason() -> None:
    response = ask("validate", review(JOB))
    assert response["allowed"] is False
    assert response["status"]["code"] == 403
    assert response["status"]["message"].startswith("spec.runtimeRef.name: ")
    assert "torch" in response["status"]["message"]


def test_several_reasons_are_all_given() -> None:
    job = {**JOB, "spec": {**JOB["spec"], "initializer": {"model": {}, "dataset": {}}}}
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "torch"},
        "spec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {}}]}}},
    }
    message = ask("validate", review(job), objects=[runtime])["status"]["message"]
    assert message.startswith("[")
    assert message.count("initializer") >= 2


def test_a_deletion_is_always_accepted() -> None:
    assert ask("validate", review(None, JOB, "DELETE")) == {"uid": "r-1", "allowed": True}


def test_what_the_mutation_would_not_change_is_accepted_without_patch() -> None:
    stored = ask("mutate", review(JOB))
    if "patch" in stored:
        (operation,) = json.loads(base64.b64decode(stored["patch"]))
        again = {**JOB, "spec": operation["value"]}
        assert "patch" not in ask("mutate", review(again))
    assert stored["allowed"] is True


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON"),
        (b"[]", "no AdmissionReview"),
        (b'{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1beta1"}', "v1beta1"),
        (b'{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1"}', "no request"),
        (b'{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {"object": {}}}', "no uid"),
        (review({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}), "only Trainer kinds"),
    ],
)
def test_what_is_no_review_of_a_trainer_kind_is_told_apart(body: bytes, said: str) -> None:
    with pytest.raises(BadReviewError, match=said):
        ask("validate", body)
