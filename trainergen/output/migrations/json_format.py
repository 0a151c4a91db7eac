"""A migration for programs: one JSON object, keys in a fixed order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import trainergen
from trainergen.finding import Severity, format_path
from trainergen.migrate.report import severities

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.migrate.report import FileMigration, MigratedObject, MigrateReport


def render(report: MigrateReport) -> str:
    """``report`` as indented JSON; ``mapping`` says what became of every value.

    The keys are an interface; new ones may be added. A file that is not written has a text in ``held``; its ``diff``
    is what would come of it if its losses were accepted.
    """
    counts = severities(report.warnings)
    content: JsonObject = {
        "tool": {"name": "trainergen", "version": trainergen.__version__},
        "target": report.target,
        "summary": {
            "files": len(report.files),
            "objects": report.objects,
            "writable": report.written,
            "errors": counts[Severity.ERROR],
            "warnings": counts[Severity.WARNING],
            "infos": counts[Severity.INFO],
        },
        "findings": [_entry(each) for each in report.findings],
        "files": [_file(file) for file in report.files],
        "steps": list(report.steps),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _file(file: FileMigration) -> JsonObject:
    return {
        "file": file.name,
        "writable": file.new is not None,
        "findings": [_entry(each) for each in file.findings],
        "objects": [_object(one) for one in file.objects],
        "held": file.held,
        "diff": file.patch,
    }


def _object(one: MigratedObject) -> JsonObject:
    ref = one.document.ref
    return {
        "object": {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name},
        "line": one.document.line,
        "document": one.document.index,
        "becomes": list(one.migration.objects),
        "warnings": [_entry(each) for each in one.warnings],
        "notes": list(one.migration.notes),
        "mapping": [
            {
                "path": format_path(mark.source),
                "outcome": mark.outcome,
                "kind": mark.kind,
                "target": format_path(mark.target),
                "rule": mark.check,
            }
            for mark in one.migration.mapping
        ],
    }


def _entry(finding: Finding) -> JsonObject:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "path": finding.path,
    }
