"""JSON Patch on plain values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.policies.json_patch import PatchError, patched

PATCHES: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = {
    "a field is added": ({}, [{"op": "add", "path": "/a", "value": 1}], {"a": 1}),
    "a field is overwritten": ({"a": 1}, [{"op": "add", "path": "/a", "value": 2}], {"a": 2}),
    "an entry is inserted": ({"a": [1, 3]}, [{"op": "add", "path": "/a/1", "value": 2}], {"a": [1, 2, 3]}),
    "an entry is appended": ({"a": [1]}, [{"op": "add", "path": "/a/-", "value": 2}], {"a": [1, 2]}),
    "an entry is replaced": ({"a": [1]}, [{"op": "replace", "path": "/a/0", "value": 2}], {"a": [2]}),
    "an entry is removed": ({"a": [1, 2]}, [{"op": "remove", "path": "/a/0"}], {"a": [2]}),
    "a value is copied": ({"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}], {"a": [1], "b": [1]}),
    "a value is moved": ({"a": {"b": 1}}, [{"op": "move", "from": "/a/b", "path": "/c"}], {"a": {}, "c": 1}),
    "a test lets the rest go on": (
        {"a": 1},
        [{"op": "test", "path": "/a", "value": 1}, {"op": "remove", "path": "/a"}],
        {},
    ),
    "keys are unescaped": ({"a/b~c": 1}, [{"op": "replace", "path": "/a~1b~0c", "value": 2}], {"a/b~c": 2}),
}


@pytest.mark.parametrize("case", PATCHES)
def test_patch(case: str) -> None:
    before, operations, after = PATCHES[case]
    kept = repr(before)
    assert patched(before, operations) == after
    assert repr(before) == kept


FAULTS: dict[str, Any] = {
    "no list": {"op": "add"},
    "no operation": ["x"],
    "an unknown operation": [{"op": "merge", "path": "/a"}],
    "no path": [{"op": "add", "value": 1}],
    "a path to nothing": [{"op": "remove", "path": "/x"}],
    "a way through a number": [{"op": "add", "path": "/a/b/c", "value": 1}],
    "a value in a number": [{"op": "add", "path": "/a/b", "value": 1}],
    "an index past the end": [{"op": "add", "path": "/l/9", "value": 1}],
    "an index that is no number": [{"op": "remove", "path": "/l/x"}],
    "a replacement of nothing": [{"op": "replace", "path": "/x", "value": 1}],
    "a test that fails": [{"op": "test", "path": "/a", "value": 2}],
}


@pytest.mark.parametrize("case", FAULTS)
def test_fault(case: str) -> None:
    with pytest.raises(PatchError):
        patched({"a": 1, "l": [1]}, FAULTS[case])


@given(st.dictionaries(st.text(max_size=3), st.integers(), max_size=4), st.text(max_size=4), st.integers())
def test_what_is_added_and_removed_again_leaves_no_trace(obj: dict[str, Any], key: str, value: int) -> None:
    path = "/" + key.replace("~", "~0").replace("/", "~1")
    added = patched(obj, [{"op": "add", "path": path, "value": value}])
    assert added == {**obj, key: value}
    without = {name: entry for name, entry in obj.items() if name != key}
    assert patched(added, [{"op": "remove", "path": path}]) == without
