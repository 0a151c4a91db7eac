"""One pass of the real controller of each release, as recorded, is what a pass decides here."""

from __future__ import annotations

import json
import lzma
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from trainergen_controller import Actions, reconcile

from tests.render.builders import RELEASES
from tests.render.test_oracle import ORACLE, agrees, comparable, fails, outcomes

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@cache
def recorded(release: str) -> list[dict[str, Any]]:
    """The recorded cases with a pass."""
    with lzma.open(ORACLE / f"render-{release}.json.xz") as file:
        return [case for case in json.load(file) if "reconcile" in case["expect"]]


def decided(case: dict[str, Any], release: str) -> Actions:
    features = case.get("features") or {}
    return reconcile(case["trainjob"], case["objects"], release=release, now=NOW, features=features)


def timeless(status: dict[str, Any] | None) -> dict[str, Any] | None:
    """The status as it was recorded."""
    if status is None:
        return None
    conditions = [
        {key: value for key, value in each.items() if key != "lastTransitionTime"}
        for each in status.get("conditions", [])
    ]
    return {**status, "conditions": conditions} if conditions else status


def job_sets(case: dict[str, Any], actions: Actions) -> list[str]:
    """The JobSets that there are after the pass."""
    there = [each for each in case["objects"] if each["kind"] == "JobSet"]
    there += [apply.object for apply in actions.applies if apply.object["kind"] == "JobSet"]
    return sorted({f"{each['metadata'].get('namespace', 'default')}/{each['metadata']['name']}" for each in there})


@pytest.mark.parametrize("release", RELEASES)
def test_every_recorded_pass_is_decided_alike(release: str) -> None:
    disagreeing = []
    for case in recorded(release):
        expected, actions = case["expect"]["reconcile"], decided(case, release)
        failed = bool(expected.get("error") or expected.get("panic"))
        same = bool(actions.error) == failed and job_sets(case, actions) == expected["jobsets"]
        # A panic comes before the status is written.
        if not same or not (expected.get("panic") or timeless(actions.status) == expected.get("status")):
            disagreeing.append(f"{case['id']}: {case['what']}: {actions.error}, {actions.status}")
    assert disagreeing == []


@pytest.mark.parametrize("release", RELEASES)
def test_the_applied_objects_are_those_that_were_built(release: str) -> None:
    disagreeing, compared = [], 0
    for case in recorded(release):
        good = [outcome for outcome in outcomes(case) if not fails(outcome)]
        if not good or case["expect"]["reconcile"]["jobsets"] == []:
            continue
        compared += 1
        got = comparable([apply.object for apply in decided(case, release).applies])
        snapshots = [[o["runtimeSnapshot"]] if o.get("runtimeSnapshot") else [] for o in good]
        wants = [comparable([*o["objects"], *s]) for o, s in zip(good, snapshots, strict=True)]
        if not any(agrees(want, got) for want in wants):
            disagreeing.append(f"{case['id']}: {case['what']}")
    assert disagreeing == []
    assert compared > 250


@pytest.mark.parametrize("release", RELEASES)
def test_there_are_recorded_passes_that_fail_and_with_every_kind_of_status(release: str) -> None:
    passes = [case["expect"]["reconcile"] for case in recorded(release)]
    assert sum(1 for each in passes if each.get("error")) > 5
    assert sum(1 for each in passes if each.get("panic")) > 1
    assert sum(1 for each in passes if (each.get("status") or {}).get("conditions")) > 5
