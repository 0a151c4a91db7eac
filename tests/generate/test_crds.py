"""That the recorded CRDs find faults at all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generate.crds import faults

PROJECT: dict[str, Any] = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "AppProject",
    "metadata": {"name": "vision"},
    "spec": {"sourceRepos": ["https://git.example.com/ml/training.git"]},
}


def test_a_good_object_has_no_faults() -> None:
    assert faults(PROJECT) == []


@pytest.mark.parametrize(
    "spec",
    [{"sourceRepo": []}, {"sourceRepos": "*"}, {"clusterResourceWhitelist": [{"kind": "Namespace"}]}],
    ids=["an unknown field", "a wrong type", "a missing field"],
)
def test_a_fault_is_found(spec: dict[str, Any]) -> None:
    assert len(faults({**PROJECT, "spec": spec})) == 1


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ({"chartRef": {"kind": "OCIRepository", "name": "trainer"}}, []),
        ({}, ["$.spec: either chart or chartRef must be set"]),
    ],
)
def test_a_rule_in_cel_is_held_against_an_object(spec: dict[str, Any], found: list[str]) -> None:
    release = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "trainer"}}

    assert faults({**release, "spec": {"interval": "1h", **spec}}) == found
