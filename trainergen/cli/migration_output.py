"""The report of ``trainergen migrate``, as text and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import trainergen
from trainergen.engine.migrating import severities
from trainergen.finding import Severity, format_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.engine.migrating import FileMigration, MigratedObject, MigrateReport
    from trainergen.finding import Finding, JsonObject


def text_report(report: MigrateReport, *, notes: bool) -> str:
    """The report to read."""
    return "\n".join([*_lines(report, notes=notes), ""])


def _lines(report: MigrateReport, *, notes: bool) -> Iterator[str]:
    for finding in report.findings:
        yield from _finding(finding)
    for file in report.files:
        for finding in file.findings:
            yield from _finding(finding)
        for one in file.objects:
            yield f"{file.name}:{one.document.line}: {one.title} -> {_titles(one)}"
            for finding in sorted(one.warnings, key=_order):
                yield from _finding(finding)
            if notes and one.migration.notes:
                yield "  what scripts and dashboards must change:"
                yield from (f"    {note}" for note in one.migration.notes)
        if file.new is None:
            yield f"{file.name}: not written: {_why(file)}"
    yield _summary(report)


def _why(file: FileMigration) -> str:
    if file.findings:
        return "mend what is said above first"
    names = ", ".join(dict.fromkeys(loss.name for loss in file.losses))
    return f"accept the loss with --accept {names}" if names else "its form cannot be rewritten"


def _titles(one: MigratedObject) -> str:
    names = []
    for each in one.migration.objects:
        metadata = each["metadata"]
        assert isinstance(metadata, dict)
        names.append(f"{each['kind']} {metadata.get('name', metadata.get('generateName', ''))}")
    return ", ".join(names) or "nothing"


def _order(finding: Finding) -> tuple[int, int, int]:
    return list(Severity).index(finding.severity), finding.line, finding.column


def _finding(finding: Finding) -> Iterator[str]:
    head = f"{finding.severity}[{finding.rule}] {finding.name}"
    yield f"  {finding.file}:{finding.line}:{finding.column}: {head}: {finding.message}"
    if finding.help:
        yield f"    help: {finding.help}"


def _summary(report: MigrateReport) -> str:
    counts = severities(report.warnings)
    objects = sum(len(file.objects) for file in report.files)
    written = sum(file.new is not None for file in report.files)
    return (
        f"{objects} legacy jobs in {len(report.files)} files for Trainer {report.target}, {written} to be written:"
        f" {counts[Severity.ERROR]} errors, {counts[Severity.WARNING]} warnings, {counts[Severity.INFO]} infos"
    )


def json_report(report: MigrateReport) -> str:
    """The report for machines; ``mapping`` says what became of every value."""
    counts = severities(report.warnings)
    content: JsonObject = {
        "tool": {"name": "trainergen", "version": trainergen.__version__},
        "target": report.target,
        "summary": {
            "files": len(report.files),
            "objects": sum(len(file.objects) for file in report.files),
            "writable": sum(file.new is not None for file in report.files),
            "errors": counts[Severity.ERROR],
            "warnings": counts[Severity.WARNING],
            "infos": counts[Severity.INFO],
        },
        "findings": [_entry(each) for each in report.findings],
        "files": [_file(file) for file in report.files],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _file(file: FileMigration) -> JsonObject:
    return {
        "file": file.name,
        "writable": file.new is not None,
        "findings": [_entry(each) for each in file.findings],
        "objects": [_object(one) for one in file.objects],
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


def is_unreadable(findings: Iterable[Finding]) -> bool:
    """True when a path could not be read."""
    from trainergen.source.checks import INPUT_CHECKS

    return any(finding.rule in INPUT_CHECKS for finding in findings)
