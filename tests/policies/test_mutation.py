"""Policies that change objects: shown as what they would change, and seen by the policies after them."""

from __future__ import annotations

import pytest

from tests.policies.asking import JOB, ask
from tests.policies.policies import apply, bound, json_patch, mutating
from trainergen.finding import Severity

LABEL = "/metadata/labels"
NODES = "/spec/trainer/numNodes"
USER = "request.userInfo.username"
SET_LABELS = f"[JSONPatch{{op: 'add', path: '{LABEL}', value: {{'team': 'a'}}}}]"

CHANGES: dict[str, tuple[dict[str, object], str, str]] = {
    "a label by JSON patch": (
        json_patch(SET_LABELS),
        "metadata.labels",
        'changes metadata.labels to \'{"team": "a"}\'',
    ),
    "a number": (
        json_patch(
            "[JSONPatch{op: 'replace', path: '/spec/trainer/numNodes', value: object.spec.trainer.numNodes * 2}]"
        ),
        "spec.trainer.numNodes",
        "changes spec.trainer.numNodes to '4'",
    ),
    "a removed field": (
        json_patch(f"[JSONPatch{{op: 'remove', path: '{NODES}'}}]"),
        "spec.trainer.numNodes",
        "changes spec.trainer.numNodes to nothing",
    ),
    "a key that needs escaping": (
        json_patch(
            f"[JSONPatch{{op: 'add', path: '{LABEL}', value: {{}}}},"
            f" JSONPatch{{op: 'add', path: '{LABEL}/' + jsonpatch.escapeKey('a/b~c'), value: 'x'}}]"
        ),
        "metadata.labels",
        'changes metadata.labels to \'{"a/b~c": "x"}\'',
    ),
    "a field by apply configuration": (
        apply("Object{spec: Object.spec{trainer: Object.spec.trainer{numProcPerNode: 4}}}"),
        "spec.trainer.numProcPerNode",
        "changes spec.trainer.numProcPerNode to '4'",
    ),
    "labels by apply configuration": (
        apply("Object{metadata: Object.metadata{labels: {'team': request.namespace}}}"),
        "metadata.labels",
        '\'{"team": "team-a"}\'',
    ),
    "an entry of a list map by apply configuration": (
        apply(
            "Object{spec: Object.spec{trainer: Object.spec.trainer{env:"
            " [Object.spec.trainer.env{name: 'HTTPS_PROXY', value: 'http://proxy'}]}}}"
        ),
        "spec.trainer.env",
        "HTTPS_PROXY",
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_change(engine: str, case: str) -> None:
    mutation, path, message = CHANGES[case]
    review = ask(JOB, mutating(mutation))
    assert review.not_evaluated == []
    [finding] = review.findings
    assert (finding.rule, finding.severity, finding.path) == ("TG179", Severity.INFO, path)
    assert message in finding.message


def test_a_change_of_nothing_is_not_told(engine: str) -> None:
    text = mutating(json_patch("[JSONPatch{op: 'test', path: '/spec/trainer/numNodes', value: 2}]"))
    assert ask(JOB, text).findings == []


def test_policies_that_validate_see_the_changed_object(engine: str) -> None:
    texts = (mutating(json_patch(SET_LABELS)), bound("object.metadata.labels['team'] == 'a'"))
    assert [finding.rule for finding in ask(JOB, *texts).findings] == ["TG179"]
    assert [finding.rule for finding in ask(JOB, texts[1]).findings] == ["TG174"]


def test_one_mutation_sees_the_one_before_it(engine: str) -> None:
    second = "[JSONPatch{op: 'add', path: '/metadata/labels/more', value: object.metadata.labels['team']}]"
    review = ask(JOB, mutating(json_patch(SET_LABELS), json_patch(second)))
    assert [finding.path for finding in review.findings] == ["metadata.labels", "metadata.labels.more"]


def test_only_objects_that_meet_the_conditions_are_changed(engine: str) -> None:
    text = mutating(json_patch(SET_LABELS), matchConditions=[{"name": "c", "expression": "false"}])
    assert ask(JOB, text).findings == []


FAILURES: dict[str, tuple[dict[str, object], str]] = {
    "a path that leads nowhere": (json_patch(f"[JSONPatch{{op: 'add', path: '{LABEL}/a', value: 1}}]"), "no 'labels'"),
    "a test that fails": (json_patch("[JSONPatch{op: 'test', path: '/spec/suspend', value: true}]"), "the test of"),
    "no list": (json_patch("'x'"), "no list of JSONPatch"),
    "an atomic list": (
        apply("Object{spec: Object.spec{trainer: Object.spec.trainer{command: ['x']}}}"),
        "may not change atomic lists",
    ),
    "an expression that fails": (json_patch("[JSONPatch{op: 'remove', path: object.nothing}]"), "no such key: nothing"),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_refuses(engine: str, case: str) -> None:
    mutation, message = FAILURES[case]
    [finding] = ask(JOB, mutating(mutation)).findings
    assert (finding.rule, finding.refuses) == ("TG174", True)
    assert message in finding.message


def test_what_depends_on_who_asks_is_not_evaluated(engine: str) -> None:
    text = mutating(
        json_patch(f"[JSONPatch{{op: 'add', path: '{LABEL}', value: {{'by': request.userInfo.username}}}}]")
    )
    review = ask(JOB, text)
    assert (review.findings, len(review.not_evaluated)) == ([], 1)


def test_rendered_objects_are_not_changed_and_that_is_said() -> None:
    jobsets = {"apiGroups": ["jobset.x-k8s.io"], "apiVersions": ["*"], "operations": ["*"], "resources": ["jobsets"]}
    text = mutating(json_patch(SET_LABELS), matchConstraints={"resourceRules": [jobsets]})
    review = ask(JOB, text)
    assert review.findings == []
    assert ["not carried out on rendered ones" in entry.reason for entry in review.not_evaluated] == [True]
