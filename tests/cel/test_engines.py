"""The same expressions, the same answers from every engine: those that the API server gives."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from trainergen.cel import engine as engines
from trainergen.cel.engine import Engine, EvaluationError, UnsupportedError, evaluate, holds

ERROR = "an error"

ANSWERS: dict[str, tuple[Any, Any]] = {
    # selection and presence
    "self.a.b": ({"a": {"b": 1}}, 1),
    "self['a-b']": ({"a-b": 1}, 1),
    "self.a.c": ({"a": {}}, ERROR),
    "has(self.a)": ({}, False),
    "has(self.a.b)": ({"a": {"b": None}}, True),
    "!has(self.a) || has(self.a.b)": ({}, True),
    "has(self.x.y)": ({}, ERROR),
    "self.name": ("text", ERROR),
    "has(self.name)": ("text", ERROR),
    "self[1]": ([1, 2], 2),
    "self[5]": ([1], ERROR),
    "size(self)": ("é😀", 2),
    "self.size() > 1": ([1, 2], True),
    "self.t.namespace": ({"t": {"namespace": "x"}}, "x"),
    # logic absorbs errors where the other side decides
    "self.x || true": ({}, True),
    "true || self.x": ({}, True),
    "self.x && false": ({}, False),
    "self.x || false": ({}, ERROR),
    "self && true": (1, ERROR),
    "self || true": (1, True),
    "!self": (1, ERROR),
    "self ? 'a' : 'b'": (True, "a"),
    "self ? 'a' : 'c'": (1, ERROR),
    # equality across kinds
    "self == 1": (1.0, True),
    "self != 1": ("1", True),
    "self == 'a'": (1, False),
    "self == true": (1, False),
    "self == {'a': [1.0]}": ({"a": [1]}, True),
    "self == [1, 2]": ([2, 1], False),
    "self == null": (None, True),
    "{'a': self.x}": ({}, ERROR),
    "{self.x: 1}": ({}, ERROR),
    "[self.x]": ({}, ERROR),
    "self in [1.0, 'x']": (1, True),
    "self in ['a']": (1, False),
    "'a' in self": ({"a": 1}, True),
    "1 in self": ("text", ERROR),
    "self.x in ['a']": ({}, ERROR),
    "type(self) == string": ("a", True),
    "type(self) == int": (1, True),
    "type(self) == double": (1, False),
    "type(self) == list": ([1], True),
    # order
    "self > 0": (2.5, True),
    "self >= 3": (3, True),
    "self < 'b'": ("a", True),
    "self <= 0": ("a", ERROR),
    "self > false": (1, ERROR),
    "self > false ": (True, True),
    # macros
    "self.all(x, x > 1)": (["a", 1], False),
    "self.all(x, x > 0)": (["a", 1], ERROR),
    "self.all(x, x)": ([True, 1], ERROR),
    "self.exists(x, x > 1)": (["a", 3], True),
    "self.exists(x, x > 9)": (["a", 3], ERROR),
    "self.exists_one(x, x == 1)": ([1, 1.0], False),
    "self.exists_one(x, x == 2)": ([1, 2], True),
    "self.exists_one(x, x > 0)": (["a"], ERROR),
    "self.filter(x, x > 1)": ([1, 2, 3], [2, 3]),
    "self.filter(x, x > 2)": (["a"], ERROR),
    "self.map(x, x * 2)": ([1, 2], [2, 4]),
    "self.map(x, x > 1, x * 2)": ([1, 2], [4]),
    "self.map(x, x > 'a', x)": ([1], ERROR),
    "self.map(x, 1 / x)": ([0], ERROR),
    "self.all(k, k != 'b')": ({"a": 1}, True),
    "self.exists(x, true)": (5, ERROR),
    "self.gone.all(x, x)": ({}, ERROR),
    "self.all(x, self.exists(y, y > x) || x == 3)": ([1, 2, 3], True),
    # numbers and conversions
    "self + 1": (1, 2),
    "self + 'b'": ("a", "ab"),
    "self + [2]": ([1], [1, 2]),
    "-self": (1, -1),
    "self % 2": (5, 1),
    "1 / self": (0, ERROR),
    "self + 9223372036854775807": (1, ERROR),
    "int(self)": ("12", 12),
    "int(self) ": ("x", ERROR),
    "double(self) < 0.5": ("0.25", True),
    "string(self)": (1.0, "1"),
    "string(self) ": (7, "7"),
    "string(self)  ": (True, "true"),
    # texts
    "self.matches('^a$')": ("a\n", False),
    "self.matches('b')": ("abc", True),
    "self.matches('(a')": ("a", ERROR),
    "self.startsWith('a') && self.endsWith('c') && self.contains('b')": ("abc", True),
    r"self.matches(r'^\d+$')": ("12", True),
    "timestamp(self) > timestamp('2025-01-01T00:00:00Z')": ("2026-01-01T00:00:00Z", True),
    "duration(self) < duration('1h')": ("90s", True),
}


@pytest.mark.parametrize("expression", ANSWERS)
def test_answer(engine: Engine, expression: str) -> None:
    value, answer = ANSWERS[expression]
    program = engine.compile(expression)
    if answer is ERROR:
        with pytest.raises(EvaluationError):
            program.evaluate({"self": value})
    else:
        got = program.evaluate({"self": value})
        assert got == answer
        assert type(got) is type(answer)


REASONS = {
    "self.gone == 1": ({}, "no such key: gone"),
    "self[7] == 1": ([], "index out of bounds"),
    "self > 0": ("a", "no such overload"),
    "1 / self == 1": (0, "division by zero"),
    "self + 9223372036854775807 > 0": (1, "integer overflow"),
    "self.min() > 0": ([], "min called on empty list"),
    "size(self.lowerAscii()) > 0": (1, "no such overload"),
}


@pytest.mark.parametrize("expression", REASONS)
def test_the_reason_of_an_error_is_told_in_the_servers_words(engine: Engine, expression: str) -> None:
    value, reason = REASONS[expression]
    with pytest.raises(EvaluationError, match=reason):
        engine.compile(expression).evaluate({"self": value})


@pytest.mark.parametrize(
    "expression",
    ["self.nonsense()", "nonsense(self)", "math.greatest(self, 1)", "self.all(", "authorizer.path('/x')"],
)
def test_what_an_engine_lacks_is_unsupported(engine: Engine, expression: str) -> None:
    with pytest.raises(UnsupportedError):
        engine.compile(expression)


def test_an_optional_is_no_value_that_could_leave_an_engine(engine: Engine) -> None:
    assert engine.compile("self.?a.orValue(7)").evaluate({"self": {}}) == 7
    with pytest.raises(UnsupportedError):
        engine.compile("self.?a").evaluate({"self": {}})


def test_what_a_function_cannot_do_here_is_unsupported_and_no_error(engine: Engine) -> None:
    with pytest.raises(UnsupportedError, match="not supported here"):
        engine.compile("'%s'.format([type(self)])").evaluate({"self": [1]})


def test_old_values_are_there_when_given(engine: Engine) -> None:
    assert engine.compile("self > oldSelf").evaluate({"self": 2, "oldSelf": 1}) is True


class Stub:
    """An engine that knows one expression."""

    def __init__(self, name: str, known: str) -> None:
        self.name = name
        self.known = known
        self.compiled: list[str] = []

    def compile(self, expression: str) -> Any:
        self.compiled.append(expression)
        if expression != self.known:
            raise UnsupportedError("no idea")
        return self

    def evaluate(self, bindings: Any) -> Any:
        return bindings["self"]


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> tuple[Stub, Stub]:
    """Two engines in the place of the real ones."""
    both = Stub("first", "one"), Stub("second", "two")
    monkeypatch.setattr(engines, "engines", lambda: both)
    return both


def test_what_the_first_engine_lacks_the_second_is_asked(stubs: tuple[Stub, Stub]) -> None:
    assert (evaluate("one", {"self": 1}), evaluate("two", {"self": 2})) == (1, 2)
    assert evaluate("two", {"self": 3}) == 3
    assert (stubs[0].compiled, stubs[1].compiled) == (["one", "two"], ["two"])


def test_what_no_engine_knows_is_unsupported_with_every_reason(stubs: tuple[Stub, Stub]) -> None:
    with pytest.raises(UnsupportedError, match="first: no idea; second: no idea"):
        evaluate("three", {"self": 1})


def test_a_rule_without_a_boolean_is_an_error(stubs: tuple[Stub, Stub]) -> None:
    assert holds("one", {"self": True})
    with pytest.raises(EvaluationError, match="no boolean"):
        holds("one", {"self": 1})


def test_without_any_engine_nothing_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "engines", lambda: iter(()))
    with pytest.raises(UnsupportedError, match="no CEL engine"):
        evaluate("true", {})


def test_times_inside_of_objects_find_an_engine_that_takes_them() -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    assert holds("self.a[0] > timestamp('2025-01-01T00:00:00Z')", {"self": {"a": [moment]}})


def test_an_engine_is_imported_only_when_it_is_asked() -> None:
    code = """
import sys
from trainergen.cel.engine import engines, holds
assert not {"celpy", "cel_expr_python"} & sys.modules.keys()
first = next(engines())
assert holds("self == 1", {"self": 1})
assert ("celpy" in sys.modules) == (first.name == "cel-python")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_engine_can_be_picked_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engines.ENGINE_VARIABLE, "cel-python")
    assert [found.name for found in engines.engines()] == ["cel-python"]
