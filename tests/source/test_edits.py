"""Edits by byte range: what is written, and that nothing else changes."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.fix import Edit, apply_edits, fix
from trainergen.source.edits import delete_entry, insert_entry, insert_item, replace_key, replace_value
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path
    from trainergen.source.document import Document

JOB = """\
# A job.
kind: TrainJob   # the kind
metadata: {name: mnist, labels: {a: b}}
spec:
  # how many
  trainer:
    numNodes: 0  # none yet
    image: "old:1"
    command: ['python', train.py]

    # variables
    env:
      - name: A
        value: '1'
      # the second
      - name: B
        value: two words
  empty:
  suspend: true
"""


def document(text: str) -> Document:
    return read_documents(text.encode(), file="job.yaml").documents[0]


def edited(text: str, edit: Edit | None) -> str:
    assert edit is not None
    return apply_edits(text.encode(), [edit]).decode()


REPLACED: dict[str, tuple[Path, JsonValue, str, str]] = {
    "a number, its comment kept": (("spec", "trainer", "numNodes"), 1, "numNodes: 0  #", "numNodes: 1  #"),
    "text in its double quotes": (("spec", "trainer", "image"), "new:2", '"old:1"', '"new:2"'),
    "text in its single quotes": (("spec", "trainer", "env", 0, "value"), "it's", "'1'", "'it''s'"),
    "an item of a list on one line": (("spec", "trainer", "command", 0), "torchrun", "'python'", "'torchrun'"),
    "text that would read as a number": (("spec", "trainer", "env", 1, "value"), "2", "two words", '"2"'),
    "text that would read as a truth": (("spec", "trainer", "env", 1, "value"), "yes", "two words", '"yes"'),
    "text that starts like an alias": (("spec", "trainer", "env", 1, "value"), "*x", "two words", '"*x"'),
    "text with a colon at its end": (("spec", "trainer", "env", 1, "value"), "x:", "two words", '"x:"'),
    "a value where there was none": (("spec", "empty"), {"a": 1}, "  empty:\n", "  empty: {a: 1}\n"),
    "a list by another": (("spec", "trainer", "command"), ["tune", "run"], "['python', train.py]", "[tune, run]"),
}


@pytest.mark.parametrize(("path", "value", "old", "new"), REPLACED.values(), ids=REPLACED)
def test_a_value_is_replaced(path: Path, value: JsonValue, old: str, new: str) -> None:
    assert edited(JOB, replace_value(document(JOB), path, value)) == JOB.replace(old, new, 1)


def test_a_key_is_replaced() -> None:
    path = ("spec", "trainer", "numNodes")
    assert edited(JOB, replace_key(document(JOB), path, "nodes")) == JOB.replace("numNodes", "nodes")


DELETED: dict[str, tuple[Path, str, str]] = {
    "a line with its comment": (("spec", "trainer", "numNodes"), "    numNodes: 0  # none yet\n", ""),
    "an entry of several lines, comments above and inside kept with their neighbours": (
        ("spec", "trainer", "env", 0),
        "      - name: A\n        value: '1'\n",
        "",
    ),
    "the first key of an item": (
        ("spec", "trainer", "env", 0, "name"),
        "- name: A\n        value: '1'",
        "- value: '1'",
    ),
    "the last key of an item": (("spec", "trainer", "env", 1, "value"), "        value: two words\n", ""),
    "the first in braces": (("metadata", "name"), "{name: mnist, labels", "{labels"),
    "the last in braces": (("metadata", "labels"), ", labels: {a: b}", ""),
    "the only one in braces": (("metadata", "labels", "a"), "{a: b}", "{}"),
    "an item in brackets": (("spec", "trainer", "command", 1), ", train.py", ""),
    "a key without value": (("spec", "empty"), "  empty:\n", ""),
    "the last line": (("spec", "suspend"), "  suspend: true\n", ""),
}


@pytest.mark.parametrize(("path", "old", "new"), DELETED.values(), ids=DELETED)
def test_an_entry_is_deleted(path: Path, old: str, new: str) -> None:
    assert edited(JOB, delete_entry(document(JOB), path)) == JOB.replace(old, new, 1)


def test_the_only_entry_leaves_an_empty_collection() -> None:
    text = "spec:\n  mlPolicy:\n    torch: {}\n  items:\n    - 1\n"
    assert edited(text, delete_entry(document(text), ("spec", "mlPolicy", "torch"))) == text.replace(
        "mlPolicy:\n    torch: {}", "mlPolicy: {}"
    )
    assert edited(text, delete_entry(document(text), ("spec", "items", 0))) == text.replace(":\n    - 1", ": []")


INSERTED: dict[str, tuple[Path, str, JsonValue, str, str, str]] = {
    "at the end": (("spec",), "managedBy", "x", "", "  suspend: true\n", "  suspend: true\n  managedBy: x\n"),
    "behind a key, beyond its comment": (
        ("spec", "trainer"),
        "numProcPerNode",
        8,
        "numNodes",
        "# none yet\n",
        "# none yet\n    numProcPerNode: 8\n",
    ),
    "with a value of several lines": (
        ("spec", "trainer"),
        "resourcesPerNode",
        {"limits": {"nvidia.com/gpu": "8"}, "claims": [{"name": "a", "request": "b"}]},
        "image",
        '"old:1"\n',
        (
            '"old:1"\n    resourcesPerNode:\n      limits:\n        nvidia.com/gpu: "8"\n      claims:\n'
            "        - name: a\n          request: b\n"
        ),
    ),
    "into an item of a list": (
        ("spec", "trainer", "env", 1),
        "c",
        True,
        "",
        "two words\n",
        "two words\n        c: true\n",
    ),
    "into braces": (("metadata",), "namespace", "a", "", "{a: b}}", "{a: b}, namespace: a}"),
    "below a key without value": (("spec", "empty"), "a", None, "", "  empty:\n", "  empty:\n    a: null\n"),
    "with the mappings on the way": (
        ("spec", "template", "metadata"),
        "labels",
        {"a": "b"},
        "",
        "  suspend: true\n",
        "  suspend: true\n  template:\n    metadata:\n      labels:\n        a: b\n",
    ),
}


@pytest.mark.parametrize(("path", "key", "value", "after", "old", "new"), INSERTED.values(), ids=INSERTED)
def test_an_entry_is_inserted(path: Path, key: str, value: JsonValue, after: str, old: str, new: str) -> None:
    assert edited(JOB, insert_entry(document(JOB), path, key, value, after=after)) == JOB.replace(old, new, 1)


def test_an_item_is_added() -> None:
    text = edited(JOB, insert_item(document(JOB), ("spec", "trainer", "env"), {"name": "C", "value": "3"}))
    assert text == JOB.replace("two words\n", 'two words\n      - name: C\n        value: "3"\n')
    text = edited(JOB, insert_item(document(JOB), ("spec", "trainer", "command"), "--x"))
    assert text == JOB.replace("train.py]", 'train.py, "--x"]')
    text = edited(JOB, insert_item(document(JOB), ("spec", "trainer", "args"), "a"))
    assert text.count("    args:\n      - a\n") == 1


def test_line_ends_and_a_missing_one_at_the_end_are_kept() -> None:
    windows = JOB.replace("\n", "\r\n").removesuffix("\r\n")
    text = edited(windows, insert_entry(document(windows), ("spec",), "a", 1))
    assert text == windows + "\r\n  a: 1"
    text = edited(windows, delete_entry(document(windows), ("spec", "trainer", "numNodes")))
    assert text == windows.replace("    numNodes: 0  # none yet\r\n", "")


def test_offsets_are_bytes_of_the_whole_file() -> None:
    text = "\ufeffa: 'größe'\n---\nkind: X\nspec: {ü: 1}\n"
    second = read_documents(text.encode(), file="x.yaml").documents[1]
    assert edited(text, replace_value(second, ("spec", "ü"), 2)) == text.replace("1", "2")


SHARED: dict[str, tuple[str, Path]] = {
    "an alias": ("a: &x {b: 1}\nc: *x\n", ("c",)),
    "a value behind an alias": ("a: &x {b: 1}\nc: *x\n", ("c", "b")),
    "an anchored value": ("a: &x 1\nc: *x\n", ("a",)),
    "a value in an anchored mapping": ("a: &x {b: 1}\nc: *x\n", ("a", "b")),
    "a value from a merge key": ("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n", ("c", "b")),
    "a tagged value": ("a: !!str 1\n", ("a",)),
    "what does not exist": ("a: 1\n", ("b",)),
}


@pytest.mark.parametrize(("text", "path"), SHARED.values(), ids=SHARED)
def test_what_is_shared_or_missing_is_not_touched(text: str, path: Path) -> None:
    assert replace_value(document(text), path, 5) is None
    assert delete_entry(document(text), path) is None


def test_a_fix_is_all_of_its_edits_or_none() -> None:
    edit = Edit(0, 0, b"x")
    made = fix("do it", edit)
    assert made is not None
    assert made.edits == (edit,)
    assert fix("do it", edit, None) is None


@pytest.mark.parametrize("edits", [[Edit(0, 3, b""), Edit(2, 4, b"")], [Edit(2, 1, b"")], [Edit(0, 9, b"")]])
def test_edits_that_do_not_fit_together_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edit of bytes"):
        apply_edits(b"abcdef", edits)


keys = st.text("abcxyz", min_size=1, max_size=3)
leaves = st.one_of(st.none(), st.booleans(), st.integers(-99, 99), st.text("ab: #'\"-{}[],&*!|>%@\n~01é", max_size=6))
values = st.recursive(
    leaves, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)), max_leaves=8
)


def paths_of(value: JsonValue, path: Path = ()) -> list[Path]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, each in value.items():
            found += paths_of(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            found += paths_of(each, (*path, index))
    return found


@given(st.dictionaries(keys, values, min_size=1, max_size=4), st.data(), st.sampled_from(["\n", "\r\n"]))
def test_an_edit_changes_the_value_at_its_path_and_nothing_else(
    before: dict[str, JsonValue], data: st.DataObject, newline: str
) -> None:
    from trainergen.source.writing import block_lines, flow_text

    written = block_lines(before) if data.draw(st.booleans()) else [flow_text(before)]
    lines = [line + data.draw(st.sampled_from(["", "  # note"])) for line in written]
    text = newline.join(lines) + newline
    read = document(text)
    assert read.value == before
    path = data.draw(st.sampled_from(paths_of(before)))
    new = data.draw(leaves)
    edit = replace_value(read, path, new)
    if edit is not None:
        assert document(edited(text, edit)).value == changed(before, path, new)
    edit = delete_entry(read, path)
    if edit is not None:
        assert document(edited(text, edit)).value == without(before, path)
        assert edited(text, edit).count("# note") >= text.count("# note") - text.count(newline)
    edit = insert_entry(read, path, "new", new)
    if edit is not None:
        assert document(edited(text, edit)).value == with_entry(before, path, new)
    edit = insert_item(read, path, new)
    if edit is not None:
        assert document(edited(text, edit)).value == with_item(before, path, new)


def at(value: JsonValue, path: Path) -> JsonValue:
    for step in path:
        value = value[step]  # type: ignore[index, call-overload]
    return value


def changed(value: JsonValue, path: Path, new: JsonValue) -> JsonValue:
    out = copy.deepcopy(value)
    at(out, path[:-1])[path[-1]] = new  # type: ignore[index, call-overload]
    return out


def without(value: JsonValue, path: Path) -> JsonValue:
    out = copy.deepcopy(value)
    del at(out, path[:-1])[path[-1]]  # type: ignore[union-attr]
    return out


def with_entry(value: JsonValue, path: Path, new: JsonValue) -> JsonValue:
    old = at(value, path)
    return changed(value, path, {**(old if isinstance(old, dict) else {}), "new": new})


def with_item(value: JsonValue, path: Path, new: JsonValue) -> JsonValue:
    old = at(value, path)
    return changed(value, path, [*(old if isinstance(old, list) else []), new])


@pytest.mark.parametrize(
    "make",
    {
        "an entry": lambda document: insert_entry(document, ("spec",), "b", {"c": ["x"]}),
        "an entry of a mapping that is not there": lambda document: insert_entry(document, ("spec", "d"), "e", "x"),
        "an item": lambda document: insert_item(document, ("spec", "list"), "x"),
        "another key": lambda document: replace_key(document, ("spec", "a"), "z"),
        "a text for a number": lambda document: replace_value(document, ("spec", "a"), "x"),
        "nothing": lambda document: delete_entry(document, ("spec", "list")),
    }.values(),
)
def test_json_stays_json(make):
    text = '{"kind": "TrainJob", "spec": {"a": 1, "list": ["y"]}}'
    (document,) = read_documents(text.encode(), file="job.json").documents
    edit = make(document)
    data = text.encode()
    json.loads(data[: edit.start] + edit.replacement + data[edit.end :])
