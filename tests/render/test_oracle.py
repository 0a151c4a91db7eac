"""What the real controller of each release built for the recorded TrainJobs is what is rendered."""

from __future__ import annotations

import json
import lzma
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.render.builders import RELEASES
from trainergen.render import RenderError, render

ORACLE = Path(__file__).parent.parent / "oracle"
HOST = re.compile(r"[a-z0-9][a-z0-9.-]*-0-\[?[0-9,-]+\]?")


@cache
def recorded(release: str) -> list[dict[str, Any]]:
    """The recorded cases in which a build was tried."""
    with lzma.open(ORACLE / f"render-{release}.json.xz") as file:
        return [case for case in json.load(file) if "build" in case["expect"]]


def outcomes(case: dict[str, Any]) -> list[dict[str, Any]]:
    """What was built; the original runs plugins in random order, so it may be one of several."""
    return [case["expect"]["build"], *case["expect"].get("buildVariants", [])]


def fails(outcome: dict[str, Any]) -> bool:
    return bool(outcome.get("error") or outcome.get("panic"))


def meaningful(value: Any) -> Any:
    """Without nulls and empty containers, which encoders of typed objects add or leave out."""
    if isinstance(value, dict):
        return {key: kept for key, child in value.items() if (kept := meaningful(child)) not in (None, {}, [])}
    if isinstance(value, list):
        return [meaningful(child) for child in value]
    return value


def comparable(objects: list[dict[str, Any]]) -> list[Any]:
    """The objects in a fixed order, the text of a snapshot read."""
    out = []
    for item in json.loads(json.dumps(objects)):
        text = item.get("data", {}).get("runtime")
        if isinstance(text, str):
            item["data"]["runtime"] = yaml.safe_load(text)
        out.append(meaningful(item))
    return sorted(out, key=lambda item: (item["kind"], item["apiVersion"], item["metadata"]["name"]))


def agrees(want: Any, got: Any) -> bool:
    """Equal, but for what is generated and for scripts, of which ours must name the same hosts."""
    if want == "<generated>":
        return isinstance(got, str) and bool(got)
    if isinstance(want, dict) and "$script" in want:
        hosts = {host for line in want.get("variableLines") or [] for host in HOST.findall(line)}
        return isinstance(got, str) and all(host in got for host in hosts)
    if isinstance(want, dict) and isinstance(got, dict):
        return want.keys() == got.keys() and all(agrees(want[key], got[key]) for key in want)
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(agrees, want, got))
    return bool(want == got)


@pytest.mark.parametrize("release", RELEASES)
def test_every_recorded_build_is_rendered_alike(release: str) -> None:
    disagreeing = []
    for case in recorded(release):
        good = [outcome for outcome in outcomes(case) if not fails(outcome)]
        try:
            result = render(case["trainjob"], case["objects"], release=release, features=case.get("features") or {})
        except RenderError as error:
            if good:
                disagreeing.append(f"{case['id']}: {error}")
            continue
        got = comparable(result.objects)
        snapshots = [[o["runtimeSnapshot"]] if o.get("runtimeSnapshot") else [] for o in good]
        wants = [comparable([*o["objects"], *s]) for o, s in zip(good, snapshots, strict=True)]
        if not any(agrees(want, got) for want in wants):
            disagreeing.append(f"{case['id']}: {case['what']}")
    assert disagreeing == []


@pytest.mark.parametrize("release", RELEASES)
def test_there_are_recorded_builds_that_succeed_and_that_fail(release: str) -> None:
    failing = [all(map(fails, outcomes(case))) for case in recorded(release)]
    assert failing.count(True) > 5
    assert failing.count(False) > 250


@pytest.mark.parametrize("release", RELEASES)
def test_every_failure_says_how_to_fix_it(release: str) -> None:
    for case in recorded(release):
        if all(map(fails, outcomes(case))):
            with pytest.raises(RenderError) as caught:
                render(case["trainjob"], case["objects"], release=release, features=case.get("features") or {})
            assert caught.value.message
            assert caught.value.help.endswith(".")
            assert caught.value.hint == caught.value.help
