"""Every recorded case: what the release's own code said of a TrainJob, and of the runtimes beside it."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import trainergen
from trainergen.finding import Layer, Severity
from trainergen.releases import RELEASES

ORACLE = Path(__file__).parents[2] / "oracle"
RELEASE_NAMES = [release.name for release in RELEASES]


@cache
def recorded(release: str) -> list[dict[str, Any]]:
    """The cases of a release."""
    cases: list[dict[str, Any]] = json.loads(lzma.decompress((ORACLE / f"render-{release}.json.xz").read_bytes()))
    return cases


def admit(case: dict[str, Any], release: str):
    """Our verdict on the TrainJob of a case."""
    return trainergen.admit(case["trainjob"], release=release, old=case.get("oldTrainjob"), objects=case["objects"])


def related(one: str, other: str) -> bool:
    """True when one path is, or lies in, the other. The server spells one field in upper case."""
    shorter, longer = sorted((one.lower(), other.lower()), key=len)
    return (
        longer == shorter or (longer.startswith(shorter) and longer[len(shorter)] in ".[") or shorter in ("", "<nil>")
    )


def fields(errors: list[dict[str, str]]) -> list[str]:
    """The fields of recorded errors; one without field is about the object."""
    return [error.get("field", "") for error in errors]


def meaningful(value: Any) -> Any:
    """A value without nulls and empty containers, which encoders of typed objects add and leave out."""
    if isinstance(value, dict):
        kept = {key: meaningful(child) for key, child in value.items()}
        return {key: child for key, child in kept.items() if child not in (None, {}, [])}
    return [meaningful(child) for child in value] if isinstance(value, list) else value


@cache
def judged(release: str) -> list[tuple[dict[str, Any], Any, list[dict[str, Any]]]]:
    """The cases that were recorded with unknown fields refused, our verdicts, and the webhook's possible answers."""
    cases = [case for case in recorded(release) if not case["expect"]["crd"].get("pruned")]
    hooks = [[case["expect"].get("webhook", {}), *case["expect"].get("webhookVariants", [])] for case in cases]
    return [(case, admit(case, release), answers) for case, answers in zip(cases, hooks, strict=True)]


@pytest.fixture(params=RELEASE_NAMES)
def release(request: pytest.FixtureRequest) -> str:
    """The name of each release in turn."""
    return str(request.param)


def test_a_train_job_is_refused_exactly_when_the_real_one_was(release):
    """By the schema, by not being readable, or by the webhook, which may also crash."""
    for case, admission, answers in judged(release):
        crd = case["expect"]["crd"]
        refused = bool(crd["errors"] or crd.get("decodeError") or answers[0].get("errors") or answers[0].get("panic"))
        assert admission.refused is refused, (case["id"], case["what"], admission.findings)


def test_findings_of_the_schema_cover_the_recorded_fields(release):
    """Each recorded field has a finding at, in or above it."""
    for case, admission, _ in judged(release):
        if case["expect"]["crd"].get("decodeError"):
            continue
        got = [finding.path for finding in admission.findings if finding.layer is not Layer.WEBHOOK]
        wanted = fields(case["expect"]["crd"]["errors"])
        assert all(any(related(field, path) for path in got) for field in wanted), (case["id"], wanted, got)


def test_findings_of_the_webhook_are_the_recorded_ones(release):
    """Each recorded field has a finding, and each finding a recorded field; the webhook spoke on broken objects too."""
    for case, admission, answers in judged(release):
        if "runtimeRef" not in case["trainjob"].get("spec", {}) or case["expect"]["crd"].get("decodeError"):
            continue
        got = [finding.path for finding in admission.findings if finding.layer is Layer.WEBHOOK and finding.refuses]
        outcomes = [
            fields(answer.get("errors", [])) + ["spec.trainer.numNodes"] * bool(answer.get("panic"))
            for answer in answers
        ]
        assert any(
            all(any(related(field, path) for path in got) for field in wanted)
            and all(any(related(field, path) for field in wanted) for path in got)
            for wanted in outcomes
        ), (case["id"], case["what"], outcomes, got)


def test_what_the_webhook_cannot_read_is_refused(release):
    """By the schema where it says so itself, and else by the webhook: a number of more than 32 bits."""
    unreadable = [(case, verdict) for case, verdict, _ in judged(release) if case["expect"]["crd"].get("decodeError")]
    assert len(unreadable) == 4
    for case, verdict in unreadable:
        names = {finding.name for finding in verdict.findings if finding.layer is Layer.WEBHOOK}
        assert names == ({"undecodable-value"} if case["id"] == "reject-int32" else set()), case["id"]


def test_warnings_of_the_webhook_are_the_recorded_ones(release):
    """There is one where the real webhook warned, and none elsewhere."""
    for case, admission, answers in judged(release):
        warnings = [finding for finding in admission.findings if finding.severity is Severity.WARNING]
        assert len(warnings) == len(answers[0].get("warnings") or []), (case["id"], warnings)


def test_the_stored_object_is_the_recorded_one(release):
    """Defaulted, and since 2.2 with times and canonical quantities."""
    for case, admission, _ in judged(release):
        if not admission.refused:
            wanted = meaningful(case["expect"]["defaultedTrainjob"])
            assert meaningful(admission.object) == wanted, case["id"]


def test_nothing_is_left_undecided_when_all_of_the_cluster_is_known(release):
    """Except what needs a sound schema."""
    for case, admission, _ in judged(release):
        if not case["expect"]["crd"]["errors"] and not case["expect"]["crd"].get("decodeError"):
            assert admission.not_evaluated == (), case["id"]


def test_runtimes_get_the_recorded_verdicts(release):
    """Schema, webhook and warnings of the runtimes that a case's cluster holds."""
    seen = 0
    for case in recorded(release):
        for verdict in case["expect"].get("runtimes") or []:
            objects = [
                o for o in case["objects"] if (o["kind"], o["metadata"]["name"]) == (verdict["kind"], verdict["name"])
            ]
            if verdict.get("pruned") or not objects:
                continue
            seen += 1
            admission = trainergen.admit(objects[0], release=release, objects=[])
            schema = [f.path for f in admission.findings if f.refuses and f.layer is not Layer.WEBHOOK]
            webhook = [f.path for f in admission.findings if f.refuses and f.layer is Layer.WEBHOOK]
            warnings = [f for f in admission.findings if f.severity is Severity.WARNING]
            assert bool(schema) is bool(verdict.get("crdErrors")), (case["id"], verdict, schema)
            assert sorted(webhook) == sorted(fields(verdict.get("webhookErrors") or [])), (case["id"], verdict)
            assert len(warnings) == len(verdict.get("warnings") or []), (case["id"], verdict)
    assert seen >= 8
