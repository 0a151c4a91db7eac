"""How suppressions are written, and what is said of those that are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.suppress.grammar import Parsed, parse_annotation, parse_comment

GOOD = {
    "one check": (": ignore[TG203]", Parsed(words=("TG203",), start=9, end=14)),
    "several, by id, name and family": (
        ": ignore[TG203, no-nodes,security]",
        Parsed(words=("TG203", "no-nodes", "security"), start=9, end=33),
    ),
    "a last day and a reason": (
        ": ignore[TG2] until=2027-01-31 -- the pool is small",
        Parsed(words=("TG2",), until="2027-01-31", reason="the pool is small", start=9, end=12),
    ),
    "a reason that looks like options": (
        ": ignore[TG2] -- until=never, TG3 -- said Bo",
        Parsed(words=("TG2",), reason="until=never, TG3 -- said Bo", start=9, end=12),
    ),
    "the whole file": (": ignore-file[TG7] -- generated", Parsed(True, ("TG7",), "", "generated", 14, 17)),
    "odd spaces": (":ignore [ TG203 ]", Parsed(words=("TG203",), start=9, end=16)),
}


@pytest.mark.parametrize(("text", "parsed"), GOOD.values(), ids=GOOD)
def test_a_comment_says(text: str, parsed: Parsed) -> None:
    assert parse_comment(text) == parsed


@pytest.mark.parametrize(
    ("text", "fault"),
    {
        "no brackets": (": ignore TG203", "'ignore' does not say in brackets what to ignore"),
        "nothing in the brackets": (": ignore[ ]", "it does not name a check to ignore"),
        "another word": (": ignroe[TG203]", "'ignroe' is no directive (did you mean 'ignore'?)"),
        "the word of another tool": (": disable[TG203]", "'disable' is no directive (did you mean 'ignore'?)"),
        "no colon": (" ignore[TG203]", "a colon is missing behind 'trainergen'"),
        "a day that does not exist": (
            ": ignore[TG2] until=2027-02-30",
            "until is '2027-02-30', but a date such as 2027-01-31 is expected",
        ),
        "a date in another form": (
            ": ignore[TG2] until=31.1.2027",
            "until is '31.1.2027', but a date such as 2027-01-31 is expected",
        ),
        "a misspelt option": (": ignore[TG2] untill=2027-01-31", "there is no option 'untill' (did you mean 'until'?)"),
        "a reason without dashes": (
            ": ignore[TG2] it is fine",
            "'it is fine' is neither an option nor a reason, which follows ' -- '",
        ),
        "dashes without a reason": (": ignore[TG2] --", "there is no reason behind '--'"),
    }.values(),
)
def test_a_comment_with_a_fault_names_no_check(text: str, fault: str) -> None:
    parsed = parse_comment(text)
    assert parsed is not None
    assert (parsed.fault, parsed.words) == (fault, ())
    assert parsed.help.startswith("Write '# trainergen: ignore[TG203]")


@pytest.mark.parametrize("text", ["", " is great", ": see docs/adoption.md", " ignores this", ":", ": 2.3 [sic]"])
def test_prose_is_no_directive(text: str) -> None:
    assert parse_comment(text) is None


def test_an_annotation_holds_the_same_without_brackets() -> None:
    parsed = parse_annotation("TG203, no-nodes until=2027-01-31 -- the pool is small")
    assert parsed == Parsed(False, ("TG203", "no-nodes"), "2027-01-31", "the pool is small", 0, 15)
    assert parse_annotation("TG203").words == ("TG203",)
    assert parse_annotation("-- why").fault == "it does not name a check to ignore"
    assert parse_annotation("TG203 until=soon").fault.startswith("until is 'soon'")


@given(st.text())
def test_any_text_is_prose_faulty_or_understood(text: str) -> None:
    for parsed in (parse_comment(text), parse_comment(f": ignore[{text}"), parse_annotation(text)):
        assert parsed is None or bool(parsed.fault) != bool(parsed.words)
