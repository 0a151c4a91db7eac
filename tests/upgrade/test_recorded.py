"""What older releases were recorded to accept is refused by newer ones, after the upgrade, for new limits at most."""

from __future__ import annotations

import json
import lzma
from itertools import combinations
from pathlib import Path
from typing import TypedDict

import pytest

from tests.upgrade.conftest import upgraded
from trainergen.admission.admit import admit
from trainergen.finding import Finding, JsonObject, Layer
from trainergen.releases import RELEASES, get_release

ORACLE = Path(__file__).parent.parent / "oracle"
HOPS = list(combinations([release.name for release in RELEASES], 2))
REMOVED = ("podSpecOverrides", "podTemplateOverrides", "labels", "annotations", "numProcPerNode", "elasticPolicy")
SERVER = (Layer.SCHEMA, Layer.CEL)


class Case(TypedDict):
    id: str
    manifest: str
    verdict: str
    what: str


def recorded(release: str) -> list[Case]:
    cases: list[Case] = json.loads(lzma.decompress((ORACLE / f"admission-{release}.json.xz").read_bytes()))
    return cases


def refusals(value: JsonObject, release: str) -> list[Finding]:
    found = admit(value, release=get_release(release)).findings
    return [one for one in found if one.refuses and one.layer in SERVER]


def before(case: Case, release: str) -> JsonObject:
    return upgraded(case["manifest"], start=release, to=release).objects[0]


def is_removed(finding: Finding) -> bool:
    return finding.rule == "TG101" and finding.at[-1] in REMOVED


@pytest.mark.parametrize(("old", "new"), HOPS, ids=[f"{old} to {new}" for old, new in HOPS])
def test_what_was_valid_is_refused_for_new_limits_at_most(old: str, new: str) -> None:
    rewritten = 0
    for case in recorded(old):
        if case["verdict"] != "valid":
            continue
        found = upgraded(case["manifest"], start=old, to=new)
        limits = {one.message for one in refusals(before(case, old), new) if not is_removed(one)}
        assert {one.message for one in refusals(found.objects[0], new)} <= limits, case["id"]
        rewritten += found.text != case["manifest"]
    assert rewritten or (old, new) == ("2.2", "2.3")


@pytest.mark.parametrize("old", ["2.0", "2.1"])
def test_refusals_for_a_removed_field_go_and_no_new_ones_come(old: str) -> None:
    seen = 0
    for case in recorded(old)[::3]:
        found = upgraded(case["manifest"], start=old, to="2.3")
        gone = [one for one in refusals(before(case, old), "2.3") if is_removed(one)]
        seen += bool(gone)
        if gone and "TG834" not in found.rules:
            assert not any(is_removed(one) for one in refusals(found.objects[0], "2.3")), case["id"]
            assert upgraded(found.text, start=old, to="2.3").text == found.text
    assert seen > 50
