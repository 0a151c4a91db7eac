"""JUnit XML: a suite for each file, a case for each finding, undecided check and clean file.

Only attributes that the common schemas of CI servers agree on are used, and no times, so that equal reports give equal
bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.output.phrases import object_name, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding
    from trainergen.output.options import OutputOptions
    from trainergen.report import LocatedNotEvaluated, Report

# Everything that the Char production of XML 1.0 leaves out.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
_NO_FILE = "trainergen"


@dataclass(frozen=True, slots=True)
class _Suite:
    """The cases of one file, written out, and their counts."""

    name: str
    cases: tuple[str, ...]
    failures: int
    skipped: int


def render(report: Report, options: OutputOptions) -> str:  # noqa: ARG001
    """``report`` as a JUnit document; errors are failures, undecided checks are skipped cases."""
    suites = list(_suites(report))
    total = sum(len(suite.cases) for suite in suites)
    failures = sum(suite.failures for suite in suites)
    head = _attributes(name="trainergen", tests=total, failures=failures, errors=0)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites{head}>"]
    for suite in suites:
        counts = _attributes(
            name=suite.name, tests=len(suite.cases), failures=suite.failures, errors=0, skipped=suite.skipped
        )
        lines += [f"  <testsuite{counts}>", *suite.cases, "  </testsuite>"]
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _suites(report: Report) -> Iterator[_Suite]:
    findings: dict[str, list[Finding]] = {}
    undecided: dict[str, list[LocatedNotEvaluated]] = {}
    for finding in report.findings:
        findings.setdefault(finding.file or _NO_FILE, []).append(finding)
    for item in report.not_evaluated:
        undecided.setdefault(item.file or _NO_FILE, []).append(item)
    # A document without any case is taken for a broken run by some servers, so an empty report passes one of its own.
    names = {*findings, *undecided, *report.checked} or {_NO_FILE}
    for name in sorted(names):
        mine, open_ones = findings.get(name, []), undecided.get(name, [])
        cases = [_finding_case(name, finding) for finding in mine] + [_skipped_case(name, item) for item in open_ones]
        failures = sum(1 for finding in mine if finding.severity is Severity.ERROR)
        yield _Suite(name, tuple(cases or [_clean_case(name, report)]), failures, len(open_ones))


def _finding_case(name: str, finding: Finding) -> str:
    about = " ".join(part for part in (finding.rule, finding.name, object_name(finding.object), finding.path) if part)
    text = f"{place_of(finding)}: {finding.severity}[{finding.rule}] {finding.message}"
    if finding.help:
        text += f"\nhelp: {finding.help}"
    if finding.severity is Severity.ERROR:
        inner = f"<failure{_attributes(type=finding.rule, message=finding.message)}>{_text(text)}</failure>"
    else:
        inner = f"<system-out>{_text(text)}</system-out>"
    return _case(name, about, inner)


def _skipped_case(name: str, item: LocatedNotEvaluated) -> str:
    about = " ".join(part for part in (item.check, object_name(item.object), item.path) if part)
    return _case(name, about, f"<skipped{_attributes(message=f'{place_of(item)}: not evaluated: {item.reason}')}/>")


def _clean_case(name: str, report: Report) -> str:
    return f"    <testcase{_attributes(classname=name, name=f'no findings for Trainer {report.release}')}/>"


def _case(name: str, about: str, inner: str) -> str:
    return f"    <testcase{_attributes(classname=name, name=about)}>\n      {inner}\n    </testcase>"


def _attributes(**values: str | int) -> str:
    return "".join(f' {name}="{_clean(str(value)).translate(_ATTRIBUTE)}"' for name, value in values.items())


def _text(value: str) -> str:
    return _clean(value).translate(_TEXT)


def _clean(value: str) -> str:
    return _NOT_XML.sub("\ufffd", value)
