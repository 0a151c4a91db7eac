"""Which objects a policy and its binding are about."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policies.asking import JOB, ask, document_of
from tests.policies.policies import binding, bound, namespace, policy, rule
from trainergen.policies.selectors import Labels, selects

LABELLED = JOB.replace("  namespace: team-a\n", "  namespace: team-a\n  labels:\n    tier: gold\n")

RULES: dict[str, tuple[dict[str, Any], bool]] = {
    "its own": ({}, True),
    "every group and version": ({"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}, True),
    "another group": ({"apiGroups": ["batch"]}, False),
    "another version": ({"apiVersions": ["v1"]}, False),
    "another resource": ({"resources": ["trainingruntimes"]}, False),
    "all with subresources": ({"resources": ["*/*"]}, True),
    "its subresources": ({"resources": ["trainjobs/*"]}, True),
    "its status": ({"resources": ["trainjobs/status"]}, False),
    "updates": ({"operations": ["UPDATE"]}, False),
    "every operation": ({"operations": ["*"]}, True),
    "what lies in namespaces": ({"scope": "Namespaced"}, True),
    "what is cluster-wide": ({"scope": "Cluster"}, False),
    "its name": ({"resourceNames": ["mnist"]}, True),
    "another name": ({"resourceNames": ["other"]}, False),
}


@pytest.mark.parametrize("case", RULES)
def test_rule(case: str) -> None:
    fields, matches = RULES[case]
    text = bound("false", matchConstraints={"resourceRules": [rule(**fields)]})
    assert bool(ask(JOB, text).findings) is matches


@pytest.mark.parametrize("case", RULES)
def test_excluding_rule(case: str) -> None:
    fields, excluded = RULES[case]
    constraints = {"resourceRules": [rule()], "excludeResourceRules": [rule(**fields)]}
    assert bool(ask(JOB, bound("false", matchConstraints=constraints)).findings) is not excluded


@pytest.mark.parametrize("case", RULES)
def test_rule_of_the_binding(case: str) -> None:
    fields, matches = RULES[case]
    text = binding(matchResources={"resourceRules": [rule(**fields)]})
    assert bool(ask(JOB, policy("false"), text).findings) is matches


def test_updates_are_matched_where_there_is_an_old_object() -> None:
    text = bound("false", matchConstraints={"resourceRules": [rule(operations=["UPDATE"])]})
    assert len(ask(JOB, text, old=document_of(JOB).object).findings) == 1


OBJECTS: dict[str, tuple[dict[str, Any], bool]] = {
    "an empty one": ({}, True),
    "a label": ({"matchLabels": {"tier": "gold"}}, True),
    "another value": ({"matchLabels": {"tier": "silver"}}, False),
    "another label": ({"matchLabels": {"other": "x"}}, False),
    "one of several": ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["a", "gold"]}]}, True),
    "none of several": ({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["gold"]}]}, False),
    "none of several, without the label": (
        {"matchExpressions": [{"key": "x", "operator": "NotIn", "values": ["gold"]}]},
        True,
    ),
    "that it is there": ({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, True),
    "that it is not": ({"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}, False),
}


@pytest.mark.parametrize("case", OBJECTS)
def test_object_selector(case: str) -> None:
    selector, matches = OBJECTS[case]
    constraints = {"resourceRules": [rule()], "objectSelector": selector}
    assert bool(ask(LABELLED, bound("false", matchConstraints=constraints)).findings) is matches


def test_an_object_selector_takes_in_what_the_object_was_before() -> None:
    constraints = {"resourceRules": [rule()], "objectSelector": {"matchLabels": {"tier": "gold"}}}
    text = bound("false", matchConstraints=constraints)
    assert ask(JOB, text).findings == []
    assert len(ask(JOB, text, old=document_of(LABELLED).object).findings) == 1


@pytest.mark.parametrize("case", OBJECTS)
def test_namespace_selector(case: str) -> None:
    selector, matches = OBJECTS[case]
    constraints = {"resourceRules": [rule()], "namespaceSelector": selector}
    review = ask(JOB, bound("false", matchConstraints=constraints), namespace(labels={"tier": "gold"}))
    assert (bool(review.findings), review.not_evaluated) == (matches, [])


def test_a_namespace_selector_on_an_unknown_namespace_is_not_evaluated() -> None:
    constraints = {"resourceRules": [rule()], "namespaceSelector": {"matchLabels": {"tier": "gold"}}}
    review = ask(JOB, bound("false", matchConstraints=constraints))
    assert review.findings == []
    assert ["the namespace 'team-a'" in undecided.reason for undecided in review.not_evaluated] == [True]


@pytest.mark.parametrize(("name", "matches"), [("team-a", True), ("team-b", False)])
def test_the_name_of_a_namespace_is_a_label_that_is_known(name: str, matches: bool) -> None:
    selector = {"matchLabels": {"kubernetes.io/metadata.name": name}}
    review = ask(JOB, policy("false"), binding(matchResources={"namespaceSelector": selector}))
    assert (bool(review.findings), review.not_evaluated) == (matches, [])


def test_a_known_label_decides_whatever_the_others_are() -> None:
    selector = {"matchLabels": {"a": "b", "kubernetes.io/metadata.name": "x"}}
    assert selects(selector, Labels({"kubernetes.io/metadata.name": "y"}, complete=False)) is False
    assert selects(selector, Labels({"kubernetes.io/metadata.name": "x"}, complete=False)) is None
