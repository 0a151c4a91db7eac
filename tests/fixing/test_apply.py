"""Applying fixes to bytes: only their edits change anything, and touching ones wait."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from trainergen.fix import Edit, Fix
from trainergen.fixing.apply import apply

TEXT = b"a: 1\nb: 2\n\n# note\nc: 3\nd: 4\n"


def replace(old: bytes, new: bytes, title: str = "") -> Fix:
    start = TEXT.index(old)
    return Fix(title or new.decode(), (Edit(start, start + len(old), new),))


def delete_line(start: bytes) -> Fix:
    at = TEXT.index(start)
    return Fix(f"delete {start.decode()}", (Edit(at, TEXT.index(b"\n", at) + 1, b""),))


def test_fixes_that_are_clear_of_each_other_are_applied_together() -> None:
    result = apply(TEXT, [replace(b"4", b"five"), replace(b"1", b"one")])
    assert result.data == b"a: one\nb: 2\n\n# note\nc: 3\nd: five\n"
    assert len(result.applied) == 2


def test_of_overlapping_fixes_the_first_by_place_is_applied_and_the_other_waits() -> None:
    first, second = replace(b"a: 1\nb: 2", b"x: 9"), replace(b"2\n", b"3\n")
    for order in ([first, second], [second, first]):
        result = apply(TEXT, order)
        assert (result.applied, result.waiting) == ((first,), (second,))
        assert result.data == TEXT.replace(b"a: 1\nb: 2", b"x: 9")


def test_two_insertions_at_one_place_are_not_applied_together() -> None:
    one, other = Fix("x", (Edit(4, 4, b"\nx: 1"),)), Fix("y", (Edit(4, 4, b"\ny: 1"),))
    result = apply(TEXT, [other, one])
    assert (result.applied, result.waiting) == ((one,), (other,))


def test_neighbours_are_not_deleted_together_even_with_comments_between_them() -> None:
    result = apply(TEXT, [delete_line(b"b"), delete_line(b"c")])
    assert (len(result.applied), len(result.waiting)) == (1, 1)
    assert apply(TEXT, [delete_line(b"a"), delete_line(b"d")]).waiting == ()


def test_all_edits_of_a_fix_are_applied_or_none() -> None:
    wide = Fix("two", (*replace(b"1", b"one").edits, *replace(b"3", b"three").edits))
    result = apply(TEXT, [wide, replace(b"c: 3", b"e: 3")])
    assert result.applied == (wide,)
    assert result.data == TEXT.replace(b"1", b"one").replace(b"3", b"three")


def test_equal_fixes_count_as_applied_together() -> None:
    result = apply(TEXT, [replace(b"1", b"one", "by a rule"), replace(b"1", b"one", "by another")])
    assert result.data == TEXT.replace(b"1", b"one")
    assert len(result.applied) == 2


def test_fixes_without_effect_or_outside_of_the_file_are_void() -> None:
    fixes = [
        replace(b"1", b"1"),
        Fix("far", (Edit(900, 901, b"x"),)),
        Fix("twice", (Edit(0, 4, b"x"), Edit(2, 5, b"y"))),
    ]
    result = apply(TEXT, fixes)
    assert (result.data, result.applied, len(result.void)) == (TEXT, (), 3)


@st.composite
def texts_and_fixes(draw: st.DrawFn) -> tuple[bytes, list[Fix]]:
    text = draw(st.binary(max_size=60))
    places = st.tuples(st.integers(0, len(text)), st.integers(0, 5)).map(
        lambda at: (at[0], min(at[0] + at[1], len(text)))
    )
    edits = st.builds(lambda at, new: Edit(*at, new), places, st.binary(max_size=4))
    return text, draw(
        st.lists(st.builds(lambda made: Fix("", tuple(made)), st.lists(edits, min_size=1, max_size=3)), max_size=8)
    )


@given(texts_and_fixes())
def test_nothing_but_the_edited_bytes_changes(case: tuple[bytes, list[Fix]]) -> None:
    text, fixes = case
    result = apply(text, fixes)
    edits = sorted({edit for fix in result.applied for edit in fix.edits})
    rest, kept, at, new_at = b"", b"", 0, 0
    for edit in edits:
        rest += text[at : edit.start]
        kept += result.data[new_at : new_at + edit.start - at]
        new_at += edit.start - at
        assert result.data[new_at : new_at + len(edit.replacement)] == edit.replacement
        at, new_at = edit.end, new_at + len(edit.replacement)
    assert kept + result.data[new_at:] == rest + text[at:]


@given(texts_and_fixes())
def test_every_fix_is_applied_waits_or_is_void_whatever_the_order(case: tuple[bytes, list[Fix]]) -> None:
    text, fixes = case
    result = apply(text, fixes)
    assert sorted([*result.applied, *result.waiting, *result.void]) == sorted(fixes)
    assert apply(text, fixes[::-1]).data == result.data


@given(texts_and_fixes())
def test_who_looks_at_the_neighbours_alone_misses_no_edit_that_is_touched(case: tuple[bytes, list[Fix]]) -> None:
    text, fixes = case
    with patch("trainergen.fixing.apply._neighbours", lambda edits, one: edits):
        expected = apply(text, fixes)
    assert apply(text, fixes) == expected
