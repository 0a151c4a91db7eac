"""One value against one schema: what is stored, and what is found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

Check = Callable[..., Any]
STRING: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}
NAMED = {"type": "object", "required": ["name"], "properties": {"name": STRING, "size": INTEGER}}
BY_NAME = {"type": "array", "items": NAMED, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
PORT = {
    "type": "object",
    "required": ["port"],
    "properties": {"port": INTEGER, "protocol": {"type": "string", "default": "TCP"}},
}
BY_PORT = {
    "type": "array",
    "items": PORT,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
}
SET = {"type": "array", "items": STRING, "x-kubernetes-list-type": "set"}

ACCEPTED: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "text": (STRING, "a", "a"),
    "empty text": (STRING, "", ""),
    "boolean": ({"type": "boolean"}, False, False),
    "whole number written as a fraction": (INTEGER, 2.0, 2),
    "number beyond the format's range": ({**INTEGER, "format": "int32"}, 2147483648, 2147483648),
    "largest integer": (INTEGER, 2**63 - 1, 2**63 - 1),
    "integer where a number is wanted": ({"type": "number"}, 3, 3),
    "fraction where a number is wanted": ({"type": "number"}, 2.5, 2.5),
    "integer where either is wanted": ({"x-kubernetes-int-or-string": True}, 5, 5),
    "text where either is wanted": ({"x-kubernetes-int-or-string": True}, "50%", "50%"),
    "minimum itself": ({**INTEGER, "minimum": 1}, 1, 1),
    "maximum itself": ({**INTEGER, "maximum": 3}, 3, 3),
    "as many characters as allowed, counted as code points": ({**STRING, "maxLength": 2}, "é😀", "é😀"),
    "as many entries as allowed": ({"type": "array", "items": STRING, "maxItems": 1}, ["a"], ["a"]),
    "pattern found anywhere in the text": ({**STRING, "pattern": "b+"}, "abbc", "abbc"),
    "value of the enumeration": ({**STRING, "enum": ["A", "B"]}, "B", "B"),
    "format that the server ignores": ({**STRING, "format": "quantity"}, "x", "x"),
    "list where a text of a format is wanted, as the server does not look": ({**STRING, "format": "date-time"}, [], []),
    "null of a field that may be null": ({**STRING, "nullable": True}, None, None),
    "null is dropped elsewhere": ({"type": "object", "properties": {"a": STRING}}, {"a": None}, {}),
    "null gives way to the default": (
        {"type": "object", "properties": {"a": {**STRING, "default": "x"}}},
        {"a": None},
        {"a": "x"},
    ),
    "null stays where it may": (
        {"type": "object", "properties": {"a": {**STRING, "nullable": True}}},
        {"a": None},
        {"a": None},
    ),
    "null among free keys is dropped": (
        {"type": "object", "additionalProperties": STRING},
        {"a": None, "b": "c"},
        {"b": "c"},
    ),
    "null among free keys gives way to the default": (
        {"type": "object", "additionalProperties": {**STRING, "default": ""}},
        {"a": None},
        {"a": ""},
    ),
    "null in a list gives way to the default": (
        {"type": "array", "items": {**INTEGER, "default": 7}},
        [1, None],
        [1, 7],
    ),
    "default of an absent field": ({"type": "object", "properties": {"a": {**INTEGER, "default": 1}}}, {}, {"a": 1}),
    "default below an absent parent stays away": (
        {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {**INTEGER, "default": 1}}}}},
        {},
        {},
    ),
    "default inside of a default": (
        {
            "type": "object",
            "properties": {"a": {"type": "object", "default": {}, "properties": {"b": {**INTEGER, "default": 1}}}},
        },
        {},
        {"a": {"b": 1}},
    ),
    "unknown field of an open object": (
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"a": INTEGER}},
        {"a": 2.0, "b": {"c": None}, "d": None},
        {"a": 2, "b": {"c": None}, "d": None},
    ),
    "anything without a type": ({"x-kubernetes-preserve-unknown-fields": True}, [1, {"a": None}], [1, {"a": None}]),
    "entries of different keys": (BY_NAME, [{"name": "a"}, {"name": "b"}], [{"name": "a"}, {"name": "b"}]),
    "entries that differ in one of two keys": (
        BY_PORT,
        [{"port": 1}, {"port": 1, "protocol": "UDP"}],
        [{"port": 1, "protocol": "TCP"}, {"port": 1, "protocol": "UDP"}],
    ),
    "true and 1 are different members of a set": (
        {**SET, "items": {"x-kubernetes-preserve-unknown-fields": True}},
        [1, True],
        [1, True],
    ),
    "free text map": ({"type": "object", "additionalProperties": STRING}, {"a.b/c": "d"}, {"a.b/c": "d"}),
}

REFUSED: dict[str, tuple[dict[str, Any], Any, list[tuple[str, str]]]] = {
    "number for a text": (STRING, 1, [("wrong-type", "spec")]),
    "boolean for a text": (STRING, True, [("wrong-type", "spec")]),
    "boolean for an integer": (INTEGER, True, [("wrong-type", "spec")]),
    "text for an integer": (INTEGER, "1", [("wrong-type", "spec")]),
    "fraction for an integer": (INTEGER, 2.5, [("wrong-type", "spec")]),
    "integer beyond 64 bits": (INTEGER, 2**63, [("wrong-type", "spec")]),
    "float that is no exact integer": (INTEGER, 1e300, [("wrong-type", "spec")]),
    "infinity": (INTEGER, float("inf"), [("wrong-type", "spec")]),
    "boolean for a number": ({"type": "number"}, False, [("wrong-type", "spec")]),
    "boolean where integer or text is wanted": ({"x-kubernetes-int-or-string": True}, True, [("wrong-type", "spec")]),
    "text for a boolean": ({"type": "boolean"}, "true", [("wrong-type", "spec")]),
    "mapping for a list": ({"type": "array", "items": STRING}, {"a": 1}, [("wrong-type", "spec")]),
    "list for a mapping, without looking further": (
        {"type": "object", "properties": {"a": STRING}},
        [{"b": 1}],
        [("wrong-type", "spec")],
    ),
    "list for free keys": ({"type": "object", "additionalProperties": STRING}, ["a"], [("wrong-type", "spec")]),
    "null in a list": ({"type": "array", "items": STRING}, ["a", None], [("wrong-type", "spec[1]")]),
    "every wrong entry": (
        {"type": "array", "items": STRING},
        [1, "a", 2],
        [("wrong-type", "spec[0]"), ("wrong-type", "spec[2]")],
    ),
    "unknown field": (NAMED, {"name": "a", "nmae": 1}, [("unknown-field", "spec.nmae")]),
    "unknown field with a null": (NAMED, {"name": "a", "b": None}, [("unknown-field", "spec.b")]),
    "field of an object without any": ({"type": "object"}, {"a": 1}, [("unknown-field", "spec.a")]),
    "absent required field": (NAMED, {}, [("missing-field", "spec.name")]),
    "null of a required field": (NAMED, {"name": None}, [("missing-field", "spec.name")]),
    "all required fields": (
        {**NAMED, "required": ["size", "name"]},
        {},
        [("missing-field", "spec.name"), ("missing-field", "spec.size")],
    ),
    "below the minimum": ({**INTEGER, "minimum": 1}, 0, [("number-out-of-range", "spec")]),
    "minimum that is excluded": (
        {**INTEGER, "minimum": 1, "exclusiveMinimum": True},
        1,
        [("number-out-of-range", "spec")],
    ),
    "above the maximum": ({**INTEGER, "maximum": 3}, 4, [("number-out-of-range", "spec")]),
    "maximum that is excluded": (
        {"type": "number", "maximum": 3, "exclusiveMaximum": True},
        3.0,
        [("number-out-of-range", "spec")],
    ),
    "bound of the integer of either kind": (
        {"x-kubernetes-int-or-string": True, "minimum": 1},
        0,
        [("number-out-of-range", "spec")],
    ),
    "too long": ({**STRING, "maxLength": 1}, "ab", [("string-too-long", "spec")]),
    "too short": ({**STRING, "minLength": 1}, "", [("string-too-short", "spec")]),
    "too long is said, and not the pattern too": (
        {**STRING, "maxLength": 1, "pattern": "^x$"},
        "ab",
        [("string-too-long", "spec")],
    ),
    "pattern": ({**STRING, "pattern": "^a$"}, "a\n", [("pattern-mismatch", "spec")]),
    "pattern of the text of either kind": (
        {"x-kubernetes-int-or-string": True, "pattern": "^[0-9]+%$"},
        "5",
        [("pattern-mismatch", "spec")],
    ),
    "format": ({**STRING, "format": "date-time"}, "today", [("format-mismatch", "spec")]),
    "number for a text of some format": ({**STRING, "format": "date-time"}, 5, [("wrong-type", "spec")]),
    "value outside of the enumeration": ({**STRING, "enum": ["A"]}, "a", [("value-not-allowed", "spec")]),
    "true is not the 1 of an enumeration": ({**INTEGER, "enum": [1]}, 2, [("value-not-allowed", "spec")]),
    "boolean outside of an enumeration": ({"type": "boolean", "enum": [True]}, False, [("value-not-allowed", "spec")]),
    "too many entries": ({"type": "array", "items": STRING, "maxItems": 1}, ["a", "b"], [("too-many-entries", "spec")]),
    "too few entries": ({"type": "array", "items": STRING, "minItems": 1}, [], [("too-few-entries", "spec")]),
    "too few fields, after nulls went": (
        {"type": "object", "minProperties": 1, "properties": {"a": STRING}},
        {"a": None},
        [("too-few-entries", "spec")],
    ),
    "too many free keys": (
        {"type": "object", "maxProperties": 1, "additionalProperties": STRING},
        {"a": "", "b": ""},
        [("too-many-entries", "spec")],
    ),
    "two entries of one key": (
        BY_NAME,
        [{"name": "a"}, {"name": "b"}, {"name": "a"}],
        [("duplicate-entry", "spec[2]")],
    ),
    "every repeated entry": (
        BY_NAME,
        [{"name": "a"}] * 3,
        [("duplicate-entry", "spec[1]"), ("duplicate-entry", "spec[2]")],
    ),
    "entries without the key are equal": (
        BY_NAME,
        [{"size": 1}, {"size": 2}],
        [("missing-field", "spec[0].name"), ("missing-field", "spec[1].name"), ("duplicate-entry", "spec[1]")],
    ),
    "keys are compared after defaults": (
        BY_PORT,
        [{"port": 1}, {"port": 1, "protocol": "TCP"}],
        [("duplicate-entry", "spec[1]")],
    ),
    "an entry that is no mapping is not compared": (BY_NAME, [{"name": "a"}, "a"], [("wrong-type", "spec[1]")]),
    "member of a set twice": (SET, ["a", "b", "a"], [("duplicate-entry", "spec[2]")]),
    "equal objects in a set, whatever their order": (
        {**SET, "items": {"x-kubernetes-preserve-unknown-fields": True}},
        [{"a": 1, "b": [2]}, {"b": [2], "a": 1}],
        [("duplicate-entry", "spec[1]")],
    ),
    "fault below a free key, after a dot": (
        {"type": "object", "additionalProperties": INTEGER},
        {"a.b/c": "x"},
        [("wrong-type", "spec.a.b/c")],
    ),
    "fault below an unknown field is not looked for": (
        NAMED,
        {"name": "a", "x": {"y": {"z": 1}}},
        [("unknown-field", "spec.x")],
    ),
}


@pytest.mark.parametrize("case", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_value_is_accepted_and_stored(check_value: Check, case: tuple[dict[str, Any], Any, Any]) -> None:
    schema, value, stored = case
    got, found, result = check_value(schema, copy.deepcopy(value))
    assert (found, result.broken) == ([], False)
    assert got == stored
    assert str(got) == str(stored)  # 2 and 2.0, true and 1 apart


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_value_is_refused_at_its_place(
    check_value: Check, case: tuple[dict[str, Any], Any, list[tuple[str, str]]]
) -> None:
    schema, value, expected = case
    _, found, result = check_value(schema, value)
    assert found == expected
    assert all(finding.refuses and finding.message and finding.help for finding in result.findings)


@pytest.mark.parametrize("case", [*ACCEPTED.values(), *REFUSED.values()], ids=[*ACCEPTED, *REFUSED])
def test_input_is_never_changed(check_value: Check, case: tuple[dict[str, Any], Any, Any]) -> None:
    schema, value, _ = case
    before = copy.deepcopy(value)
    check_value(schema, value)
    assert value == before


def test_an_unchanged_part_is_shared(check_value: Check) -> None:
    schema = {"type": "object", "properties": {"a": NAMED, "b": {**INTEGER, "default": 1}}}
    value = {"a": {"name": "x"}}
    stored, _, _ = check_value(schema, value)
    assert stored == {"a": {"name": "x"}, "b": 1}
    assert stored["a"] is value["a"]


def test_a_default_is_a_value_of_its_own(check_value: Check) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": STRING, "default": ["x"]}}}
    first, _, _ = check_value(schema, {})
    first["a"].append("y")
    second, _, _ = check_value(schema, {})
    assert second == {"a": ["x"]}


def test_unknown_fields_are_not_stored(check_value: Check) -> None:
    stored, _, _ = check_value(NAMED, {"name": "a", "x": 1})
    assert stored == {"name": "a"}


def test_a_definition_serves_every_field_that_names_it(check_value: Check) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "Named"}, "b": {"$ref": "Named", "nullable": True}}}
    stored, found, _ = check_value(schema, {"a": {"name": 1}, "b": None}, {"Named": NAMED})
    assert found == [("wrong-type", "spec.a.name")]
    assert stored["b"] is None


@pytest.mark.parametrize(
    ("name", "blocking"),
    [
        ("wrong-type", True),
        ("missing-field", True),
        ("value-not-allowed", True),
        ("string-too-long", True),
        ("too-many-entries", True),
        ("format-mismatch", True),
        ("string-too-short", False),
        ("too-few-entries", False),
        ("pattern-mismatch", False),
        ("number-out-of-range", False),
        ("unknown-field", False),
    ],
)
def test_rules_are_held_back_by_the_faults_that_hold_them_back_on_the_server(
    check_value: Check, name: str, blocking: bool
) -> None:
    for schema, value, expected in REFUSED.values():
        if {found for found, _ in expected} == {name}:
            assert check_value(schema, value)[2].broken is blocking


def test_nesting_beyond_the_schema_is_no_trouble(check_value: Check) -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    assert check_value(STRING, deep)[1] == [("wrong-type", "spec")]
    assert check_value(NAMED, {"name": "a", "x": deep})[1] == [("unknown-field", "spec.x")]
    assert check_value(SET, [deep, deep])[1] == [
        ("wrong-type", "spec[0]"),
        ("wrong-type", "spec[1]"),
        ("duplicate-entry", "spec[1]"),
    ]
