"""Every format, as it is written to a file."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.errors import TrainergenError
from trainergen.finding import Finding, Layer, ObjectRef, Severity
from trainergen.output import FORMATS, OutputOptions, render
from trainergen.report import FORMAT_NAMES, LocatedNotEvaluated, Report

SUFFIXES = {
    "text": "txt",
    "json": "json",
    "sarif": "sarif",
    "junit": "xml",
    "github": "txt",
    "gitlab": "json",
    "markdown": "md",
}

words = st.text(max_size=40)
numbers = st.integers(min_value=0, max_value=12)
refs = st.none() | st.builds(ObjectRef, words, words, words, words)
findings = st.builds(
    Finding,
    rule=words,
    name=words,
    severity=st.sampled_from(Severity),
    layer=st.sampled_from(Layer),
    message=words,
    help=words,
    at=st.lists(words | numbers, max_size=3).map(tuple),
    file=words,
    line=numbers,
    column=numbers,
    end_line=numbers,
    end_column=numbers,
    object=refs,
)
undecided = st.builds(
    LocatedNotEvaluated, words, words, st.sampled_from(Layer), words, numbers, numbers, numbers, refs, words
)
reports = st.builds(
    Report,
    release=words,
    release_reason=words,
    findings=st.lists(findings, max_size=4).map(tuple),
    not_evaluated=st.lists(undecided, max_size=3).map(tuple),
    skipped=st.dictionaries(words, numbers, max_size=2),
)


@pytest.mark.parametrize("name", FORMAT_NAMES)
@pytest.mark.parametrize("case", ["rich", "clean", "empty"])
def test_a_report_is_written_as_recorded(name, case, options, request, snapshot_as):
    assert render(name, request.getfixturevalue(case), options) == snapshot_as(SUFFIXES[name])


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_the_order_of_the_findings_given_does_not_show(name, rich, options):
    turned = Report(
        rich.release,
        rich.release_reason,
        rich.findings[::-1],
        rich.not_evaluated[::-1],
        rich.files,
        rich.documents,
        dict(reversed(rich.skipped.items())),
        rich.version,
        rich.checked[::-1],
    )

    assert render(name, turned, options) == render(name, rich, options)


@pytest.mark.parametrize("name", FORMAT_NAMES)
@given(report=reports, text=st.none() | st.text(max_size=200))
def test_no_text_and_no_place_is_too_odd_to_be_written(name, report, text):
    written = render(name, report, OutputOptions(source=lambda _: text, width=20))

    assert written.endswith("\n")
    assert written == render(name, report, OutputOptions(source=lambda _: text, width=20))
    written.encode("utf-8", "backslashreplace")


def test_the_table_holds_the_names_that_the_options_take():
    assert tuple(FORMATS) == FORMAT_NAMES


def test_an_unknown_format_is_refused_with_the_nearest_one(clean, options):
    with pytest.raises(TrainergenError, match=r"unknown output format 'sarf' \(did you mean 'sarif'\?\)"):
        render("sarf", clean, options)


def test_json_holds_the_agreed_keys_in_the_agreed_order(rich, options):
    data = json.loads(render("json", rich, options))

    assert list(data)[:4] == ["tool", "release", "summary", "findings"]
    assert data["tool"] == {"name": "trainergen", "version": "0.0.0"}
    assert data["summary"] == {
        "files": 5,
        "documents": 7,
        "errors": 7,
        "warnings": 1,
        "infos": 1,
        "not_evaluated": 3,
    }
    assert " ".join(data["findings"][0]) == (
        "rule name severity layer message help file line column end_line end_column document object path fix"
    )


def test_text_and_json_load_nothing_heavy():
    program = (
        "import sys; before = set(sys.modules);"
        "from trainergen.output import OutputOptions, render; from trainergen.report import Report;"
        "render('text', Report('2.3'), OutputOptions()); render('json', Report('2.3'), OutputOptions());"
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()

    heavy = {"difflib", "xml", "html", "pydantic", "yaml", "hashlib", "tempfile", "subprocess", "unicodedata"}
    assert not heavy & set(loaded)
    assert not [name for name in loaded if name in {FORMATS[other].module for other in FORMAT_NAMES[2:]}]
