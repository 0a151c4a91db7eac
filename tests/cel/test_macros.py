"""Macros and calls in terms of what the engines know; every expression means the same through each of them."""

from __future__ import annotations

from typing import Any

import pytest

from trainergen.cel.engine import Engine, EvaluationError
from trainergen.cel.macros import lowered, substituted
from trainergen.cel.syntax import parse, write
from trainergen.cel.syntax.nodes import Name, Select

LOWERED: dict[str, str] = {
    "m.all(k, v, k < v)": "__pairs(m).all(__pair2, __pair2.k < __pair2.v)",
    "m.existsOne(k, v, k == v)": "__pairs(m).exists_one(__pair2, __pair2.k == __pair2.v)",
    "m.existsOne(k, k == 1)": "m.exists_one(k, k == 1)",
    "l.transformList(i, v, i > 0, v)": "__pairs(l).map(__pair2, __pair2.k > 0, __pair2.v)",
    "m.transformMap(k, v, v + 1)": "__collected(__pairs(m).map(__pair2, [__pair2.k, __pair2.v + 1]))",
    "m.transformMapEntry(k, v, {v: k})": "__merged(__pairs(m).map(__pair2, {__pair2.v: __pair2.k}))",
    "l.sortBy(x, x.a)": "__sorted(l.map(x, [x.a, x]))",
    "l.first()": "l[?0]",
    "l.last()": "l[?size(l) - 1]",
    "l.unwrapOpt()": "l.map(__optional, __optional.hasValue(), __optional.value())",
    "optional.unwrap(l)": "l.map(__optional, __optional.hasValue(), __optional.value())",
    "format.named('x')": "optional.ofNonZeroValue(__named('x'))",
    "f.validate('x')": "optional.ofNonZeroValue(__validate(f, 'x'))",
    "JSONPatch{op: 'add'}": "{'op': 'add'}",
    "m.named('x')": "m.named('x')",
    "first()": "first()",
    "l.all(x, y)": "l.all(x, y)",
    # an inner macro has variables of its own
    "m.all(k, v, l.all(k, k > v))": "__pairs(m).all(__pair2, l.all(k, k > __pair2.v))",
    "m.all(k, v, l.all(a, b, a > v))": "__pairs(m).all(__pair2, __pairs(l).all(__pair14, __pair14.k > __pair2.v))",
}


@pytest.mark.parametrize("text", LOWERED)
def test_is_written_as(text: str) -> None:
    assert write(lowered(parse(text))) == LOWERED[text]


def test_only_free_variables_are_replaced() -> None:
    node = parse("a + [1].map(a, a + b) + cel.bind(b, a, b)")
    swap = {"a": Select(Name("x"), "a"), "b": Name("y")}
    assert write(substituted(node, swap)) == "x.a + [1].map(a, a + y) + cel.bind(b, x.a, b)"


ANSWERS: dict[str, Any] = {
    "[1, 2, 3].all(i, v, i < v)": True,
    "[1, 0].all(i, v, i < v)": False,
    "{'a': 1}.exists(k, v, k == 'a' && v == 1)": True,
    "{'a': 1, 'b': 1}.existsOne(k, v, v == 1)": False,
    "[1, 2].exists(i, v, v / (i - 1) == 5 || v == 2)": True,
    "[4, 5, 6].transformList(i, v, i > 0, v * i)": [5, 12],
    "{'a': 1}.transformList(k, v, k)": ["a"],
    "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, k + 'x')": {"b": "bx"},
    "[7].transformMap(i, v, v)": {0: 7},
    "{'a': 'b'}.transformMapEntry(k, v, {v: k})": {"b": "a"},
    "[3, 1, 2].sortBy(x, -x)": [3, 2, 1],
    "['b', 'a'].sort()": ["a", "b"],
    "[1, [2, [3]]].flatten()": [1, 2, [3]],
    "[1, [2, [3]]].flatten(2)": [1, 2, 3],
    "[1, 2, 1.0, 'a'].distinct()": [1, 2, "a"],
    "[1, 2, 3].slice(1, 3).reverse()": [3, 2],
    "lists.range(3)": [0, 1, 2],
    "[1, 2].includes(2) && !'a'.includes('b')": True,
    "[1, 2].first().value() + [1, 2].last().value()": 3,
    "[].first().orValue(9)": 9,
    "[optional.of(1), optional.none()].unwrapOpt() + optional.unwrap([optional.of(2)])": [1, 2],
    # optional values
    "{'a': {'b': 1}}.?a.?b.orValue(0)": 1,
    "{'a': {'b': 1}}.?a.b.orValue(0)": 1,
    "{'a': {'b': 1}}.?x.b.orValue(0)": 0,
    "{'a': [1]}.?a[0].value()": 1,
    "{'a': [1]}.?a[?5].hasValue()": False,
    "[5][?0].value()": 5,
    "{}.?a.hasValue() || {'a': null}.?a.hasValue()": True,
    "{}.?a.or(optional.of(3)).value()": 3,
    "has({'a': {'b': 1}}.?a.b)": True,
    "optional.of(0).hasValue() && !optional.ofNonZeroValue(0).hasValue()": True,
    "optional.ofNonZeroValue('a').value()": "a",
    "optional.of(1) == optional.of(1) && optional.none() != optional.of(1)": True,
    "optional.of(2).optMap(x, x * 2).value()": 4,
    "optional.none().optMap(x, x * 2).hasValue()": False,
    "optional.of({'a': 1}).optFlatMap(x, x.?a).value()": 1,
    "[?optional.of(1), 2, ?optional.none()]": [1, 2],
    "{?'a': optional.of(1), 'b': 2, ?'c': optional.none()}": {"a": 1, "b": 2},
    # named formats
    "format.dns1123Label().validate('my-name').hasValue()": False,
    "format.dns1123Label().validate('My_Name').value().size()": 1,
    "format.named('uuid').value().validate('x').hasValue()": True,
    "format.named('nonsense').hasValue()": False,
    "strings.quote('a\"b\\n')": '"a\\"b\\n"',
}


@pytest.mark.parametrize("expression", ANSWERS)
def test_answer(engine: Engine, expression: str) -> None:
    assert engine.compile(expression).evaluate({}) == ANSWERS[expression]


ERRORS = [
    "[1].all(i, v, v / i == 1)",
    "[1, 2].transformMapEntry(i, v, {'same': v})",
    "[1, 2].transformMapEntry(i, v, v)",
    "[1, 'a'].sortBy(x, x)",
    "[1].slice(0, 5)",
    "[1].flatten(-1)",
    "lists.range(10000000)",
    "optional.none().value()",
    "{'a': 1}.?a.b.hasValue()",
    "[?dyn(1)]",
    "{'a': 1}.validate('x')",
    "dyn(1).orValue(2)",
]


@pytest.mark.parametrize("expression", ERRORS)
def test_no_value_is_an_error(engine: Engine, expression: str) -> None:
    from trainergen.cel.engine import UnsupportedError

    with pytest.raises((EvaluationError, UnsupportedError)):
        engine.compile(expression).evaluate({})


FORMATS: dict[str, tuple[list[str], list[str]]] = {
    "dns1123Label": (["a", "a-1", "1"], ["", "A", "-a", "a-", "a.b", "a" * 64]),
    "dns1123LabelPrefix": (["a-", "a"], ["-", "AB-"]),
    "dns1123Subdomain": (["a.b", "a" * 253], ["a..b", ".a", "a" * 254]),
    "dns1123SubdomainPrefix": (["a.b-"], ["a.-b"]),
    "dns1035Label": (["a1"], ["1a", ""]),
    "dns1035LabelPrefix": (["a-"], ["1b-"]),
    "qualifiedName": (["a", "A_b.c", "x.y/Z"], ["", "a/b/c", "/a", "X/a", "a/"]),
    "labelValue": (["", "A.b-c_d"], ["-a", "a b", "a" * 64]),
    "uri": (["http://a/b", "/path"], ["a b", "", "x"]),
    "uuid": (["123e4567-e89b-12d3-a456-426614174000"], ["123"]),
    "byte": (["aGVsbG8="], ["a"]),
    "date": (["2024-02-29"], ["2023-02-29", "2024-2-1", "x"]),
    "datetime": (["2024-02-29T10:00:00Z", "2024-01-01t00:00:00.5+01:00"], ["2024-02-29", "2024-02-29T25:00:00Z"]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_named_format(engine: Engine, name: str) -> None:
    good, bad = FORMATS[name]
    program = engine.compile(f"format.{name}().validate(self).hasValue()")
    assert [text for text in good if program.evaluate({"self": text})] == []
    assert [text for text in bad if not program.evaluate({"self": text})] == []
