"""Values as rules see them, and equality as the API server computes it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from trainergen.cel.equality import same
from trainergen.cel.values import escape, typed

STRING: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
TIME = {**STRING, "format": "date-time"}


def as_it_is(schema: Any) -> Any:
    return schema


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("plain_name", "plain_name"),
        ("namespace", "__namespace__"),
        ("in", "__in__"),
        ("a-b", "a__dash__b"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("a__b", "a__underscores__b"),
        ("9a", None),
        ("a b", None),
        ("", None),
    ],
)
def test_names_are_escaped(name: str, escaped: str | None) -> None:
    assert escape(name) == escaped


TYPED: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "double": (NUMBER, 1, 1.0),
    "integer": ({"type": "integer"}, 1, 1),
    "boolean stays one": (NUMBER, True, True),
    "moment": (TIME, "2026-01-02T03:04:05+01:00", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))),
    "moment without a zone": (TIME, "2026-01-02T03:04:05", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
    "day": ({**STRING, "format": "date"}, "2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
    "no moment after all": (TIME, "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05,5Z"),
    "bytes": ({**STRING, "format": "byte"}, "aGk=", b"hi"),
    "format of an integer or string": ({"x-kubernetes-int-or-string": True, "format": "byte"}, "aGk=", "aGk="),
    "list": ({"type": "array", "items": NUMBER}, [1, 2], [1.0, 2.0]),
    "free keys": ({"type": "object", "additionalProperties": NUMBER}, {"a.b": 1}, {"a.b": 1.0}),
    "fields": (
        {"type": "object", "properties": {"a-b": NUMBER, "namespace": STRING, "x y": STRING, "n": STRING}},
        {"a-b": 1, "namespace": "z", "x y": "?", "n": None, "unknown": 1},
        {"a__dash__b": 1.0, "__namespace__": "z", "namespace": "z"},
    ),
}


@pytest.mark.parametrize("case", TYPED.values(), ids=TYPED.keys())
def test_values_are_typed_by_their_schema(case: tuple[dict[str, Any], Any, Any]) -> None:
    schema, value, expected = case
    got = typed(value, schema, as_it_is)
    assert got == expected
    assert repr(got) == repr(expected)


ENTRY = {"type": "object", "properties": {"name": STRING, "port": {"type": "integer"}, "value": NUMBER}}
BY_NAME = {
    "type": "array",
    "items": ENTRY,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "port"],
}
SET = {"type": "array", "items": STRING, "x-kubernetes-list-type": "set"}
PLAIN = {"type": "array", "items": STRING}
ONE, TWO = {"name": "a", "port": 1, "value": 1}, {"name": "a", "port": 2}

SAME: dict[str, tuple[dict[str, Any], Any, Any, bool]] = {
    "texts": (STRING, "a", "a", True),
    "other text": (STRING, "a", "b", False),
    "whole doubles": (NUMBER, 1, 1.0, True),
    "true and 1": ({"x-kubernetes-int-or-string": True}, True, 1, False),
    "number and its text": ({"x-kubernetes-int-or-string": True}, 1, "1", False),
    "one moment in two zones": (TIME, "2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00", True),
    "list in order": (PLAIN, ["a", "b"], ["a", "b"], True),
    "list out of order": (PLAIN, ["a", "b"], ["b", "a"], False),
    "longer list": (PLAIN, ["a"], ["a", "b"], False),
    "set out of order": (SET, ["a", "b"], ["b", "a"], True),
    "other set": (SET, ["a", "b"], ["b", "c"], False),
    "list map out of order": (BY_NAME, [ONE, TWO], [TWO, {**ONE, "value": 1.0}], True),
    "list map with another value": (BY_NAME, [ONE, TWO], [TWO, {**ONE, "value": 2}], False),
    "list map with another key": (BY_NAME, [ONE, TWO], [ONE, {"name": "b", "port": 2}], False),
    "list map with an absent key": (BY_NAME, [{"name": "a"}], [ONE], False),
    "objects": (ENTRY, ONE, {**ONE}, True),
    "object with one field more": (ENTRY, ONE, {"name": "a"}, False),
    "object with another field": (ENTRY, {"name": "a"}, {"port": 1}, False),
    "list and object": (PLAIN, [], {}, False),
}


@pytest.mark.parametrize("case", SAME.values(), ids=SAME.keys())
def test_equality_follows_the_schema(case: tuple[dict[str, Any], Any, Any, bool]) -> None:
    schema, new, old, expected = case
    assert same(new, old, schema, as_it_is) is expected
    assert same(old, new, schema, as_it_is) is expected
