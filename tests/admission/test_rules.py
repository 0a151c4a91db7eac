"""CEL rules of the resource definitions, on the real kinds and on schemas of our own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from trainergen.admission.rules import RuleResult, evaluate_rules
from trainergen.admission.structural import admit_structure
from trainergen.api.structural import Kind, StructuralSchemas
from trainergen.cel import engine

Serve = Callable[..., Any]
Evaluate = Callable[..., RuleResult]


@pytest.fixture(params=["cel-python", "cel-expr-python"])
def chosen_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One engine after the other; the fast one only where it is installed."""
    if request.param == "cel-expr-python":
        pytest.importorskip("cel_expr_python")
    monkeypatch.setenv(engine.ENGINE_VARIABLE, request.param)
    return request.param


@pytest.fixture
def evaluate(chosen_engine: str) -> Evaluate:
    """The rules of a schema of ones own on an object's ``spec``: ``evaluate(schema, value, old)``."""

    def run(schema: dict[str, Any], value: Any, old: Any = None, rule: str | None = None) -> RuleResult:
        root: dict[str, Any] = {"type": "object", "properties": {"spec": schema}}
        if rule:
            root["x-kubernetes-validations"] = [{"rule": rule}]
        kind = Kind(group="example.com", version="v1", kind="Thing", plural="things", scope="Namespaced", schema=root)
        schemas = StructuralSchemas(release="1", definitions={}, kinds={"Thing": kind})
        head = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a", "labels": {"x": "y"}}}
        before = None if old is None else {**head, "spec": old}
        return evaluate_rules(admit_structure({**head, "spec": value}, schemas, kind, old=before), schemas, kind)

    return run


def ruled(schema: dict[str, Any], rule: str, **more: Any) -> dict[str, Any]:
    return {**schema, "x-kubernetes-validations": [{"rule": rule, **more}]}


INTEGER = {"type": "integer"}
STRING = {"type": "string"}
SIZES = {"type": "object", "properties": {"low": INTEGER, "high": INTEGER}}
ENTRY = {"type": "object", "properties": {"name": STRING, "size": ruled(INTEGER, "self >= oldSelf")}}
ENTRIES = {"type": "array", "items": ENTRY, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}

HOLDS: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "comparison": (ruled(SIZES, "self.low <= self.high"), {"low": 1, "high": 2}, None),
    "whole number of a double": (ruled({"type": "number"}, "self == 1.0"), 1, None),
    "name that CEL reserves": (
        ruled(
            {"type": "object", "properties": {"namespace": STRING, "a-b": STRING}},
            "self.__namespace__ == self.a__dash__b",
        ),
        {"namespace": "x", "a-b": "x"},
        None,
    ),
    "null counts as absent": (
        ruled({"type": "object", "properties": {"a": {**STRING, "nullable": True}}}, "!has(self.a)"),
        {"a": None},
        None,
    ),
    "no value, no rule": (ruled({**STRING, "nullable": True}, "self == 'x'"), None, None),
    "bytes": (ruled({**STRING, "format": "byte"}, "size(self) == 2"), "aGk=", None),
    "integer or text": (ruled({"x-kubernetes-int-or-string": True}, "type(self) == string || self > 0"), "50%", None),
    "transition": (ruled(INTEGER, "self >= oldSelf"), 3, 2),
    "transition without an old value": (ruled(INTEGER, "self >= oldSelf"), 3, None),
    "entries found by key": (ENTRIES, [{"name": "b", "size": 1}, {"name": "a", "size": 5}], [{"name": "a", "size": 4}]),
    "entries of a plain list have no old value": (
        {"type": "array", "items": ruled(INTEGER, "self >= oldSelf")},
        [1],
        [2],
    ),
    "free keys": ({"type": "object", "additionalProperties": ruled(STRING, "self != ''")}, {"a": "b"}, None),
    "empty list": (ruled({"type": "array", "items": INTEGER}, "self.all(x, x > 0)"), [], None),
}

FAILS: dict[str, tuple[dict[str, Any], Any, Any, tuple[str, str]]] = {
    "comparison": (ruled(SIZES, "self.low <= self.high"), {"low": 3, "high": 2}, None, ("rule-failed", "spec")),
    "place that the rule names": (
        ruled(SIZES, "self.low <= self.high", fieldPath=".high"),
        {"low": 3, "high": 2},
        None,
        ("rule-failed", "spec.high"),
    ),
    "field that is absent": (ruled(SIZES, "self.low <= self.high"), {"low": 3}, None, ("rule-error", "spec")),
    "types without an order": (
        ruled({"x-kubernetes-int-or-string": True}, "self > 0"),
        "x",
        None,
        ("rule-error", "spec"),
    ),
    "transition": (ruled(INTEGER, "self >= oldSelf"), 1, 2, ("rule-failed", "spec")),
    "entry found by key": (
        ENTRIES,
        [{"name": "a", "size": 3}],
        [{"name": "b"}, {"name": "a", "size": 4}],
        ("rule-failed", "spec[0].size"),
    ),
    "free key, in brackets": (
        {"type": "object", "additionalProperties": ruled(STRING, "self != ''")},
        {"a.b/c": ""},
        None,
        ("rule-failed", "spec[a.b/c]"),
    ),
    "free key against its old value": (
        {"type": "object", "additionalProperties": ruled(STRING, "self == oldSelf")},
        {"a": "b"},
        {"a": "c"},
        ("field-immutable", "spec[a]"),
    ),
}


@pytest.mark.parametrize("case", HOLDS.values(), ids=HOLDS.keys())
def test_rule_holds(evaluate: Evaluate, case: tuple[dict[str, Any], Any, Any]) -> None:
    assert evaluate(*case) == RuleResult()


@pytest.mark.parametrize("case", FAILS.values(), ids=FAILS.keys())
def test_rule_fails_at_its_place(evaluate: Evaluate, case: tuple[dict[str, Any], Any, Any, tuple[str, str]]) -> None:
    *given, expected = case
    result = evaluate(*given)
    assert [(finding.name, finding.path) for finding in result.findings] == [expected]
    assert result.not_evaluated == ()


def test_root_rules_see_the_name_and_nothing_else_of_the_metadata(evaluate: Evaluate) -> None:
    assert evaluate(STRING, "a", rule="self.metadata.name == 'a' && self.kind == 'Thing'") == RuleResult()
    assert evaluate(STRING, "a", rule="!has(self.metadata.labels)") == RuleResult()


@pytest.mark.parametrize(("moment", "failed"), [("2026-01-02T03:04:05+01:00", 0), ("2024-01-02T03:04:05.5Z", 1)])
def test_times_are_compared_as_moments(check_value: Callable[..., Any], moment: str, failed: int) -> None:
    schema = ruled({**STRING, "format": "date-time"}, "self > timestamp('2025-01-01T00:00:00Z')")
    root = {"type": "object", "properties": {"spec": schema}}
    kind = Kind(group="example.com", version="v1", kind="Thing", plural="things", scope="Namespaced", schema=root)
    result = evaluate_rules(check_value(schema, moment)[2], StructuralSchemas("1", {}, {}), kind)
    assert (len(result.findings), result.not_evaluated) == (failed, ())


MESSAGES: dict[str, tuple[dict[str, Any], str]] = {
    "fixed": ({"message": " must not be x "}, "spec is 'x': must not be x"),
    "computed": ({"message": "no", "messageExpression": "'not ' + self"}, "spec is 'x': not x"),
    "computed, but broken": ({"message": "no", "messageExpression": "self.gone"}, "spec is 'x': no"),
    "computed, but of several lines": ({"message": "no", "messageExpression": "'a\\nb'"}, "spec is 'x': no"),
    "computed, but empty": ({"message": "no", "messageExpression": "' '"}, "spec is 'x': no"),
    "none": ({}, "spec is 'x': failed rule: self != 'x'"),
}


@pytest.mark.parametrize("case", MESSAGES.values(), ids=MESSAGES.keys())
def test_message_is_the_rules_own(evaluate: Evaluate, case: tuple[dict[str, Any], str]) -> None:
    more, message = case
    finding = evaluate(ruled(STRING, "self != 'x'", **more), "x").findings[0]
    assert finding.message == message
    assert finding.help == "Change the value so that the rule holds. The rule is self != 'x'."


def test_a_rule_that_no_engine_knows_is_not_evaluated(evaluate: Evaluate, chosen_engine: str) -> None:
    result = evaluate(ruled(STRING, "authorizer.serviceAccount('a', 'b').check(self)"), "x")
    assert result.findings == ()
    [undecided] = result.not_evaluated
    assert undecided.at == ("spec",)
    assert chosen_engine in undecided.reason


def test_a_rule_on_an_optional_old_value_is_not_evaluated(evaluate: Evaluate) -> None:
    result = evaluate(ruled(STRING, "oldSelf.hasValue() || self != ''", optionalOldSelf=True), "x")
    assert (result.findings, len(result.not_evaluated)) == ((), 1)


def test_an_unchanged_value_is_forgiven_but_not_a_rule_error(evaluate: Evaluate) -> None:
    schema = {"type": "object", "properties": {"a": ruled(STRING, "self != 'x'"), "b": STRING}}
    assert evaluate(schema, {"a": "x", "b": "1"}, {"a": "x", "b": "2"}) == RuleResult()
    schema = {"type": "object", "properties": {"a": ruled(SIZES, "self.low < self.high"), "b": STRING}}
    result = evaluate(schema, {"a": {}, "b": "1"}, {"a": {}, "b": "2"})
    assert [finding.name for finding in result.findings] == ["rule-error"]


def test_on_a_broken_object_no_rule_is_evaluated_and_that_is_said(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"] |= {"managedBy": "nobody", "suspend": 5}
    verdict = serve(job)
    assert verdict.found == [("wrong-type", "spec.suspend")]
    [undecided] = verdict.not_evaluated
    assert (undecided.layer, undecided.at) == ("cel", ())
    assert "once the faults of the schema are mended" in undecided.reason


def test_of_a_broken_object_without_rules_nothing_is_said(serve: Serve) -> None:
    runtime = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainingRuntime", "metadata": {"name": "a"}}
    assert serve({**runtime, "spec": {"podGroupPolicy": []}}).not_evaluated == ()
    assert len(serve({**runtime, "spec": {"mlPolicy": {"numNodes": "2"}}}).not_evaluated) == 1


def test_beside_other_faults_rules_are_evaluated(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"] |= {"managedBy": "nobody", "bogus": 5}
    assert serve(job).found == [("unknown-field", "spec.bogus"), ("rule-failed", "spec.managedBy")]


POLICY = "Only one of the policy can be configured"


def test_findings_of_known_rules_say_what_to_do(serve: Serve) -> None:
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainingRuntime",
        "metadata": {"name": "a"},
        "spec": {"mlPolicy": {"torch": {}, "mpi": {}}},
    }
    [finding] = serve(runtime).findings
    assert (finding.message, finding.path) == (POLICY, "spec.mlPolicy")
    assert finding.help.startswith("Keep one of the policies and remove the others. The rule is [has(self.torch)")


def test_a_claim_template_without_metadata_cannot_be_computed(serve: Serve) -> None:
    policy = {"templates": [{"spec": {}}]}
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainingRuntime",
        "metadata": {"name": "a"},
        "spec": {"template": {"spec": {"replicatedJobs": [], "volumeClaimPolicies": [policy]}}},
    }
    [finding] = serve(runtime).findings
    assert (finding.name, finding.path) == ("rule-error", "spec.template.spec.volumeClaimPolicies[0]")
    assert "no such key: metadata" in finding.message


@pytest.mark.parametrize(("prefix", "found"), [("mnist-", []), ("9-mnist-", [("rule-failed", "metadata.name")])])
def test_a_name_that_the_server_makes_is_judged_by_its_prefix(
    serve: Serve, job: dict[str, Any], prefix: str, found: list[tuple[str, str]]
) -> None:
    job["metadata"] = {"generateName": prefix}
    verdict = serve(job)
    assert verdict.found == found
    assert verdict.object["metadata"] == {"generateName": prefix}


def test_everyday_objects_need_no_engine(job: dict[str, Any]) -> None:
    code = f"""
import sys
from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import admit_structure
from trainergen.api.structural import load
schemas = load("2.3")
kind = schemas.kinds["TrainJob"]
result = evaluate_rules(admit_structure({job!r}, schemas, kind), schemas, kind)
assert result == ((), ()), result
heavy = ("celpy", "cel_expr_python", "pydantic", "jsonschema", "re2", "lark", "difflib", "yaml")
assert not [name for name in heavy if name in sys.modules]
"""
    subprocess.run([sys.executable, "-c", code], check=True)
