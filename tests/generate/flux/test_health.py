"""The health expressions for Flux, evaluated in its order over what statuses look like."""

from __future__ import annotations

import re
from typing import Any

import pytest

from trainergen.cel.engine import EvaluationError, holds
from trainergen.generate.flux.health import expressions
from trainergen.generate.resolved import Placed

SUSPENDED = {"type": "Suspended", "status": "True"}
RESUMED = {"type": "Suspended", "status": "False"}
COMPLETE = {"type": "Complete", "status": "True"}
FAILED = {"type": "Failed", "status": "True"}
ACTIVE = {"type": "Active", "status": "True"}
INACTIVE = {"type": "Active", "status": "False", "reason": "FlavorNotFound"}
RUNNING = {"type": "Running", "status": "True"}
STOPPED = {"type": "Running", "status": "False"}
SUCCEEDED = {"type": "Succeeded", "status": "True"}
KINDS = {
    "TrainJob": "trainer.kubeflow.org/v1alpha1",
    "Experiment": "kubeflow.org/v1beta1",
    "LocalQueue": "kueue.x-k8s.io/v1beta1",
}


def state(kind: str, status: dict[str, Any] | None) -> str:
    """What Flux makes of a status: the first of its expressions that holds, or that there is nothing to evaluate."""
    placed = Placed("jobs", "one", {"apiVersion": KINDS[kind], "kind": kind})
    expression = expressions([placed], jobs=True)[0]
    assert isinstance(expression, dict)
    obj = {} if status is None else {"status": status}
    for key in ("inProgress", "failed", "current"):
        text = expression.get(key)
        if text is None:
            continue
        try:
            if holds(re.sub(r"\bstatus\.conditions", "self.status.conditions", str(text)), {"self": obj}):
                return key
        except EvaluationError:
            return "no status"
    return "unknown"


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        pytest.param("TrainJob", None, "no status", id="a TrainJob without status is asked again"),
        pytest.param("TrainJob", {}, "inProgress", id="a TrainJob without conditions is under way"),
        pytest.param("TrainJob", {"conditions": []}, "inProgress", id="a TrainJob with none is under way"),
        pytest.param("TrainJob", {"conditions": [SUSPENDED]}, "inProgress", id="a suspended TrainJob is under way"),
        pytest.param("TrainJob", {"conditions": [RESUMED]}, "inProgress", id="a resumed TrainJob is under way"),
        pytest.param("TrainJob", {"conditions": [RESUMED, COMPLETE]}, "current", id="a complete TrainJob is done"),
        pytest.param("TrainJob", {"conditions": [RESUMED, FAILED]}, "failed", id="a failed TrainJob has failed"),
        pytest.param("Experiment", {"conditions": [RUNNING]}, "inProgress", id="an Experiment that runs is under way"),
        pytest.param("Experiment", {"conditions": [STOPPED, SUCCEEDED]}, "current", id="one that succeeded is done"),
        pytest.param("Experiment", {"conditions": [STOPPED, FAILED]}, "failed", id="one that failed has failed"),
        pytest.param("LocalQueue", {}, "inProgress", id="a queue without conditions is under way"),
        pytest.param("LocalQueue", {"conditions": [INACTIVE]}, "inProgress", id="an inactive queue is under way"),
        pytest.param("LocalQueue", {"conditions": [ACTIVE]}, "current", id="an active queue is ready"),
    ],
)
def test_health(kind: str, status: dict[str, Any] | None, expected: str) -> None:
    assert state(kind, status) == expected


def test_there_are_expressions_only_for_what_is_there_and_waited_for() -> None:
    job = Placed("jobs", "one", {"apiVersion": KINDS["TrainJob"], "kind": "TrainJob"})
    account = Placed("namespace", "one", {"apiVersion": "v1", "kind": "ServiceAccount"})

    assert expressions([account, job], jobs=False) == []
    assert len(expressions([account, job], jobs=True)) == 1
