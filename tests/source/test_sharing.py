"""Duplicate keys, merge keys, anchors and aliases."""

from __future__ import annotations

import pytest

from tests.source.reading import only, places, read, values
from trainergen.source import Limits

BOTH = pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "python"])

MERGES = {
    "one mapping": ("a: &a {x: 1}\nb: {<<: *a, y: 2}\n", {"x": 1, "y2": None}),
}

VALUES = {
    "alias of a list": ("a: &a [1, {b: 2}]\nc: *a\n", {"a": [1, {"b": 2}], "c": [1, {"b": 2}]}),
    "alias of a scalar": ("a: &a 5\nb: *a\nc: [*a, *a]\n", {"a": 5, "b": 5, "c": [5, 5]}),
    "alias of nothing": ("a: &a\nb: *a\n", {"a": None, "b": None}),
    "anchored key": ("&k a: 1\nb: *k\n", {"a": 1, "b": "a"}),
    "alias as key": ("a: &k name\n*k : 1\n", {"a": "name", "name": 1}),
    "number alias as key": ("a: &k 5\n*k : 1\n", {"a": 5, "5": 1}),
    "anchor given anew": ("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", {"a": 1, "b": 1, "c": 2, "d": 2}),
    "merge": ("a: &a {x: 1, z: 3}\nb:\n  <<: *a\n  w: 2\n", {"a": {"x": 1, "z": 3}, "b": {"x": 1, "z": 3, "w": 2}}),
    "merge of a list": ("a: &a {x: 1}\nb: {<<: [*a, {z: 2}]}\n", {"a": {"x": 1}, "b": {"x": 1, "z": 2}}),
    "merge of an inline mapping": ("b: {<<: {x: 1}}\n", {"b": {"x": 1}}),
    "merge of an empty list": ("b: {<<: [], x: 1}\n", {"b": {"x": 1}}),
    "merge in a merged mapping": ("a: &a {x: 1}\nb: &b {<<: *a, z: 2}\nc: {<<: *b}\n", {
        "a": {"x": 1}, "b": {"x": 1, "z": 2}, "c": {"x": 1, "z": 2},
    }),
    "quoted merge key": ('a: {"<<": 1}\n', {"a": {"<<": 1}}),
    "merge key as text": ("a: {!!str <<: 1}\n", {"a": {"<<": 1}}),
    "merge key by tag": ('a: {!!merge "<<": {x: 1}}\n', {"a": {"x": 1}}),
    "merge indicator as value": ("a: <<\n", {"a": "<<"}),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(("text", "expected"), VALUES.values(), ids=VALUES)
def test_shared_values_are_laid_out(text: str, expected: object, libyaml: bool) -> None:
    assert values(text, libyaml=libyaml) == [expected]


def test_an_expanded_alias_shares_nothing_with_its_anchor() -> None:
    value = only("a: &a {x: [1]}\nb: *a\nc: {<<: *a}\n").value
    assert isinstance(value, dict)
    value["a"]["x"].append(2)  # type: ignore[index, call-overload, union-attr]
    assert value["b"] == {"x": [1]}
    assert value["c"] == {"x": [1]}


FAULTS = {
    "duplicate key": ("a: 1\nb: 2\na: 3\n", [("duplicate-key", 3, 1, "a")]),
    "duplicate in a list": ("a:\n  - b: 1\n  - b: 1\n    b: 2\n", [("duplicate-key", 4, 5, "a[1].b")]),
    "key set three times": ("a: 1\na: 2\na: 3\n", [("duplicate-key", 2, 1, "a"), ("duplicate-key", 3, 1, "a")]),
    "same key in two spellings": ("1: a\n0x1: b\n", [("duplicate-key", 2, 1, "1")]),
    "same key by alias": ("a: &k a\n*k : 2\n", [("duplicate-key", 2, 1, "a")]),
    "explicit key after a merge": ("a: &a {x: 1}\nb: {<<: *a, x: 2}\n", [("merge-key-conflict", 2, 13, "b.x")]),
    "explicit key before a merge": ("a: &a {x: 1}\nb: {x: 2, <<: *a}\n", [("merge-key-conflict", 2, 15, "b.x")]),
    "two merged mappings": ("b: {<<: [{x: 1}, {x: 2}]}\n", [("merge-key-conflict", 1, 24, "b.x")]),
    "merge of text": ("a: {<<: text}\n", [("invalid-merge", 1, 9, "a.<<")]),
    "merge of a list of text": ("a: {<<: [{b: 1}, text]}\n", [("invalid-merge", 1, 22, "a.<<")]),
    "unknown alias": ("a: [*nope]\n", [("unknown-alias", 1, 5, "a[0]")]),
    "alias of another document": ("a: &x 1\n---\nb: *x\n", [("unknown-alias", 3, 4, "b")]),
    "alias in its own value": ("a: &a [b, *a]\n", [("alias-loop", 1, 11, "a[1]")]),
    "alias of a mapping as key": ("a: &a {b: c}\n*a : 1\n", [("invalid-key", 2, 1, "")]),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_sharing_has_its_place(text: str, expected: list[object], libyaml: bool) -> None:
    assert places(read(text, libyaml=libyaml).findings) == expected


def test_a_duplicate_key_names_both_places_and_the_last_value_stays() -> None:
    result = read("---\nspec:\n  a: 1\n  b: 2\n  a: 3\n")
    (finding,) = result.findings
    assert finding.message == "key 'a' is set twice, first in line 3"
    assert (finding.line, finding.column, finding.end_column, finding.on_key) == (5, 3, 4, True)
    assert result.documents[0].value == {"spec": {"a": 3, "b": 2}}


def test_what_is_written_last_stays_when_a_merge_conflicts() -> None:
    text = "a: &a {x: 1}\nb: {<<: *a, x: 2}\nc: {x: 2, <<: *a}\nd: {<<: [{x: 1}, {x: 2}]}\n"
    assert read(text).documents[0].value == {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 1}, "d": {"x": 1}}


BOMB = "a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@BOTH
def test_an_alias_bomb_is_refused_before_it_goes_off(libyaml: bool) -> None:
    result = read(BOMB, libyaml=libyaml)
    assert [finding.name for finding in result.findings] == ["alias-expansion"]
    assert result.documents == []


def test_many_small_aliases_are_no_bomb() -> None:
    text = "a: &a {cpu: 1, memory: 2}\nb:\n" + "  - *a\n" * 400
    assert len(values(text)[0]["b"]) == 400  # type: ignore[index, arg-type, call-overload]


def test_aliases_of_one_file_are_limited_together() -> None:
    document = "a: &a [1, 2, 3, 4, 5, 6, 7, 8]\nb: [*a, *a]\n"
    result = read("---\n".join([document] * 5), limits=Limits(alias_nodes=50))
    assert [(finding.name, finding.document) for finding in result.findings] == [
        ("alias-expansion", 2),
        ("alias-expansion", 3),
        ("alias-expansion", 4),
    ]


def test_an_alias_cannot_hide_depth() -> None:
    text = "a: &a [[[[1]]]]\nb: [[*a]]\n"
    assert values(text, limits=Limits(depth=7))
    assert places(read(text, limits=Limits(depth=6)).findings) == [("too-deep", 2, 6, "b[0][0]")]


def test_allowed_alias_ratio_falls_in_large_documents() -> None:
    # 40 values of 10,000 nodes: 400,000 nodes from aliases against few written ones, then more than 99 % of them.
    text = "a: &a [" + "1, " * 4000 + "1]\nb: [" + "*a, " * 98 + "*a]\n"
    assert [finding.name for finding in read(text).findings] == []
    text = "a: &a [" + "1, " * 4000 + "1]\nb: [" + "*a, " * 110 + "*a]\n"
    assert [finding.name for finding in read(text).findings] == ["alias-expansion"]
