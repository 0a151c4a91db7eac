"""JSON patches make exactly what is wanted, and notice a base that is not theirs."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.generate.kustomize.operations import operations

NAMES = st.sampled_from(["a", "b", "c/d", "e~f"])
SCALARS = st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"])
ITEMS = st.builds(lambda name, rest: {"name": name, **rest}, NAMES, st.dictionaries(NAMES, SCALARS, max_size=2))
VALUES = st.recursive(
    SCALARS | st.lists(ITEMS, max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


def applied(base: Any, patch: list[Any]) -> Any:
    """What RFC 6902 makes of ``base``; it fails where a test does, or where something to change is not there."""
    value = copy.deepcopy(base)
    for operation in patch:
        *way, last = [step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/")[1:]]
        target = value
        for step in way:
            target = target[int(step)] if isinstance(target, list) else target[step]
        if isinstance(target, list):
            last = len(target) if last == "-" else int(last)
        match operation["op"]:
            case "test":
                assert target[last] == operation["value"]
            case "remove":
                del target[last]
            case "add" if isinstance(target, list):
                target.insert(last, operation["value"])
            case "add":
                assert last not in target
                target[last] = operation["value"]
            case "replace":
                assert target[last] is not None
                target[last] = operation["value"]
    return value


def exact(value: Any) -> Any:
    """The value with types that Python takes for each other told apart."""
    if isinstance(value, dict):
        return {key: exact(each) for key, each in value.items()}
    if isinstance(value, list):
        return [exact(each) for each in value]
    return type(value).__name__, value


@given(OBJECTS, OBJECTS)
def test_the_patch_makes_the_one_of_the_other(base: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert exact(applied(base, operations(base, wanted))) == exact(wanted)


def test_items_are_found_by_index_and_guarded_by_name() -> None:
    base = {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "y", "env": []}]}
    wanted = {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "z"}]}
    found = operations(base, wanted)  # type: ignore[arg-type]
    assert found == [
        {"op": "test", "path": "/containers/1/name", "value": "b"},
        {"op": "replace", "path": "/containers/1/image", "value": "z"},
        {"op": "remove", "path": "/containers/1/env"},
    ]
    with pytest.raises(AssertionError):
        applied({"containers": [base["containers"][1], base["containers"][0]]}, found)


def test_items_at_the_end_are_added_and_others_replace_the_list() -> None:
    a, b = {"name": "a"}, {"name": "b"}
    assert operations({"l": [a]}, {"l": [a, b]}) == [{"op": "add", "path": "/l/-", "value": b}]
    assert operations({"l": [a, b]}, {"l": [b]}) == [{"op": "replace", "path": "/l", "value": [b]}]


def test_equal_objects_need_no_patch() -> None:
    assert operations({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}) == []
