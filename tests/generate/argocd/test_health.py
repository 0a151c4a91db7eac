"""The health checks for Argo CD, run by a Lua without libraries as Argo CD does it, over what statuses look like."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generate.tools import objects
from trainergen.generate.argocd.health import SCRIPTS
from trainergen.generate.argocd.settings import settings

lupa = pytest.importorskip("lupa.lua51", reason="there is no Lua: install lupa")

SUSPENDED = {"type": "Suspended", "status": "True", "reason": "Suspended", "message": "is suspended"}
RESUMED = {"type": "Suspended", "status": "False", "reason": "Resumed", "message": "is resumed"}
COMPLETE = {"type": "Complete", "status": "True", "reason": "JobsCompleted", "message": "all jobs are done"}
COMPLETED = {**COMPLETE, "type": "Completed"}
FAILED = {"type": "Failed", "status": "True", "reason": "FailedJobs", "message": "a job failed"}

SHAPES: dict[str, tuple[dict[str, Any], str]] = {
    "without a status it is under way": ({}, "Progressing"),
    "with an empty status it is under way": ({"status": {}}, "Progressing"),
    "while jobs run it is under way": ({"status": {"jobsStatus": [{"name": "node", "active": 1}]}}, "Progressing"),
    "suspended it is suspended": ({"status": {"conditions": [SUSPENDED]}}, "Suspended"),
    "resumed it is under way": ({"status": {"conditions": [RESUMED]}}, "Progressing"),
    "failed it is degraded": ({"status": {"conditions": [RESUMED, FAILED]}}, "Degraded"),
    "being deleted it is under way": (
        {"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "status": {"conditions": [FAILED]}},
        "Progressing",
    ),
}


def health(kind: str, obj: dict[str, Any]) -> dict[str, str]:
    """What the script of a kind says of an object."""
    runtime = lupa.LuaRuntime(register_eval=False, register_builtins=False)
    for name in ("os", "io", "debug", "package", "require", "loadfile", "dofile"):
        runtime.globals()[name] = None
    runtime.globals()["obj"] = runtime.table_from(obj, recursive=True)
    found = runtime.execute(SCRIPTS[kind])
    return {"status": found["status"], "message": found["message"]}


@pytest.mark.parametrize(
    ("kind", "ended"),
    [("trainer.kubeflow.org_TrainJob", COMPLETE), ("jobset.x-k8s.io_JobSet", COMPLETED)],
)
@pytest.mark.parametrize("sentence", SHAPES)
def test_health_of_what_trains(kind: str, ended: dict[str, str], sentence: str) -> None:
    obj, expected = SHAPES[sentence]

    assert health(kind, obj)["status"] == expected
    done = {"status": {"conditions": [RESUMED, ended]}}
    assert health(kind, done) == {"status": "Healthy", "message": "all jobs are done"}


def test_a_condition_without_message_gives_its_reason() -> None:
    failed = {key: value for key, value in FAILED.items() if key != "message"}

    assert health("trainer.kubeflow.org_TrainJob", {"status": {"conditions": [failed]}}) == {
        "status": "Degraded",
        "message": "FailedJobs",
    }


@pytest.mark.parametrize(
    ("obj", "expected"),
    [
        ({}, "Progressing"),
        ({"status": {}}, "Progressing"),
        ({"status": {"health": {"status": "Healthy"}}}, "Healthy"),
        ({"status": {"health": {"status": "Degraded", "message": "x"}}}, "Degraded"),
    ],
)
def test_an_application_is_as_healthy_as_it_says(obj: dict[str, Any], expected: str) -> None:
    assert health("argoproj.io_Application", obj)["status"] == expected


def test_the_patch_holds_the_scripts_as_they_are() -> None:
    data = settings()["data"]
    assert isinstance(data, dict)

    for kind, script in SCRIPTS.items():
        assert data[f"resource.customizations.health.{kind}"] == script


def test_every_setting_is_a_text_as_a_config_map_wants_it() -> None:
    data = settings()["data"]
    assert isinstance(data, dict)

    assert all(isinstance(value, str) for value in data.values())
    ignored = objects(str(data["resource.customizations.ignoreDifferences.trainer.kubeflow.org_TrainJob"]))[0]
    assert ignored == {"jsonPointers": ["/spec/suspend"], "managedFieldsManagers": ["manager", "kueue"]}
