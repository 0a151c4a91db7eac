"""A proof accepts only what the engine accepts, and accepts the everyday."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainergen.api.structural import load
from trainergen.cel.engine import EvaluationError, holds
from trainergen.cel.proofs import IMMUTABLE, known

NAMES = st.sampled_from(["a", "mnist-1", "Mnist", "9a", "a.b", "", "a-", "x" * 63, "x" * 64, "é"])
ROOT = st.fixed_dictionaries({"metadata": st.fixed_dictionaries({}, optional={"name": NAMES})})
POLICY = st.fixed_dictionaries(
    {},
    optional={
        "numNodes": st.integers(0, 3),
        "torch": st.fixed_dictionaries({}, optional={"elasticPolicy": st.just({})}),
        **{name: st.just({}) for name in ("mpi", "jax", "xgboost", "flux")},
    },
)
JOB = st.fixed_dictionaries(
    {"name": st.just("a")}, optional={"dependsOn": st.lists(st.just({"name": "b"}), max_size=1)}
)
TEMPLATE = st.fixed_dictionaries(
    {}, optional={"metadata": st.fixed_dictionaries({}, optional={"namespace": st.sampled_from(["", "a"])})}
)
MANAGERS = ["trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue", "other", ""]

ONE_OF_FIVE = (
    "[has(self.torch), has(self.mpi), has(self.jax), has(self.xgboost),has(self.flux)].filter(x, x).size() <= 1"
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']": st.sampled_from(MANAGERS),
    "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')": ROOT,
    "size(self.metadata.name) <= 63": ROOT,
    "self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')": st.sampled_from(
        ["", "hf://a/b", "s3://", "HF+x.y-z://a", "9://a", "a\nhf://b", "hf://a\nb", "x", "hf://\n"]
    ),
    "has(self.lastUpdatedTime)": st.sampled_from([{}, {"lastUpdatedTime": "2026-01-02T03:04:05Z"}]),
    ONE_OF_FIVE: POLICY,
    "!(has(self.torch) && has(self.mpi))": POLICY,
    "!(has(self.numNodes) && (has(self.torch) && has(self.torch.elasticPolicy)))": POLICY,
    "self > 0 || self in ['auto', 'cpu', 'gpu']": st.sampled_from(["auto", "cpu", "gpu", "x", "1", 0, 1, -1]),
    "!self.exists(c, c == 'node')": st.lists(st.sampled_from(["node", "a"]), max_size=3),
    "self >= 1": st.integers(-1, 3),
    "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && "
    "self.replicatedJobs.exists(x, has(x.dependsOn)))": st.fixed_dictionaries(
        {},
        optional={
            "startupPolicy": st.fixed_dictionaries(
                {}, optional={"startupPolicyOrder": st.sampled_from(["InOrder", "AnyOrder"])}
            ),
            "replicatedJobs": st.lists(JOB, max_size=2),
        },
    ),
    "self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)": st.fixed_dictionaries(
        {}, optional={"templates": st.lists(TEMPLATE, max_size=2)}
    ),
}


def rules_of_the_releases() -> Iterator[str]:
    def below(schema: Any) -> Iterator[str]:
        yield from (rule["rule"] for rule in schema.get("x-kubernetes-validations", ()))
        for child in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
            if isinstance(child, dict):
                yield from below(child)

    for release in ("2.0", "2.1", "2.2", "2.3"):
        schemas = load(release)
        for schema in (*(kind.schema for kind in schemas.kinds.values()), *schemas.definitions.values()):
            yield from below(schema)


def test_every_rule_of_the_releases_is_known() -> None:
    unknown = {rule for rule in rules_of_the_releases() if rule != IMMUTABLE and known(rule) is None}
    assert unknown == set()


def test_every_known_rule_is_tested_here() -> None:
    used = {"".join(rule.split()) for rule in rules_of_the_releases()} - {"".join(IMMUTABLE.split())}
    assert {"".join(rule.split()) for rule in VALUES} == used


@pytest.mark.parametrize("rule", VALUES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_a_proof_accepts_the_engine_accepts_and_the_other_way_round(rule: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[rule])
    try:
        true = holds(rule, {"self": value})
    except EvaluationError:
        true = False
    fact = known(rule)
    assert fact is not None
    # Complete too: everyday objects shall never need an engine.
    assert fact.proves(value) is true


@pytest.mark.parametrize("value", [None, 5, True, "x", [], {}, [None], {"metadata": 5}, {"torch": None, "mpi": None}])
def test_a_proof_takes_any_value(value: Any) -> None:
    for rule in VALUES:
        fact = known(rule)
        assert fact is not None
        assert fact.proves(value) in (True, False)


def test_blanks_in_a_rule_say_nothing() -> None:
    assert known(" self>=1 ") is known("self >= 1")
    assert known("self >= 2") is None
