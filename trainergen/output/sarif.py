"""SARIF 2.1.0, for code scanning: results, the rules they name, and undecided checks as notifications."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from trainergen.output.fingerprints import Fingerprints
from trainergen.output.phrases import object_name

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.output.options import OutputOptions
    from trainergen.report import LocatedNotEvaluated, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NOT_EVALUATED = "not-evaluated"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_LEVEL_ORDER = ("note", "warning", "error")


def render(report: Report, options: OutputOptions) -> str:
    """``report`` as a SARIF log with one run."""
    rules = _rules(report, options)
    index = {str(rule["id"]): number for number, rule in enumerate(rules)}
    fingerprints = Fingerprints()
    run: JsonObject = {
        "tool": {"driver": _driver(report, rules)},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(item, index) for item in report.not_evaluated],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, index[finding.rule], fingerprints.of_finding(finding)) for finding in report.findings
        ],
        "properties": {
            "release": report.release,
            "releaseReason": report.release_reason,
            "summary": report.summary._asdict(),
            "skipped": dict(report.skipped),
            "hidden": report.hidden._asdict(),
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _driver(report: Report, rules: list[JsonObject]) -> JsonObject:
    driver: JsonObject = {"name": "trainergen", "rules": [*rules]}
    if report.version:
        driver["version"] = report.version
    if report.not_evaluated:
        text = "A check could not be decided offline; the reason says what was missing."
        driver["notifications"] = [{"id": NOT_EVALUATED, "shortDescription": {"text": text}}]
    return driver


def _rules(report: Report, options: OutputOptions) -> list[JsonObject]:
    rules: dict[str, JsonObject] = {}
    for finding in report.findings:
        level = _LEVELS[finding.severity]
        known = rules.setdefault(finding.rule, _rule(finding, level, options))
        configuration = known["defaultConfiguration"]
        if isinstance(configuration, dict):
            configuration["level"] = max(str(configuration["level"]), level, key=_LEVEL_ORDER.index)
    return [rules[rule] for rule in sorted(rules)]


def _rule(finding: Finding, level: str, options: OutputOptions) -> JsonObject:
    check = options.checks.get(finding.rule)
    summary = check.summary if check and check.summary else finding.name.replace("-", " ") or finding.rule
    return {
        "id": finding.rule,
        "name": finding.name,
        "shortDescription": {"text": summary},
        "help": {"text": summary},
        "defaultConfiguration": {"level": level},
        "properties": {"layer": finding.layer.value, "tags": [finding.layer.value]},
    }


def _result(finding: Finding, index: int, fingerprint: str) -> JsonObject:
    text = f"{finding.message}\n{finding.help}" if finding.help else finding.message
    result: JsonObject = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
    }
    location = _location(finding)
    if location:
        result["locations"] = [location]
    result["partialFingerprints"] = {"trainergen/v1": fingerprint}
    result["properties"] = {"layer": finding.layer.value, "document": finding.document, "fix": finding.fix}
    return result


def _notification(item: LocatedNotEvaluated, index: dict[str, int]) -> JsonObject:
    associated: JsonObject = {"id": item.check}
    if item.check in index:
        associated["index"] = index[item.check]
    notification: JsonObject = {
        "descriptor": {"id": NOT_EVALUATED, "index": 0},
        "associatedRule": associated,
        "level": "note",
        "message": {"text": f"{item.check} was not evaluated: {item.reason}"},
    }
    location = _location(item)
    if location:
        notification["locations"] = [location]
    return notification


def _location(item: Finding | LocatedNotEvaluated) -> JsonObject:
    location: JsonObject = {}
    if item.file:
        physical: JsonObject = {"artifactLocation": {"uri": uri(item.file)}}
        region = _region(item)
        if region:
            physical["region"] = region
        location["physicalLocation"] = physical
    name = "/".join(part for part in (object_name(item.object), item.path) if part)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    return location


def _region(item: Finding | LocatedNotEvaluated) -> JsonObject:
    if not item.line:
        return {}
    region: JsonObject = {"startLine": item.line}
    if item.column:
        region["startColumn"] = item.column
    end_line, end_column = getattr(item, "end_line", 0), getattr(item, "end_column", 0)
    if end_column and (end_line, end_column) > (item.line, item.column):
        region["endLine"] = end_line
        region["endColumn"] = end_column
    return region


def uri(file: str) -> str:
    """The name of a file as a URI reference: relative names stay relative, absolute ones get the file scheme."""
    if len(file) > 2 and file[1] == ":" and file[2] in "/\\":
        return f"file:///{file[0]}:{_quoted(file[2:].replace(chr(92), '/'))}"
    return f"file://{_quoted(file)}" if file.startswith("/") else _quoted(file)


def _quoted(name: str) -> str:
    # Undecodable bytes of a file name arrive as lone surrogates and leave as the bytes they were.
    try:
        return quote(name.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:
        return quote(name.encode("utf-8", "surrogatepass"), safe="/")
