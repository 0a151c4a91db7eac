"""The webhook's route: what it counts, and what it says to those who are no API server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from trainergen_controller.metrics import Metrics
from trainergen_controller.serving.https import Request
from trainergen_controller.webhook.serving import webhook_route

from tests.controller.clocks import TurnedClock

PATH = "/validate-trainer-kubeflow-org-v1alpha1-trainjob"


def asked(body: bytes, metrics: Metrics) -> int:
    route = webhook_route(
        release="2.3",
        lookup=lambda job: [],
        clock=TurnedClock(),
        ready=lambda: True,
        on_answer=lambda *labels: metrics.admissions.labels(*labels).inc(),
    )
    return route(Request(PATH, {}, body)).code


def deletion(kind: Any, operation: Any) -> bytes:
    request = {"uid": "r-1", "kind": {"kind": kind}, "operation": operation}
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


def test_answers_are_counted_by_kind_and_operation() -> None:
    metrics = Metrics()
    assert asked(deletion("TrainJob", "DELETE"), metrics) == 200
    said = 'trainergen_admissions_total{kind="TrainJob",operation="DELETE",verdict="allowed"} 1.0'
    assert said in metrics.text().decode()


def test_words_that_anybody_makes_up_are_counted_as_one() -> None:
    metrics = Metrics()
    for number in range(20):
        assert asked(deletion(f"Kind{number}", f"DO{number}"), metrics) == 200
    assert metrics.text().decode().count("trainergen_admissions_total{") == 1


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{", b"\xff", b"null"])
def test_what_is_no_review_is_a_bad_request(body: bytes) -> None:
    assert asked(body, Metrics()) == 400
