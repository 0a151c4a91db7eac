"""Workflow commands: nothing that a manifest says can end a command, a property or start another command."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.finding import Finding, Layer, Severity
from trainergen.output import OutputOptions, render
from trainergen.output.github import command
from trainergen.report import Report

ONE_COMMAND = re.compile(r"::(?P<name>\w+) (?P<properties>[^:\r\n]*)::(?P<text>[^\r\n]*)")


@given(text=st.text(), file=st.text(min_size=1), title=st.text(min_size=1))
def test_a_command_is_read_as_it_was_meant(text, file, title):
    written = command("error", text, {"file": file, "title": title})

    match = ONE_COMMAND.fullmatch(written)
    assert match
    properties = dict(pair.split("=", 1) for pair in match["properties"].split(","))
    assert {key: _decode(value) for key, value in properties.items()} == {"file": file, "title": title}
    assert _decode(match["text"]) == text


@given(message=st.text(), reason=st.text())
def test_a_report_never_starts_a_command_of_its_own(message, reason):
    finding = Finding("TG101", "n", Severity.ERROR, Layer.SCHEMA, message, file="a.yaml", line=1)

    written = render("github", Report("2.3", reason, findings=(finding,)), OutputOptions())

    lines = re.split("[\r\n]", written.removesuffix("\n"))
    assert [line.startswith("::") for line in lines] == [True, False]


CASES = {
    "percent signs first, so that escapes are not escaped twice": ("100%\n", "::error::100%25%0A"),
    "carriage returns": ("a\rb", "::error::a%0Db"),
    "colons and commas stay in the text": ("a: b, c", "::error::a: b, c"),
}


@pytest.mark.parametrize("sentence", CASES)
def test_the_text_is_escaped(sentence):
    text, expected = CASES[sentence]
    assert command("error", text, {}) == expected


def _decode(text):
    # Only the five escapes that GitHub knows; unquote reads all, and the writer makes no other.
    assert not re.search("%(?!25|0D|0A|3A|2C)", text)
    return re.sub("%(25|0D|0A|3A|2C)", lambda match: unquote(match[0]), text)
