"""Managed fields: what of an object a manager owns, and who owns a field."""

from __future__ import annotations

from typing import Any

import pytest
from trainergen_controller.managed_fields import applied_fields, managers_of, owned_part

JOB = 'k:{"name":"node"}'
FIELDS: dict[str, Any] = {
    "f:spec": {
        "f:suspend": {},
        "f:jobs": {JOB: {".": {}, "f:name": {}, "f:replicas": {}}},
        "f:ports": {'k:{"containerPort":1,"protocol":"TCP"}': {".": {}, "f:containerPort": {}}},
        "f:finalizers": {'v:"a/b"': {}},
        "f:args": {},
    }
}
OBJECT: dict[str, Any] = {
    "metadata": {
        "name": "x",
        "managedFields": [
            {"manager": "kueue", "operation": "Update", "fieldsV1": {"f:spec": {"f:suspend": {}, "f:other": {}}}},
            {"manager": "trainer", "operation": "Update", "fieldsV1": {"f:status": {}}},
            {"manager": "trainer", "operation": "Apply", "subresource": "status", "fieldsV1": {"f:status": {}}},
            {"manager": "trainer", "operation": "Apply", "fieldsV1": FIELDS},
        ],
    },
    "spec": {
        "suspend": True,
        "other": 1,
        "jobs": [{"name": "extra"}, {"name": "node", "replicas": 1, "groupName": "default"}],
        "ports": [{"containerPort": 1}, {"containerPort": 2}],
        "finalizers": ["c/d", "a/b"],
        "args": ["a"],
    },
}


def test_the_fields_of_a_manager_are_those_it_applied_to_the_object_itself() -> None:
    assert applied_fields(OBJECT, "trainer") == FIELDS
    assert applied_fields(OBJECT, "kueue") == {}
    assert applied_fields({"metadata": {"name": "x"}}, "trainer") is None


def test_the_owned_part_has_nothing_of_others() -> None:
    assert owned_part(OBJECT, FIELDS) == {
        "spec": {
            "suspend": True,
            "jobs": [{"name": "node", "replicas": 1}],
            "ports": [{"containerPort": 1}],
            "finalizers": ["a/b"],
            "args": ["a"],
        }
    }


def test_what_is_gone_is_no_part() -> None:
    assert owned_part({"spec": {"jobs": []}}, FIELDS) == {"spec": {"jobs": []}}


OWNERS: dict[str, tuple[tuple[str | int, ...], set[str]]] = {
    "a field of two": (("spec", "suspend"), {"kueue", "trainer"}),
    "a field of one": (("spec", "other"), {"kueue"}),
    "in an item of a list": (("spec", "jobs", 1, "replicas"), {"trainer"}),
    "beside it": (("spec", "jobs", 1, "groupName"), set()),
    "another item": (("spec", "jobs", 0, "name"), set()),
    "an item of a list that is owned as a whole": (("spec", "args", 0), {"trainer"}),
    "nowhere": (("spec", "suspend", 3), {"kueue", "trainer"}),
}


@pytest.mark.parametrize(("path", "managers"), OWNERS.values(), ids=OWNERS)
def test_the_managers_of_a_field(path: tuple[str | int, ...], managers: set[str]) -> None:
    assert managers_of(OBJECT, path) == managers
