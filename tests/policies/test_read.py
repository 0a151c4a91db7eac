"""What is wrong with policies and bindings themselves."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.policies.asking import files_of, policies_of
from tests.policies.policies import TRAINJOBS, binding, bound, json_patch, mutating, policy
from trainergen.finding import Layer
from trainergen.policies import collect

RULES = {"resourceRules": [TRAINJOBS]}

EXPRESSIONS: dict[str, tuple[str, str]] = {
    "a syntax error": ("object.spec. == 1", "'==' is not expected"),
    "an open bracket": ("object.spec.trainer.exists(x, x", "the end is not expected, but ')' belongs here"),
    "an unknown variable": ("objekt.spec == 1", "there is no variable 'objekt'"),
    "a variable of resource definitions": ("self.spec == 1", "there is no variable 'self'"),
    "a variable of a macro, outside of it": ("[1].all(x, true) && x == 1", "there is no variable 'x'"),
    "an unknown variable of the policy": ("variables.nodes == 1", "there is no variable 'variables.nodes'"),
    "params without paramKind": ("params.data.a == '1'", "there is no variable 'params'"),
    "a field that requests do not have": ("request.namex == 'a'", "request has no field 'namex'"),
    "an unknown function": ("object.spec.frobnicate()", "Kubernetes has no function 'frobnicate'"),
    "a function of another CEL": ("math.greatest(1, 2) == 2", "Kubernetes has no function 'math.greatest'"),
    "bind, which Kubernetes lacks": ("cel.bind(x, 1, x == 1)", "Kubernetes has no function 'cel.bind'"),
    "has() of no field": ("has(object)", "has() takes a field"),
    "an object that is made up": ("Thing{a: 1} == object", "there is no type 'Thing'"),
    "a reserved word": ("package == 1", "'package' is a reserved word"),
    "a number too large": ("object.a == 99999999999999999999", "does not fit into 64 bits"),
    "no expression": ("  ", "there is no expression"),
}


@pytest.mark.parametrize("case", EXPRESSIONS)
def test_an_expression_that_does_not_compile(case: str) -> None:
    expression, message = EXPRESSIONS[case]
    policies = policies_of(bound(expression))
    assert not policies
    [finding] = policies.findings
    assert (finding.rule, finding.layer, finding.path) == ("TG175", Layer.POLICY, "spec.validations[0].expression")
    assert finding.refuses
    assert message in finding.message
    assert finding.line > 0


GOOD = [
    "object.metadata.name.startsWith('a') || oldObject == null || namespaceObject == null",
    "authorizer.group('x').resource('y').namespace('z').name('n').check('get').allowed()",
    "authorizer.serviceAccount('a', 'b').path('/x').check('get').reason() == ''",
    "format.dns1123Label().validate('a').hasValue() || format.named('uuid').value().validate('a') == optional.none()",
    "[1, 2].transformList(i, v, i + v).sortBy(x, -x).exists(x, x == 1)",
    "ip('1.2.3.4').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.1.1') && url('http://a').getHost() == 'a'",
    "type(object) == map && type('a') == string && dyn(1) == 1",
    "{'a': 1}.all(k, v, k == 'a' && v == 1) // a comment",
]


@pytest.mark.parametrize("expression", GOOD)
def test_an_expression_that_compiles(expression: str) -> None:
    policies = policies_of(bound(expression))
    assert policies.findings == ()
    assert policies


def test_the_place_in_an_expression_of_several_lines_is_told() -> None:
    [finding] = policies_of(bound("true &&\n  objekt == 1")).findings
    assert "look at line 2, column 3 of the expression" in finding.help
    [finding] = policies_of(bound("true && objekt == 1")).findings
    assert "look at column 9 of the expression" in finding.help


def test_a_variable_sees_only_those_before_it() -> None:
    variables = [{"name": "a", "expression": "variables.b"}, {"name": "b", "expression": "1"}]
    [finding] = policies_of(bound("variables.a == 1", variables=variables)).findings
    assert (finding.path, "variables.b" in finding.message) == ("spec.variables[0].expression", True)


def test_conditions_messages_and_mutations_are_compiled_too() -> None:
    conditions = [{"name": "c", "expression": "nope"}]
    texts = [
        bound({"expression": "true", "messageExpression": "nope"}, matchConditions=conditions),
        mutating(json_patch("nope")),
    ]
    assert [finding.path for text in texts for finding in policies_of(text).findings] == [
        "spec.matchConditions[0].expression",
        "spec.validations[0].messageExpression",
        "spec.mutations[0].jsonPatch.expression",
    ]


POLICIES: dict[str, tuple[dict[str, Any], str]] = {
    "no rules": ({"matchConstraints": {}}, "there are no rules"),
    "an unknown failurePolicy": ({"failurePolicy": "Warn"}, "failurePolicy is 'Warn'"),
    "half a paramKind": ({"paramKind": {"kind": "ConfigMap"}}, "paramKind is not complete"),
}


@pytest.mark.parametrize("case", POLICIES)
def test_a_policy(case: str) -> None:
    fields, message = POLICIES[case]
    [finding] = policies_of(bound("true", **fields)).findings
    assert (finding.rule, message in finding.message) == ("TG175", True)


def test_a_policy_that_says_nothing() -> None:
    [finding] = policies_of(f"{policy()}---\n{binding()}").findings
    assert "there are no validations" in finding.message


BINDINGS: dict[str, tuple[dict[str, Any], str]] = {
    "no policy": ({"policyName": ""}, "there is no policyName"),
    "no actions": ({"validationActions": []}, "there are no validationActions"),
    "an unknown action": ({"validationActions": ["Block"]}, "there is no action 'Block'"),
    "Deny with Warn": ({"validationActions": ["Deny", "Warn"]}, "Deny and Warn exclude each other"),
    "a reference to nothing": ({"paramRef": {}}, "either a name or a selector"),
    "a reference to both": ({"paramRef": {"name": "a", "selector": {}}}, "either a name or a selector"),
}


@pytest.mark.parametrize("case", BINDINGS)
def test_a_binding(case: str) -> None:
    fields, message = BINDINGS[case]
    findings = policies_of(policy("true"), binding(**fields)).findings
    assert [message in finding.message for finding in findings if finding.rule == "TG175"] == [True]


def test_a_policy_without_a_binding_does_nothing_and_says_so() -> None:
    policies = policies_of(policy("false"))
    assert not policies
    [finding] = policies.findings
    assert (finding.rule, finding.severity.value, finding.file) == ("TG176", "info", "0.yaml")


def test_a_binding_to_nothing_is_told_with_the_nearest_name() -> None:
    [finding, unbound] = policies_of(policy("true"), binding(policyName="pp")).findings
    assert (finding.rule, finding.file, finding.path) == ("TG177", "1.yaml", "spec.policyName")
    assert "did you mean 'p'" in finding.message
    assert unbound.rule == "TG176"


def test_a_binding_to_a_faulty_policy_is_no_second_fault() -> None:
    assert [finding.rule for finding in policies_of(bound("nope")).findings] == ["TG175"]


PARAMETERS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "given and not taken": ({}, {"paramRef": {"name": "x"}}, "has no paramKind"),
    "taken and not given": ({"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}, {}, "params is null"),
}


@pytest.mark.parametrize("case", PARAMETERS)
def test_parameters(case: str) -> None:
    of_policy, of_binding, message = PARAMETERS[case]
    policies = policies_of(policy("true", **of_policy), binding(**of_binding))
    [finding] = policies.findings
    assert (finding.rule, message in finding.message) == ("TG178", True)
    assert policies


def test_of_several_policies_of_one_name_the_nearest_counts() -> None:
    files = files_of(policy("true"), policy("false"), binding(), binding())
    named = ["a/policy.yaml", "b/policy.yaml", "a/binding.yaml", "b/deep/binding.yaml"]
    policies = collect([_named(file, name) for file, name in zip(files, named, strict=True)])
    found = {bound.file: own.file for own, bound in policies.in_force}
    assert found == {"a/binding.yaml": "a/policy.yaml", "b/deep/binding.yaml": "b/policy.yaml"}


def _named(file: Any, name: str) -> Any:
    from dataclasses import replace

    return replace(file, path=name)


def test_policies_in_lists_and_beta_versions_are_read() -> None:
    items = [*yaml.safe_load_all(bound("true").replace("/v1\n", "/v1beta1\n"))]
    text = yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": items})
    assert len(policies_of(text).in_force) == 1


@pytest.mark.parametrize("text", ["AdmissionPolicy: [", "kind: ValidatingAdmissionPolicy", "# AdmissionPolicy\n"])
def test_what_is_no_policy_is_none(text: str) -> None:
    policies = policies_of(text)
    assert (policies.in_force, policies.findings) == ((), ())
