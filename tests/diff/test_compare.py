"""Where two objects differ in meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.diff.change import Kind
from trainergen.diff.compare import differences
from trainergen.diff.lists import keys_of
from trainergen.finding import format_path

if TYPE_CHECKING:
    from trainergen.diff.change import Difference
    from trainergen.finding import JsonObject, JsonValue


def told(found: list[Difference]) -> list[tuple[str, str, JsonValue, JsonValue]]:
    return [(format_path(one.path), str(one.kind), one.old, one.new) for one in found]


CASES: dict[str, tuple[JsonObject, JsonObject, list[tuple[str, str, JsonValue, JsonValue]]]] = {
    "a value": ({"a": 1}, {"a": 2}, [("a", "changed", 1, 2)]),
    "true is not 1": ({"a": 1}, {"a": True}, [("a", "changed", 1, True)]),
    "a key that goes and one that comes": (
        {"a": 1, "b": {"c": 2}},
        {"d": 3, "b": {}},
        [("a", "removed", 1, None), ("b.c", "removed", 2, None), ("d", "added", None, 3)],
    ),
    "containers by name, whatever their place": (
        {"containers": [{"name": "a", "image": "1"}, {"name": "b", "image": "1"}]},
        {"containers": [{"name": "new"}, {"name": "a", "image": "1"}, {"name": "b", "image": "2"}]},
        [("containers[b].image", "changed", "1", "2"), ("containers[new]", "added", None, {"name": "new"})],
    ),
    "mounts by path": (
        {"volumeMounts": [{"name": "v", "mountPath": "/a"}]},
        {"volumeMounts": [{"name": "w", "mountPath": "/a"}]},
        [("volumeMounts[/a].name", "changed", "v", "w")],
    ),
    "ports by number and protocol": (
        {"ports": [{"containerPort": 80}, {"containerPort": 80, "protocol": "UDP"}]},
        {"ports": [{"containerPort": 80, "protocol": "TCP", "name": "web"}, {"containerPort": 80, "protocol": "UDP"}]},
        [("ports[80].protocol", "added", None, "TCP"), ("ports[80].name", "added", None, "web")],
    ),
    "the order of variables": (
        {"env": [{"name": "A"}, {"name": "B"}, {"name": "C"}]},
        {"env": [{"name": "C"}, {"name": "N"}, {"name": "A"}]},
        [
            ("env", "order", ["A", "C"], ["C", "A"]),
            ("env[B]", "removed", {"name": "B"}, None),
            ("env[N]", "added", None, {"name": "N"}),
        ],
    ),
    "a variable that is there twice": (
        {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]},
        {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "3"}]},
        [("env[A#2].value", "changed", "2", "3")],
    ),
    "variables where there were none": (
        {},
        {"env": [{"name": "A", "value": "1"}]},
        [("env[A]", "added", None, {"name": "A", "value": "1"})],
    ),
    "tolerations as a set": (
        {"tolerations": [{"key": "a"}, {"key": "b", "effect": "NoSchedule"}]},
        {"tolerations": [{"key": "b", "effect": "NoSchedule"}]},
        [("tolerations[a]", "removed", {"key": "a"}, None)],
    ),
    "names as a set": (
        {"targetReplicatedJobs": ["a", "b"]},
        {"targetReplicatedJobs": ["b", "a"]},
        [("targetReplicatedJobs", "order", ["a", "b"], ["b", "a"])],
    ),
    "arguments as a whole, since their order counts": (
        {"args": ["--a", "--b"]},
        {"args": ["--b", "--a"]},
        [("args", "changed", ["--a", "--b"], ["--b", "--a"])],
    ),
    "items without a key by their place": (
        {"rules": [{"a": 1}, {"a": 2}]},
        {"rules": [{"a": 1}, {"a": 3}]},
        [("rules[1].a", "changed", 2, 3)],
    ),
    "amounts by value": (
        {"resources": {"limits": {"cpu": "1000m", "memory": "1Gi"}, "requests": {"gpu": 1}}},
        {"resources": {"limits": {"cpu": "1", "memory": "1024Mi"}, "requests": {"gpu": "1"}}},
        [],
    ),
    "amounts that differ": (
        {"resources": {"limits": {"cpu": "1000m"}}},
        {"resources": {"limits": {"cpu": "1001m"}}},
        [("resources.limits.cpu", "changed", "1000m", "1001m")],
    ),
    "what looks like an amount elsewhere is text": (
        {"value": "1000m"},
        {"value": "1"},
        [("value", "changed", "1000m", "1")],
    ),
    "amounts where there were none, each by itself": (
        {},
        {"resources": {"limits": {"cpu": "1", "memory": "1Gi"}}},
        [("resources.limits.cpu", "added", None, "1"), ("resources.limits.memory", "added", None, "1Gi")],
    ),
    "labels, whose keys hold dots": (
        {"labels": {"a.b/c": "1"}},
        {"labels": {"a.b/c": "2"}},
        [("labels[a.b/c]", "changed", "1", "2")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_differences_are_found_by_meaning(case: str) -> None:
    old, new, expected = CASES[case]
    assert told(differences(old, new)) == expected


def config_map(**data: JsonValue) -> JsonObject:
    return {"kind": "ConfigMap", "data": data}


TEXTS: dict[str, tuple[JsonObject, JsonObject, list[tuple[str, str, JsonValue, JsonValue]]]] = {
    "YAML written differently": (
        config_map(runtime="a: {b: 1}\nc: [1, 2]\n"),
        config_map(runtime="c:\n- 1\n- 2\na:\n  b: 1\n"),
        [],
    ),
    "YAML that says something else": (
        config_map(**{"x.yaml": "containers:\n- {name: a, image: '1'}\n"}),
        config_map(**{"x.yaml": "containers:\n- {name: a, image: '2'}\n"}),
        [("data.x.yaml.containers[a].image", "changed", "1", "2")],
    ),
    "JSON": (config_map(**{"x.json": '{"a": 1}'}), config_map(**{"x.json": '{ "a" : 1 }'}), []),
    "what should be YAML and is not": (
        config_map(runtime="a: ["),
        config_map(runtime="a: {"),
        [("data.runtime", "changed", "a: [", "a: {")],
    ),
    "hosts in another order": (
        config_map(hostfile="a slots=1\nb slots=1\n"),
        config_map(hostfile="b slots=1\na slots=1\n"),
        [("data.hostfile", "order", ["a", "b"], ["b", "a"])],
    ),
    "a host more, and more processes on another": (
        config_map(hostfile="a slots=1\n"),
        config_map(hostfile="a slots=2\nb slots=2\n"),
        [
            ("data.hostfile[a].slots", "changed", "1", "2"),
            ("data.hostfile[b]", "added", None, {"host": "b", "slots": "2"}),
        ],
    ),
    "a script": (
        config_map(**{"run.sh": "echo a\n"}),
        config_map(**{"run.sh": "echo b\n"}),
        [("data.run.sh", "changed", "echo a\n", "echo b\n")],
    ),
}


@pytest.mark.parametrize("case", TEXTS)
def test_texts_of_config_maps_are_compared_by_content(case: str) -> None:
    old, new, expected = TEXTS[case]
    assert told(differences(old, new)) == expected


def test_a_difference_knows_its_place_on_both_sides() -> None:
    old: JsonObject = {"containers": [{"name": "a", "image": "1"}]}
    new: JsonObject = {"containers": [{"name": "b"}, {"name": "a", "image": "2"}]}
    changed, added = differences(old, new)
    assert (changed.old_at, changed.new_at) == (("containers", 0, "image"), ("containers", 1, "image"))
    assert added.new_at == ("containers", 0)


def test_inside_a_text_the_place_is_that_of_the_text() -> None:
    (found,) = differences(config_map(runtime="a: {b: 1}"), config_map(runtime="a: {b: 2}"))
    assert found.path == ("data", "runtime", "a", "b")
    assert found.new_at == ("data", "runtime")


def test_keys_that_could_be_taken_for_one_another_are_not_used() -> None:
    assert keys_of("env", [{"name": "A"}, {"name": "A"}, {"name": "A#2"}]) is None
    assert keys_of("env", [{"name": "A"}, "odd"]) is None
    assert keys_of("args", ["a"]) is None


names = st.sampled_from(
    ["containers", "env", "args", "name", "value", "limits", "labels", "tolerations", "key", "rules"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "1", "1000m", "x\ny"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(names, values, max_size=4)
_MIRRORED = {Kind.ADDED: Kind.REMOVED, Kind.REMOVED: Kind.ADDED, Kind.CHANGED: Kind.CHANGED, Kind.ORDER: Kind.ORDER}


@given(objects)
def test_nothing_differs_from_itself(value: JsonObject) -> None:
    assert differences(value, value) == []


@given(objects, objects)
def test_the_way_back_is_the_mirror_image(old: JsonObject, new: JsonObject) -> None:
    there = {(repr(one.path), one.kind, repr(one.old), repr(one.new)) for one in differences(old, new)}
    back = {(repr(one.path), _MIRRORED[one.kind], repr(one.new), repr(one.old)) for one in differences(new, old)}
    assert there == back


@given(objects, objects)
def test_what_differs_lies_where_it_is_said_to(old: JsonObject, new: JsonObject) -> None:
    for one in differences(old, new):
        for side, at, value, absent in (
            (old, one.old_at, one.old, Kind.ADDED),
            (new, one.new_at, one.new, Kind.REMOVED),
        ):
            if one.kind in (absent, Kind.ORDER):
                continue
            found: JsonValue = side
            for step in at:
                found = found[step]  # type: ignore[index]
            assert found == value
