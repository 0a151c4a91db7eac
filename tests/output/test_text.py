"""The format for people: frames that point where they should, and nothing that moves the terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.finding import Finding, Layer, Severity
from trainergen.output import OutputOptions, render
from trainergen.output.frame import FrameStyle, Place, draw, split_lines
from trainergen.output.visible import cells, escape_controls
from trainergen.report import Report

FRAMES = {
    "one character": ("a: 1\n", Place(1, 4, 1, 5), [" 1 | a: 1", "   |    ^"]),
    "a range": ("name: torch\n", Place(1, 7, 1, 12), [" 1 | name: torch", "   |       ^^^^^"]),
    "a place without an end": ("name: torch\n", Place(1, 7), [" 1 | name: torch", "   |       ^"]),
    "a range over lines is underlined to the end of its first line": (
        "a:\n  b: 1  \n  c: 2\n",
        Place(2, 3, 3, 7),
        [" 1 | a:", " 2 |   b: 1", "   |   ^^^^ to line 3", " 3 |   c: 2"],
    ),
    "the end of a line": ("a:\n", Place(1, 3, 1, 3), [" 1 | a:", "   |   ^"]),
    "a column behind the line points behind its end": ("a:\n", Place(1, 90, 1, 99), [" 1 | a:", "   |   ^"]),
    "tabs are as wide as they are shown": ("\ta: 1\n", Place(1, 2, 1, 3), [" 1 |     a: 1", "   |     ^"]),
    "wide characters take two columns": ("日本: 語\n", Place(1, 5, 1, 6), [" 1 | 日本: 語", "   |       ^^"]),
    "combining marks take none": ("e\u0301x: 1\n", Place(1, 3, 1, 4), [" 1 | e\u0301x: 1", "   |  ^"]),
    "a control character is shown as a picture": ("a: \x1b[1m\n", Place(1, 5, 1, 6), [" 1 | a: ␛[1m", "   |     ^"]),
    "Windows line ends": ("a: 1\r\nb: 2\r\n", Place(2, 1, 2, 2), [" 1 | a: 1", " 2 | b: 2", "   | ^"]),
    "blank lines around are left out": ("\na: 1\n\n", Place(2, 1, 2, 2), [" 2 | a: 1", "   | ^"]),
    "line numbers are aligned": (
        "\n" * 8 + "a: 1\nb: 2\n",
        Place(9, 1, 9, 2),
        ["  9 | a: 1", "    | ^", " 10 | b: 2"],
    ),
}


@pytest.mark.parametrize("sentence", FRAMES)
def test_a_frame_points_at(sentence):
    text, place, expected = FRAMES[sentence]

    frame = draw(split_lines(text), place, FrameStyle())

    assert frame[0].strip() == "|"
    assert frame[1:] == expected


def test_a_line_that_the_text_lacks_has_no_frame():
    assert draw(["a: 1"], Place(2, 1), FrameStyle()) == []
    assert draw(["a: 1"], Place(0, 0), FrameStyle()) == []


@pytest.mark.parametrize("column", [1, 30, 500, 2_000, 4_990, 5_001])
@pytest.mark.parametrize("filler", ["x", "語"])
def test_a_long_line_is_cut_around_the_place(column, filler):
    line = filler * (column - 1) + "BAD" + filler * (5_000 - column)

    _, text, marks = draw([line], Place(1, column, 1, column + 3), FrameStyle(width=60))

    shown, under = cells(text)[0], cells(marks)[0]
    assert len(shown) <= 60 + len(" 1 | ") + len("……")
    assert "".join(shown[under.index("^") : len(under)]) == "BAD"


@given(
    text=st.text(alphabet=st.sampled_from("ab \t\n\r語e\u0301\x1b\u202e\u2028🚀…"), max_size=80),
    place=st.builds(Place, *[st.integers(0, 90)] * 4),
    width=st.integers(1, 30),
)
def test_a_frame_never_fails_and_stays_within_its_width(text, place, width):
    frame = draw(split_lines(text), place, FrameStyle(width=width))

    for row in frame:
        assert not set(row) & set("\t\r\x1b\u202e\u2028")
        assert len(cells(row)[0]) <= width + 9 + len(f"^ to line {place.end_line}")


@given(st.text())
def test_escaped_text_is_one_line_without_controls(text):
    escaped = escape_controls(text)

    assert len(escaped.splitlines()) <= 1
    assert "\x1b" not in escaped
    assert escaped == text or len(escaped) > len(text)


def test_a_file_that_cannot_be_shown_has_no_frame():
    finding = Finding("TG101", "n", Severity.ERROR, Layer.SCHEMA, "message", "Help.", file="a.yaml", line=3, column=1)

    written = render("text", Report("2.3", findings=(finding,)), OutputOptions())

    assert written.startswith("a.yaml:3:1: error[TG101] message\n   help: Help.\n\n1 error in")


def test_the_frames_of_a_report_follow_its_files(rich, options):
    asked = []

    def source(file):
        asked.append(file)
        return options.source(file)

    render("text", rich, OutputOptions(source=source))

    assert asked == sorted({finding.file for finding in rich.findings})


def test_colour_changes_nothing_but_colour(rich, options):
    import re

    coloured = render("text", rich, OutputOptions(colour=True, source=options.source))

    assert "\x1b[1;31merror[TG101]\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == render("text", rich, options)
