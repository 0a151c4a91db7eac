"""The format for programs: the report as one JSON object, keys in a fixed order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, ObjectRef
    from trainergen.output.options import OutputOptions
    from trainergen.report import LocatedNotEvaluated, Report


def render(report: Report, options: OutputOptions) -> str:  # noqa: ARG001
    """``report`` as indented JSON; ``line`` 0 means the whole file, ``end_column`` is exclusive."""
    return json.dumps(as_object(report), indent=2, ensure_ascii=False) + "\n"


def as_object(report: Report) -> JsonObject:
    """``report`` as plain dictionaries, for JSON."""
    return {
        "tool": {"name": "trainergen", "version": report.version},
        "release": report.release,
        "summary": report.summary._asdict(),
        "findings": [_finding(finding) for finding in report.findings],
        "not_evaluated": [_not_evaluated(item) for item in report.not_evaluated],
        "skipped": dict(report.skipped),
        "fixed": report.fixed,
        "hidden": report.hidden._asdict(),
        "release_reason": report.release_reason,
    }


def _finding(finding: Finding) -> JsonObject:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "layer": finding.layer.value,
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "document": finding.document,
        "object": _object(finding.object),
        "path": finding.path,
        "fix": finding.fix,
    }


def _not_evaluated(item: LocatedNotEvaluated) -> JsonObject:
    return {
        "check": item.check,
        "reason": item.reason,
        "layer": item.layer.value,
        "file": item.file,
        "line": item.line,
        "column": item.column,
        "document": item.document,
        "object": _object(item.object),
        "path": item.path,
    }


def _object(ref: ObjectRef | None) -> JsonObject | None:
    if ref is None:
        return None
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
