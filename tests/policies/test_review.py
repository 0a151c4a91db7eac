"""Validations: verdicts, messages, actions, failures, variables, and what only a cluster knows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policies.asking import JOB, ask, document_of
from tests.policies.policies import binding, bound, config_map, namespace, policy, rule
from trainergen.finding import Severity

CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap"}
ALICE = "request.userInfo.username == 'alice'"

HOLDS: dict[str, str] = {
    "the object as admitted, defaults included": "object.spec.suspend == false",
    "its namespace": "object.metadata.namespace == 'team-a'",
    "no old object on create": "oldObject == null",
    "no parameters without a kind of them": "object != null",
    "the request's operation": "request.operation == 'CREATE'",
    "its resource": "request.resource.group == 'trainer.kubeflow.org' && request.resource.resource == 'trainjobs'",
    "its kind, name and namespace": (
        "request.kind.kind == 'TrainJob' && request.name == 'mnist' && request.namespace == 'team-a'"
    ),
    "it is no dry run and about no part": "!request.dryRun && request.subResource == ''",
    "who asks, where the rest decides": f"{ALICE} || object.spec.trainer.numNodes == 2",
    "the name of a namespace that no file holds": "namespaceObject.metadata.name == 'team-a'",
}
REFUSES: dict[str, str] = {
    "false": "object.spec.trainer.numNodes > 2",
    "what is no boolean": "object.metadata.name",
    "who asks, where the rest decides": f"{ALICE} && object.spec.trainer.numNodes == 3",
}
UNDECIDED: dict[str, tuple[str, str]] = {
    "who asks": (ALICE, "who makes the request"),
    "whether somebody asks": ("has(request.userInfo)", "who makes the request"),
    "an optional field of who asks": ("request.?userInfo.?username.orValue('') == ''", "who makes the request"),
    "options": ("request.options.kind == 'x'", "who makes the request"),
    "the authorizer": ("authorizer.path('/healthz').check('get').allowed()", "authorizer"),
    "labels of an unknown namespace": ("namespaceObject.metadata.labels['a'] == 'b'", "Namespace is not among"),
    "whether it has labels": ("!has(namespaceObject.metadata.labels)", "Namespace is not among"),
}


@pytest.mark.parametrize("case", HOLDS)
def test_holds(engine: str, case: str) -> None:
    review = ask(JOB, bound(HOLDS[case]))
    assert (review.findings, review.not_evaluated) == ([], [])


@pytest.mark.parametrize("case", REFUSES)
def test_refuses(engine: str, case: str) -> None:
    review = ask(JOB, bound(REFUSES[case]))
    assert [finding.rule for finding in review.findings] == ["TG171"]
    assert review.not_evaluated == []


@pytest.mark.parametrize("case", UNDECIDED)
def test_is_not_evaluated(engine: str, case: str) -> None:
    expression, reason = UNDECIDED[case]
    review = ask(JOB, bound(expression))
    assert review.findings == []
    [undecided] = review.not_evaluated
    assert expression in undecided.reason
    assert reason in undecided.reason
    assert "policy 'p' (binding 'b')" in undecided.reason


def test_an_update_has_the_old_object(engine: str) -> None:
    old = document_of(JOB.replace("numNodes: 2", "numNodes: 4")).object
    text = bound("request.operation == 'UPDATE' && oldObject.spec.trainer.numNodes > object.spec.trainer.numNodes")
    assert ask(JOB, text, old=old).findings == []
    assert [finding.rule for finding in ask(JOB, text).findings] == ["TG171"]


MESSAGES: dict[str, tuple[dict[str, Any], str]] = {
    "the fixed one": ({"message": " too many nodes "}, "too many nodes"),
    "the computed one": ({"message": "x", "messageExpression": "'nodes: %d'.format([1 + 1])"}, "nodes: 2"),
    "the fixed one for one of two lines": ({"message": "x", "messageExpression": r"'a\nb'"}, "x"),
    "the fixed one for an empty one": ({"message": "x", "messageExpression": "' '"}, "x"),
    "the fixed one for one that fails": ({"message": "x", "messageExpression": "object.nothing"}, "x"),
    "the fixed one for one that is no text": ({"message": "x", "messageExpression": "1"}, "x"),
    "the expression without any": ({}, "failed expression: object.spec.trainer.numNodes < 2"),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_message(engine: str, case: str) -> None:
    fields, message = MESSAGES[case]
    [finding] = ask(JOB, bound({"expression": "object.spec.trainer.numNodes\n  < 2", **fields})).findings
    assert finding.message == f"policy 'p' (binding 'b') refuses it: {message}"
    assert finding.help == "It asks for 'object.spec.trainer.numNodes < 2'."
    assert finding.path == "spec.trainer.numNodes"


ACTIONS: dict[str, tuple[list[str], str, Severity, bool]] = {
    "deny": (["Deny"], "TG171", Severity.ERROR, True),
    "deny and audit": (["Audit", "Deny"], "TG171", Severity.ERROR, True),
    "warn": (["Warn"], "TG172", Severity.WARNING, False),
    "warn and audit": (["Audit", "Warn"], "TG172", Severity.WARNING, False),
    "audit": (["Audit"], "TG173", Severity.INFO, False),
}


@pytest.mark.parametrize("case", ACTIONS)
def test_action(case: str) -> None:
    actions, check, severity, refuses = ACTIONS[case]
    [finding] = ask(JOB, policy("false"), binding(validationActions=actions)).findings
    assert (finding.rule, finding.severity, finding.refuses) == (check, severity, refuses)


FAILURES: dict[str, tuple[dict[str, Any], list[str], Severity, bool]] = {
    "refuses by default": ({}, ["Deny"], Severity.ERROR, True),
    "only warns where the binding does": ({}, ["Warn"], Severity.WARNING, False),
    "only notes where the binding does": ({}, ["Audit"], Severity.INFO, False),
    "is ignored when the policy says so": ({"failurePolicy": "Ignore"}, ["Deny"], Severity.INFO, False),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure(engine: str, case: str) -> None:
    fields, actions, severity, refuses = FAILURES[case]
    [finding] = ask(JOB, policy("object.spec.nothing == 1", **fields), binding(validationActions=actions)).findings
    assert (finding.rule, finding.severity, finding.refuses) == ("TG174", severity, refuses)
    assert "no such key: nothing" in finding.message


def test_a_failure_on_an_object_that_is_refused_before_is_not_evaluated(engine: str) -> None:
    broken = JOB.replace("numNodes: 2", "numNodes: two")
    review = ask(broken, bound("object.spec.trainer.numNodes > 1"))
    assert review.findings == []
    assert ["wait until its other faults" in entry.reason for entry in review.not_evaluated] == [True]


VARIABLES: dict[str, tuple[list[tuple[str, str]], str]] = {
    "one after the other": (
        [("nodes", "object.spec.trainer.numNodes"), ("twice", "variables.nodes * 2")],
        "variables.twice == 4",
    ),
    "one that fails and is not needed": ([("bad", "object.nothing")], "true || variables.bad == 1"),
    "one that fails and is not used": ([("bad", "object.nothing")], "true"),
    "one that cannot leave an engine": (
        [("owner", "object.metadata.?labels[?'owner']")],
        "variables.owner.orValue('nobody') == 'nobody'",
    ),
    "one made of one that cannot": (
        [("owner", "object.metadata.?labels[?'owner']"), ("has", "variables.owner.hasValue()")],
        "!variables.has && !variables.owner.hasValue()",
    ),
    "a quantity": ([("most", "quantity('1k')")], "variables.most.isGreaterThan(quantity('999'))"),
    "one within a macro": ([("most", "2")], "[1, 2].all(n, n <= variables.most)"),
}


@pytest.mark.parametrize("case", VARIABLES)
def test_variables(engine: str, case: str) -> None:
    variables, expression = VARIABLES[case]
    listed = [{"name": name, "expression": text} for name, text in variables]
    review = ask(JOB, bound(expression, variables=listed))
    assert (review.findings, review.not_evaluated) == ([], [])


def test_a_variable_that_fails_fails_what_uses_it(engine: str) -> None:
    text = bound("variables.bad == 1", variables=[{"name": "bad", "expression": "object.spec.nothing"}])
    [finding] = ask(JOB, text).findings
    assert (finding.rule, "no such key: nothing" in finding.message) == ("TG174", True)


def test_a_variable_that_nobody_knows_leaves_open_what_uses_it(engine: str) -> None:
    variables = [{"name": "user", "expression": "request.userInfo.username"}]
    review = ask(JOB, bound("variables.user == 'x'", variables=variables))
    assert (review.findings, len(review.not_evaluated)) == ([], 1)


CONDITIONS: dict[str, tuple[list[str], dict[str, Any], int, int]] = {
    "all hold": (["true", "object.spec.trainer.numNodes == 2"], {}, 1, 0),
    "one does not": (["true", "false"], {}, 0, 0),
    "one does not and another fails": (["object.nothing", "false"], {}, 0, 0),
    "one does not and another is unknown": ([ALICE, "false"], {}, 0, 0),
    "one fails": (["object.nothing", "true"], {}, 1, 0),
    "one is unknown": ([ALICE, "object.nothing"], {}, 0, 1),
    "the server gives them no namespace": (["namespaceObject == null"], {}, 1, 0),
}


@pytest.mark.parametrize("case", CONDITIONS)
def test_conditions(engine: str, case: str) -> None:
    expressions, fields, findings, undecided = CONDITIONS[case]
    conditions = [{"name": f"c{number}", "expression": text} for number, text in enumerate(expressions)]
    review = ask(JOB, bound("false", matchConditions=conditions, **fields))
    assert (len(review.findings), len(review.not_evaluated)) == (findings, undecided)


def test_conditions_that_fail_are_ignored_with_the_policy() -> None:
    text = bound("false", matchConditions=[{"name": "c", "expression": "object.nothing"}], failurePolicy="Ignore")
    [finding] = ask(JOB, text).findings
    assert finding.severity is Severity.INFO


NAMESPACES = "namespaceObject.metadata.labels['team'] == 'a' && namespaceObject.metadata.name == request.namespace"


def test_a_namespace_among_the_files_is_seen(engine: str) -> None:
    found = namespace(labels={"team": "a"})
    review = ask(JOB, bound(NAMESPACES), found)
    assert (review.findings, review.not_evaluated) == ([], [])
    server_label = bound("namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'team-a'")
    assert ask(JOB, server_label, found).findings == []


def test_no_namespace_means_the_default_one(engine: str) -> None:
    manifest = JOB.replace("  namespace: team-a\n", "")
    text = bound("object.metadata.namespace == 'default' && request.namespace == 'default'")
    assert ask(manifest, text).findings == []


def test_what_is_cluster_wide_has_none(engine: str) -> None:
    runtime = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: mine
spec:
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            spec:
              template:
                spec:
                  containers:
                    - name: node
                      image: x
"""
    about = {"matchConstraints": {"resourceRules": [rule(resources=["*"])]}}
    review = ask(runtime, bound("namespaceObject == null && request.namespace == ''", **about))
    assert (review.findings, review.not_evaluated) == ([], [])


PARAMETERS: dict[str, tuple[dict[str, Any], list[str], list[str], int]] = {
    "by name, in the namespace of the object": (
        {"name": "limits"},
        [config_map("limits", {"most": most}, namespace=place) for most, place in (("1", "team-a"), ("9", "other"))],
        ["2 of 1"],
        0,
    ),
    "by name, in another namespace": (
        {"name": "limits", "namespace": "other"},
        [config_map("limits", {"most": "1"}, namespace="other")],
        ["2 of 1"],
        0,
    ),
    "by labels, each for itself": (
        {"selector": {"matchLabels": {"a": "b"}}},
        [
            config_map("x", {"most": "1"}, namespace="team-a", labels={"a": "b"}),
            config_map("y", {"most": "0"}, namespace="team-a", labels={"a": "b"}),
            config_map("z", {"most": "-1"}, namespace="team-a", labels={"a": "c"}),
        ],
        ["2 of 1", "2 of 0"],
        0,
    ),
    "one that is fine": ({"name": "limits"}, [config_map("limits", {"most": "2"}, namespace="team-a")], [], 0),
    "none among the files": ({"name": "limits", "parameterNotFoundAction": "Deny"}, [], [], 1),
    "none among the files, which may be so": ({"name": "limits", "parameterNotFoundAction": "Allow"}, [], [], 1),
}


@pytest.mark.parametrize("case", PARAMETERS)
def test_parameters(engine: str, case: str) -> None:
    reference, objects, messages, undecided = PARAMETERS[case]
    expression = {
        "expression": "object.spec.trainer.numNodes <= int(params.data.most)",
        "messageExpression": "string(object.spec.trainer.numNodes) + ' of ' + params.data.most",
    }
    texts = (policy(expression, paramKind=CONFIG_MAPS), binding(paramRef=reference), *objects)
    review = ask(JOB, *texts)
    assert [finding.message.rpartition(": ")[2] for finding in review.findings] == messages
    assert len(review.not_evaluated) == undecided


def test_parameters_of_a_custom_kind_without_a_namespace(engine: str) -> None:
    kind = {"apiVersion": "example.org/v1", "kind": "Limit"}
    custom = "apiVersion: example.org/v1\nkind: Limit\nmetadata:\n  name: all\nspec:\n  most: 1\n"
    text = policy("object.spec.trainer.numNodes <= params.spec.most", paramKind=kind)
    assert len(ask(JOB, text, binding(paramRef={"name": "all"}), custom).findings) == 1
    nowhere = binding(paramRef={"name": "all", "namespace": "team-a"})
    assert len(ask(JOB, text, nowhere, custom).not_evaluated) == 1


def test_a_binding_without_parameters_gives_null(engine: str) -> None:
    assert ask(JOB, policy("params == null", paramKind=CONFIG_MAPS), binding()).findings == []


@pytest.mark.parametrize("case", ["an expression about spec", "one with more", "one about nothing"])
def test_place(case: str) -> None:
    expression, path = {
        "an expression about spec": ("has(object.spec.trainer.numProcPerNode)", "spec.trainer"),
        "one with more": ("object.spec.trainer.numNodes == 1 && object.spec.runtimeRef.name == 'x'", "metadata.name"),
        "one about nothing": ("1 == 2", "metadata.name"),
    }[case]
    [finding] = ask(JOB, bound(expression)).findings
    assert finding.path == path
