"""Upserts replace the first item that matches and append what matches none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.render.env import taken_over
from trainergen.render.upsert import MATCHES, same_mount_path, same_name, same_port, settle, upsert

CASES: dict[str, tuple[str, list[Any], list[Any], list[Any]]] = {
    "a known variable is replaced in place and an unknown one appended": (
        "env",
        [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
        [{"name": "A", "valueFrom": {}}, {"name": "C", "value": "3"}],
        [{"name": "A", "valueFrom": {}}, {"name": "B", "value": "2"}, {"name": "C", "value": "3"}],
    ),
    "several new variables keep their order": (
        "env",
        [],
        [{"name": "B"}, {"name": "A"}],
        [{"name": "B"}, {"name": "A"}],
    ),
    "a port of the same number is replaced": (
        "ports",
        [{"name": "http", "containerPort": 8080}],
        [{"name": "web", "containerPort": 8080}],
        [{"name": "web", "containerPort": 8080}],
    ),
    "a port of the same name is replaced": (
        "ports",
        [{"name": "http", "containerPort": 8080}],
        [{"name": "http", "containerPort": 9090}],
        [{"name": "http", "containerPort": 9090}],
    ),
    "an unnamed port replaces an unnamed one of another number": (
        "ports",
        [{"containerPort": 8080}],
        [{"containerPort": 9090}],
        [{"containerPort": 9090}],
    ),
    "ports of different names both stay": (
        "ports",
        [{"name": "http", "containerPort": 8080}],
        [{"name": "metrics", "containerPort": 9090}],
        [{"name": "http", "containerPort": 8080}, {"name": "metrics", "containerPort": 9090}],
    ),
    "a volume is replaced by name": (
        "volumes",
        [{"name": "v", "emptyDir": {}}],
        [{"name": "v", "secret": {}}],
        [{"name": "v", "secret": {}}],
    ),
    "a mount is replaced by its path though the volume differs": (
        "volumeMounts",
        [{"name": "v", "mountPath": "/a"}],
        [{"name": "w", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"}],
        [{"name": "w", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"}],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_upsert(case: str) -> None:
    key, items, new, expected = CASES[case]
    for item in new:
        upsert(items, item, MATCHES[key])
    assert items == expected


def test_of_two_unnamed_ports_the_second_remains_twice() -> None:
    assert settle([{"containerPort": 1}, {"containerPort": 2}], same_port) == [{"containerPort": 2}] * 2


def test_of_a_repeated_variable_the_first_place_gets_the_last_value_and_the_second_stays() -> None:
    items: list[Any] = [{"name": "A", "value": "1"}, {"name": "B"}, {"name": "A", "value": "2"}]
    assert settle(items, same_name) == [{"name": "A", "value": "2"}, {"name": "B"}, {"name": "A", "value": "2"}]


names = st.lists(st.fixed_dictionaries({"name": st.sampled_from("abc"), "value": st.integers(0, 9)}), max_size=6)
ports = st.lists(
    st.fixed_dictionaries({"containerPort": st.integers(1, 3)}, optional={"name": st.sampled_from("xy")}), max_size=5
)


@given(items=names, item=st.fixed_dictionaries({"name": st.sampled_from("abcd"), "value": st.integers(0, 9)}))
def test_after_an_upsert_the_item_is_there_once_more_at_most(items: list[Any], item: dict[str, Any]) -> None:
    before = [other["name"] for other in items]
    upsert(items, item, same_name)
    assert item in items
    assert [other["name"] for other in items] == (before if item["name"] in before else [*before, item["name"]])


@given(items=ports, item=st.fixed_dictionaries({"containerPort": st.integers(1, 3)}))
def test_an_upsert_twice_is_an_upsert_once(items: list[Any], item: dict[str, Any]) -> None:
    upsert(items, item, same_port)
    once = list(items)
    upsert(items, item, same_port)
    assert items == once


@given(items=names)
def test_lists_without_duplicates_are_settled(items: list[Any]) -> None:
    unique = list({item["name"]: item for item in items}.values())
    assert settle(unique, same_name) == unique
    assert len(settle(items, same_name)) == len(items)


def test_mounts_of_one_volume_do_not_match() -> None:
    assert not same_mount_path({"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"})


TAKEN: dict[str, tuple[Any, Any]] = {
    "a plain value": ({"name": "A", "value": "1"}, {"name": "A", "value": "1"}),
    "no value, which becomes an empty one": ({"name": "A"}, {"name": "A", "value": ""}),
    "a ConfigMap key with optional": (
        {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k", "optional": False}}},
        {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k", "optional": False}}},
    ),
    "a Secret key": (
        {"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
        {"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
    ),
    "a field, which loses its API version": (
        {"name": "A", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
        {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
    ),
    "a resource": (
        {"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
        {
            "name": "A",
            "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "containerName": "", "divisor": "0"}},
        },
    ),
    "a file key, which is lost": (
        {"name": "A", "valueFrom": {"fileKeyRef": {"key": "k", "path": "p", "volumeName": "v"}}},
        {"name": "A", "valueFrom": {}},
    ),
}


@pytest.mark.parametrize("case", TAKEN)
def test_variables_of_a_train_job_are_taken_over(case: str) -> None:
    entry, expected = TAKEN[case]
    assert taken_over(entry) == expected
