"""The report as a value: sorted, counted, and what makes it fail."""

from __future__ import annotations

import pytest

from trainergen.finding import Finding, Layer, Severity
from trainergen.report import LocatedNotEvaluated, Report, Summary


def _finding(severity=Severity.ERROR, **more):
    return Finding("TG101", "unknown-field", severity, Layer.SCHEMA, "message", **more)


def test_findings_are_sorted_by_place_and_then_by_rule():
    places = [("b.yaml", 1, 1), ("a.yaml", 10, 1), ("a.yaml", 2, 5), ("a.yaml", 2, 3)]

    report = Report(
        "2.3", findings=tuple(_finding(file=file, line=line, column=column) for file, line, column in places)
    )

    assert [(each.file, each.line, each.column) for each in report.findings] == sorted(places)


def test_the_summary_counts_by_severity():
    report = Report(
        "2.3",
        findings=(_finding(), _finding(Severity.WARNING), _finding(Severity.WARNING), _finding(Severity.INFO)),
        not_evaluated=(LocatedNotEvaluated("TG140", "reason", Layer.WEBHOOK),),
        files=2,
        documents=3,
    )

    assert report.summary == Summary(files=2, documents=3, errors=1, warnings=2, infos=1, not_evaluated=1)


UNDECIDED = LocatedNotEvaluated("TG140", "reason", Layer.WEBHOOK)

# sentence: (findings, undecided, fail_on, fails)
CASES = {
    "nothing": ((), (), ("error", "warning", "not-evaluated"), False),
    "an error": ((_finding(),), (), ("error",), True),
    "an error, whatever else is named": ((_finding(),), (), (), True),
    "a warning": ((_finding(Severity.WARNING),), (), ("error",), False),
    "a warning when warnings fail": ((_finding(Severity.WARNING),), (), ("warning",), True),
    "information when warnings fail": ((_finding(Severity.INFO),), (), ("warning",), False),
    "an undecided check": ((), (UNDECIDED,), ("error", "warning"), False),
    "an undecided check when undecided checks fail": ((), (UNDECIDED,), ("not-evaluated",), True),
}


@pytest.mark.parametrize("sentence", CASES)
def test_a_run_fails_for(sentence):
    findings, undecided, fail_on, fails = CASES[sentence]

    assert Report("2.3", findings=findings, not_evaluated=undecided).fails(fail_on) is fails
