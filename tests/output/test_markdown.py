"""The comment: what a manifest says stays text, and the whole fits into a comment."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from trainergen.finding import Layer
from trainergen.output import render
from trainergen.output.markdown import LIMIT, escape
from trainergen.report import LocatedNotEvaluated, Report


@given(st.text(max_size=200))
def test_escaped_text_has_nothing_that_markdown_or_html_would_take(text):
    written = escape(text)

    assert not set(written) & set("\\`*_{}[]()<>+!|~@$\"'\n\r")
    assert "&" not in written.replace("&#", "")


def test_a_long_report_is_cut_to_what_a_comment_may_hold(rich, options):
    many = tuple(replace(rich.findings[0], line=number, message="x" * 400) for number in range(1, 1001))

    written = render("markdown", Report("2.3", findings=many), options)

    shown = written.count("| error |")
    assert len(written) < 65_536
    assert 0 < shown < 1000
    assert f"\n{1000 - shown} findings more, not shown here.\n" in written
    assert LIMIT - len(written) < 1_000


def test_many_reasons_are_cut_as_well(options):
    many = tuple(LocatedNotEvaluated("TG140", f"reason {number}", Layer.WEBHOOK) for number in range(50))

    written = render("markdown", Report("2.3", not_evaluated=many), options)

    assert written.count("- reason") == 20
    assert "\n- and 30 more reasons\n" in written


def test_a_text_too_long_for_a_comment_is_cut(rich, options):
    written = render("markdown", Report("2.3", findings=(replace(rich.findings[0], message="x" * 70_000),)), options)

    assert f"| {'x' * 500}… |" in written


def test_the_first_line_lets_a_bot_find_its_comment(clean, options):
    assert render("markdown", clean, options).startswith("<!-- trainergen -->\n")
