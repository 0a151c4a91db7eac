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
from trainergen.upgrade.checks import PROCESSES_LOST

ORACLE = Path(__file__).parent.parent / "oracle"
HOPS = list(combinations([release.name for release in RELEASES], 2))
REMOVED = ("podSpecOverrides", "podTemplateOverrides", "labels", "annotations", "numProcPerNode", "elasticPolicy")
SERVER = (Layer.SCHEMA, Layer.CEL)


class Case(TypedDict):
    id: str
    manifest: str
    verdict: str
    what: str
    fields: list[str]


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


@pytest.mark.parametrize(("old", "new"), HOPS, ids=[f"{old} to {new}" for old, new in HOPS])
def test_what_only_lacks_a_field_in_the_target_is_taken_by_it_after_the_upgrade(old: str, new: str) -> None:
    """The API server's recorded yes to the old form, and what we say for it to the new one."""
    seen = 0
    for case in recorded(old):
        if case["verdict"] != "valid":
            continue
        refused = refusals(before(case, old), new)
        if not refused or not all(is_removed(one) or one.at[-1:] == ("numProcPerNode",) for one in refused):
            continue
        found = upgraded(case["manifest"], start=old, to=new)
        if PROCESSES_LOST.id not in found.rules:
            assert [one.message for one in refusals(found.objects[0], new)] == [], case["id"]
            assert upgraded(found.text, start=new, to=new).text == found.text
            seen += 1
    assert seen > 10 or (old, new) == ("2.2", "2.3")


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_jobs_of_which_the_target_dropped_a_field_keep_what_it_said(release: str) -> None:
    cases = json.loads(lzma.decompress((ORACLE / f"render-{release}.json.xz").read_bytes()))
    gone = [
        case for case in cases if set(case["expect"]["crd"].get("pruned") or ()) & {f"spec.{one}" for one in REMOVED}
    ]
    for case in gone:
        found = upgraded(json.dumps(case["trainjob"]), start="2.1", to=release)
        assert refusals(case["trainjob"], release)
        assert refusals(found.objects[0], release) == []
        patched = {
            name["name"] for one in case["trainjob"]["spec"]["podTemplateOverrides"] for name in one["targetJobs"]
        }
        assert all(name in json.dumps(found.objects[0]["spec"]["runtimePatches"]) for name in patched)
    assert gone


def test_recorded_refusals_of_texts_for_processes_go_where_the_text_is_a_number() -> None:
    place = ["spec.trainer.numProcPerNode"]
    cases = [case for case in recorded("2.2") if case["fields"] == place and "type" in case["what"]]
    rules = {case["what"].split()[-1]: upgraded(case["manifest"], start="2.1", to="2.2") for case in cases}
    assert {what: refusals(found.objects[0], "2.2") == [] for what, found in rules.items()} == {
        '"3"': True,
        '"seven"': False,
    }
    assert rules['"seven"'].rules == [PROCESSES_LOST.id]
