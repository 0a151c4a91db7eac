"""CEL's syntax: text to tree and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.cel.syntax import Node, SyntaxFault, parse, write
from trainergen.cel.syntax.nodes import (
    Call,
    Entry,
    Index,
    Item,
    ListOf,
    Literal,
    MapOf,
    Name,
    Operation,
    Select,
    children,
    qualified,
    rebuilt,
)

if TYPE_CHECKING:
    from trainergen.cel.engine import Engine

WRITTEN: dict[str, str] = {
    "1+2*3": "1 + 2 * 3",
    "(1+2)*3": "(1 + 2) * 3",
    "1-(2-3)": "1 - (2 - 3)",
    "1-2-3": "1 - 2 - 3",
    "a||b&&c||d": "a || b && c || d",
    "(a||b)||c": "(a || b) || c",
    "(a||b)&&c": "(a || b) && c",
    "!(a&&b)": "!(a && b)",
    "!!a": "!(!a)",
    "-x": "-x",
    "-1": "-1",
    "- 1.5": "-1.5",
    "(-1).f()": "(-1).f()",
    "42.f()": "(42).f()",
    "a?b:c?d:e": "a ? b : c ? d : e",
    "(a?b:c)?d:e": "(a ? b : c) ? d : e",
    "a < b == c": "a < b == c",
    "a in [1,2,]": "a in [1, 2]",
    "a.b.?c[0][?'d']": "a.b.?c[0][?'d']",
    "a[ ? 0]": "a[?0]",
    "[?a, b]": "[?a, b]",
    '{"a":1,?"b":c}': "{'a': 1, ?'b': c}",
    "Object.spec{a:1,?b:c}": "Object.spec{a: 1, ?b: c}",
    "x.all(e, e.f(1).namespace)": "x.all(e, e.f(1).namespace)",
    ".a.b(c)": ".a.b(c)",
    "0xFF + 1u": "255 + 1u",
    "1e3 + .5": "1000.0 + 0.5",
    r"'a\'b\n\u00e9\x41\101'": r"'a\'b\néAA'",
    r"r'\d' + R" + '"' + r"\s" + '"': r"'\\d' + '\\s'",
    "'''it's'''": r"'it\'s'",
    r"b'\xff\101é'": r"b'\xff\x41\xc3\xa9'",
    "true && false && null == null": "true && false && null == null",
    "a // a comment\n + b": "a + b",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_is_written(text: str) -> None:
    assert write(parse(text)) == WRITTEN[text]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_is_written_means_the_same(text: str) -> None:
    assert bare(parse(WRITTEN[text])) == bare(parse(text))


FAULTS: dict[str, tuple[str, int]] = {
    "": ("the end is not expected", 0),
    "1 +": ("the end is not expected", 3),
    "a b": ("'b' is not expected", 2),
    "a.1": ("'.1' is not expected", 1),
    "a.(b)": ("'(' is not expected", 2),
    "(a": ("the end is not expected, but ')' belongs here", 2),
    "[1 2]": ("'2' is not expected, but ']' belongs here", 3),
    "{1}": ("'}' is not expected, but ':' belongs here", 2),
    "T{1: 2}": ("'1' is not expected", 2),
    "a ? b": ("the end is not expected, but ':' belongs here", 5),
    "'a": ("''' is not expected", 0),
    r"'\q'": (r"'\q' is no escape", 0),
    r"'\ud800'": ("is no character", 0),
    r"b'\u00e9'": ("is no escape of bytes", 0),
    "a # b": ("'#' is not expected", 2),
    "for": ("'for' is a reserved word", 0),
    "a.in": ("'in' cannot name a field", 2),
    ".true": ("'true' is not expected", 1),
    "9223372036854775808": ("does not fit into 64 bits", 0),
    "18446744073709551616u": ("does not fit into 64 bits", 0),
    "1e999": ("does not fit into a double", 0),
    "(" * 300: ("the nesting is too deep", 50),
    "!" * 300 + "a": ("the nesting is too deep", 49),
    "a" + ".b" * 300: ("the nesting is too deep", 300),
}


@pytest.mark.parametrize("text", FAULTS)
def test_fault(text: str) -> None:
    message, at = FAULTS[text]
    with pytest.raises(SyntaxFault) as caught:
        parse(text)
    assert message in str(caught.value)
    assert caught.value.at == at


def bare(node: Node) -> Node:
    """The node without its offset."""
    return rebuilt(node, bare) if not hasattr(node, "at") else _bare(node)


def _bare(node: Node) -> Node:
    from dataclasses import replace

    return replace(rebuilt(node, bare), at=0)


NAMES = st.sampled_from(["a", "b", "object", "x1", "_y"])
LITERALS = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(lambda value: Literal("int", value)),
    st.integers(0, 2**64 - 1).map(lambda value: Literal("uint", value)),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda value: Literal("double", value)),
    st.text(max_size=6).map(lambda value: Literal("string", value)),
    st.binary(max_size=6).map(lambda value: Literal("bytes", value)),
    st.sampled_from([Literal("bool", True), Literal("bool", False), Literal("null", None)]),
)
BINARY = st.sampled_from(["||", "&&", "<", "<=", ">", ">=", "==", "!=", "in", "+", "-", "*", "/", "%"])


def _compound(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, max_size=3)
    flags = st.booleans()
    return st.one_of(
        st.builds(Select, inner, NAMES, flags),
        st.builds(Index, inner, inner, flags),
        st.builds(Call, NAMES, st.none() | inner, several.map(tuple)),
        st.builds(lambda operator, a, b: Operation(operator, (a, b)), BINARY, inner, inner),
        st.builds(lambda a: Operation("!_", (a,)), inner),
        st.builds(lambda a, b, c: Operation("?:", (a, b, c)), inner, inner, inner),
        st.lists(st.builds(Item, inner, flags), max_size=3).map(lambda items: ListOf(tuple(items))),
        st.lists(st.builds(Entry, inner, inner, flags), max_size=3).map(lambda items: MapOf(tuple(items))),
    )


TREES = st.recursive(LITERALS | NAMES.map(Name), _compound, max_leaves=12)


@given(TREES)
def test_every_tree_is_what_its_text_says(tree: Any) -> None:
    assert bare(parse(write(tree))) == tree


@given(st.text(max_size=30))
def test_any_text_is_an_expression_or_a_fault(text: str) -> None:
    try:
        node = parse(text)
    except SyntaxFault:
        return
    assert bare(parse(write(node))) == bare(node)


def test_long_chains_of_conditions_are_flat(engine: Engine) -> None:
    text = " || ".join(["self == 1"] * 300)
    node = parse(text)
    assert isinstance(node, Operation)
    assert len(node.operands) == 300
    assert engine.compile(text).evaluate({"self": 1}) is True


@pytest.mark.parametrize(
    "text", ["'é\\n\\'\\\\\"'", "b'\\x00\\xff'", "-9223372036854775808", "1.5e300", "18446744073709551615u"]
)
def test_an_engine_reads_what_is_written_as_it_was_meant(engine: Engine, text: str) -> None:
    literal = parse(text)
    assert isinstance(literal, Literal)
    value = engine.compile(text).evaluate({})
    assert bytes(value) == literal.value if isinstance(value, bytes | bytearray) else value == literal.value


def test_only_names_with_dots_between_them_are_qualified() -> None:
    assert qualified(parse("a.b.c")) == "a.b.c"
    assert [qualified(parse(text)) for text in ("a.?b", "a[0].b", "f().b", "1")] == ["", "", "", ""]
    assert children(parse("1")) == ()
