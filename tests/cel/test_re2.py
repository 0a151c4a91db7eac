"""Patterns as RE2 reads them, whether translated for ``re`` or not."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from trainergen.cel.re2 import UntranslatableError, compile_pattern, translate

QUANTITY = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|"
    r"([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
TRANSLATED = [
    QUANTITY,
    "^[a-z]([-a-z0-9]*[a-z0-9])?$",
    "^[A-Za-z][A-Za-z0-9+.-]*://.+$",
    r"^\d+\s\w$",
    r"[\s\d]{2,3}?",
    "[]a]",
    "[^]a-]",
    "[[-a]",
    "[--a]",
    "[[&&~~||-]",
    "a{2}b{1,}(?:c|d)(?P<name>e)",
    r"\bfoo\b|\Abar\z",
    r"a\.b\/c\-",
]
LEFT_TO_RE2 = [
    r"\pL",
    "(?i)abc",
    "(?s:.)",
    "[[:alpha:]]",
    r"\Qa.b\E",
    "a{1,1001}b",
    r"\x{41}",
    "x{,3}",
    r"[\S]",
    "(?m)^a$",
]
BROKEN = ["(", "[a", "a**", "a++", "*a", r"\Z", "(?=a)", r"(a)\1", "[z-a]", "\\"]
TEXTS = ["", "a", "a\n", "\na", "500m", "16Gi", "16 Gi", "foo bar", "é", "٣", "A.b/c-", "[&&~]", "aabccde", "x\vy", "K"]


@pytest.mark.parametrize("pattern", TRANSLATED)
def test_everyday_patterns_are_translated(pattern: str) -> None:
    assert isinstance(translate(pattern), str)


@pytest.mark.parametrize("pattern", LEFT_TO_RE2)
def test_what_re_reads_differently_is_left_to_re2(pattern: str) -> None:
    with pytest.raises(UntranslatableError):
        translate(pattern)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "pattern", [pattern for pattern in TRANSLATED + LEFT_TO_RE2 if pattern not in ("a{1,1001}b", "x{,3}")]
)
def test_matches_are_those_of_re2(pattern: str, text: str) -> None:
    assert compile_pattern(pattern)(text) is (re2.search(pattern, text) is not None)


@pytest.mark.parametrize("pattern", BROKEN)
def test_what_re2_refuses_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no regular expression"):
        compile_pattern(pattern)


PIECES = st.sampled_from(
    [
        *("a", "b", "-", r"\.", r"\d", r"\s", r"\w", ".", "^", "$", "*", "+", "?", "{2}", "{1,}", "|", "(", ")", "(?:"),
        *("[ab]", "[^a]", "[a-c.-]", "[-a]", "[\\d-]", "[", "]", "é", r"\n", "{", "}"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join), st.text(alphabet="ab-.c 1é\n[]{}", max_size=8))
def test_a_translated_pattern_matches_what_re2_matches(pattern: str, text: str) -> None:
    try:
        translate(pattern)
    except UntranslatableError:
        return
    options = re2.Options()
    options.log_errors = False
    assert compile_pattern(pattern)(text) is (re2.compile(pattern, options).search(text) is not None)
