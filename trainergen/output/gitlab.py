"""GitLab Code Quality: a list of issues, the undecided checks among them as information."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.output.fingerprints import Fingerprints

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.output.options import OutputOptions
    from trainergen.report import LocatedNotEvaluated, Report

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report, options: OutputOptions) -> str:  # noqa: ARG001
    """``report`` as Code Quality JSON; an error that the cluster would refuse is critical, our own errors are major."""
    fingerprints = Fingerprints()
    issues: list[JsonValue] = [_issue(finding, fingerprints.of_finding(finding)) for finding in report.findings]
    issues += [_undecided(item, fingerprints.of_not_evaluated(item)) for item in report.not_evaluated]
    return json.dumps(issues, indent=2, ensure_ascii=False) + "\n"


def _issue(finding: Finding, fingerprint: str) -> JsonObject:
    text = f"{finding.rule} {finding.name}: {finding.message}"
    return {
        "description": f"{text}. {finding.help}" if finding.help else text,
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": "critical" if finding.refuses else _SEVERITIES[finding.severity],
        "location": {
            "path": _path(finding.file),
            "lines": {"begin": max(1, finding.line), "end": max(1, finding.line, finding.end_line)},
        },
    }


def _undecided(item: LocatedNotEvaluated, fingerprint: str) -> JsonObject:
    return {
        "description": f"{item.check} was not evaluated: {item.reason}",
        "check_name": item.check,
        "fingerprint": fingerprint,
        "severity": "info",
        "location": {"path": _path(item.file), "lines": {"begin": max(1, item.line)}},
    }


def _path(file: str) -> str:
    # NB: GitLab matches paths of the repository and drops those that start with "./".
    return file.removeprefix("./")
