"""SARIF: valid against the published schema, fingerprints that outlive moves, URIs for any file name."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.output import render
from trainergen.output.sarif import uri
from trainergen.report import Report

SCHEMA = json.loads(
    gzip.decompress((Path(__file__).parent.parent / "oracle" / "sarif-2.1.0-rtm.5.schema.json.gz").read_bytes())
)


@pytest.mark.parametrize("case", ["rich", "clean", "empty"])
def test_a_log_is_valid_against_the_schema_of_sarif(case, options, request):
    log = json.loads(render("sarif", request.getfixturevalue(case), options))

    jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_the_schema_refuses_a_log_that_is_wrong(rich, options):
    log = json.loads(render("sarif", rich, options))
    log["runs"][0]["results"][0]["level"] = "fatal"

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_results_point_at_their_rule(rich, options):
    run = json.loads(render("sarif", rich, options))["runs"][0]

    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_fingerprints_stay_when_lines_move_and_differ_within_a_run(rich, options):
    moved = replace(
        rich, findings=tuple(replace(each, line=each.line + 7, end_line=each.end_line + 7) for each in rich.findings)
    )

    before, after = _fingerprints(rich, options), _fingerprints(moved, options)
    assert len(set(before)) == len(rich.findings)
    assert set(before) == set(after)


def test_a_range_that_ends_before_it_starts_is_left_out(rich, options):
    finding = replace(rich.findings[0], line=5, column=9, end_line=5, end_column=9)

    log = json.loads(render("sarif", Report("2.3", findings=(finding,)), options))

    region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 5, "startColumn": 9}


URIS = {
    "a relative name stays relative": ("jobs/a.yaml", "jobs/a.yaml"),
    "spaces, percent signs and non-ASCII letters are encoded": ("a b/50%/ü.yaml", "a%20b/50%25/%C3%BC.yaml"),
    "a colon in a relative name is no scheme": ("a:b.yaml", "a%3Ab.yaml"),
    "an absolute name gets the file scheme": ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
    "so does a Windows name": ("C:\\jobs\\a b.yaml", "file:///C:/jobs/a%20b.yaml"),
    "bytes that are no UTF-8 stay the bytes they are": ("\udcff.yaml", "%FF.yaml"),
}


@pytest.mark.parametrize("sentence", URIS)
def test_the_uri_of_a_file(sentence):
    name, expected = URIS[sentence]
    assert uri(name) == expected


@given(st.text())
def test_a_uri_is_always_ascii_without_spaces(name):
    written = uri(name)
    assert written.isascii()
    assert " " not in written


def _fingerprints(report, options):
    results = json.loads(render("sarif", report, options))["runs"][0]["results"]
    return [result["partialFingerprints"]["trainergen/v1"] for result in results]
