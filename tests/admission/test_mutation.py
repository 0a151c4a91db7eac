"""A mutating webhook between defaulting and validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Serve = Callable[..., Any]


def test_the_webhook_gets_the_object_decoded_and_defaulted(serve: Serve, job: dict[str, Any]) -> None:
    seen: list[Any] = []

    def look(obj: Any) -> Any:
        seen.append(obj)
        return obj

    job["spec"] |= {"bogus": 1, "suspend": None}
    verdict = serve(job, mutate=look)
    assert seen[0]["spec"]["runtimeRef"]["kind"] == "ClusterTrainingRuntime"
    assert seen[0]["spec"]["suspend"] is False
    assert "bogus" not in seen[0]["spec"]
    assert verdict.object is seen[0]
    assert verdict.found == [("unknown-field", "spec.bogus")]


def name_environment(obj: Any) -> Any:
    """What re-encoding through Go types does to an entry without a name."""
    env = [{"name": "", **entry} for entry in obj["spec"]["trainer"]["env"]]
    trainer = {**obj["spec"]["trainer"], "env": env}
    return {**obj, "spec": {**obj["spec"], "trainer": trainer}}


def test_what_the_webhook_adds_is_there_when_the_schema_is_checked(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"]["trainer"]["env"] = [{"value": "1"}]
    assert serve(job).found == [("missing-field", "spec.trainer.env[0].name")]
    verdict = serve(job, mutate=name_environment)
    assert verdict.found == []
    assert verdict.object["spec"]["trainer"]["env"] == [{"name": "", "value": "1"}]


def test_what_the_webhook_returns_is_defaulted_and_checked_again(serve: Serve, job: dict[str, Any]) -> None:
    def break_it(obj: Any) -> Any:
        return {**obj, "spec": {"runtimeRef": {"name": ""}}}

    verdict = serve(job, mutate=break_it)
    assert verdict.found == [("string-too-short", "spec.runtimeRef.name")]
    assert verdict.object["spec"]["managedBy"] == "trainer.kubeflow.org/trainjob-controller"


def test_repeated_names_that_the_webhook_makes_are_found(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"]["trainer"]["env"] = [{"value": "1"}, {"value": "2"}]
    assert serve(job, mutate=name_environment).found == [("duplicate-entry", "spec.trainer.env[1]")]
