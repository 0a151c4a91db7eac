"""JUnit: valid against the schema of CI servers, whatever characters a report holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from trainergen.finding import Finding, Layer, Severity
from trainergen.output import OutputOptions, render
from trainergen.report import Report

SCHEMA = etree.XMLSchema(file=str(Path(__file__).parent.parent / "oracle" / "junit.xsd"))


def _parsed(report, options):
    return etree.fromstring(render("junit", report, options).encode())


@pytest.mark.parametrize("case", ["rich", "clean", "empty"])
def test_a_document_is_valid_against_the_schema(case, options, request):
    SCHEMA.assertValid(_parsed(request.getfixturevalue(case), options))


def test_the_counts_are_those_of_the_cases(rich, options):
    root = _parsed(rich, options)

    assert root.get("tests") == str(len(root.findall(".//testcase"))) == "13"
    assert root.get("failures") == str(len(root.findall(".//failure"))) == "7"
    for suite in root:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))


def test_a_file_without_findings_is_a_case_that_passes(rich, options):
    suite = next(suite for suite in _parsed(rich, options) if suite.get("name") == "jobs/good.yaml")

    assert [len(case) for case in suite] == [0]


def test_a_warning_does_not_fail(rich, options):
    warning = replace(rich.findings[0], severity=Severity.WARNING)

    root = _parsed(Report("2.3", findings=(warning,)), options)

    assert root.get("failures") == "0"
    assert len(root.findall(".//system-out")) == 1


@given(message=st.text(), file=st.text())
def test_any_text_gives_a_document_that_parses_and_says_it(message, file):
    finding = Finding("TG101", "n", Severity.ERROR, Layer.SCHEMA, message, file=file)

    root = _parsed(Report("2.3", findings=(finding,)), OutputOptions())

    SCHEMA.assertValid(root)
    written = root.find(".//failure").get("message")
    assert len(written) == len(message)
    assert all(b in (a, "�") for a, b in zip(message, written, strict=True))
