"""A comparison for programs: one JSON object, keys in a fixed order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.diff.change import Impact

if TYPE_CHECKING:
    from trainergen.diff.change import Change, ObjectChanges
    from trainergen.diff.footprint import Footprint
    from trainergen.diff.report import DiffReport, JobChanges, NotCompared, RuntimeChanges, Side
    from trainergen.finding import Finding, JsonObject, JsonValue, ObjectRef


def render(report: DiffReport) -> str:
    """``report`` as indented JSON. The keys are an interface; new ones may be added.

    Every change has ``path`` (items of lists by their key, empty for the whole object), ``kind`` (``added``,
    ``removed``, ``changed``, ``order``), ``impact`` (the worst of ``impacts``), ``reason``, ``refusal`` (who refuses
    the change in place, or empty), ``remedy``, ``old`` and ``new`` (null for a side that lacks the value, and for whole
    objects), ``origin`` (whose value it is) and ``origin_path``.
    """
    return json.dumps(as_object(report), indent=2, ensure_ascii=False) + "\n"


def as_object(report: DiffReport) -> JsonObject:
    """``report`` as plain dictionaries."""
    impacts: JsonObject = {impact.value: report.counts[impact] for impact in reversed(Impact)}
    return {
        "tool": {"name": "trainergen", "version": report.version},
        "old": _side(report.old),
        "new": _side(report.new),
        "summary": {
            "compared": report.compared,
            "differing": len(report.jobs),
            "unchanged": report.unchanged,
            "not_compared": len(report.not_compared),
            "worst": None if report.worst is None else report.worst.value,
            "impacts": impacts,
        },
        "jobs": [_job(job) for job in report.jobs],
        "runtimes": [_runtime(runtime) for runtime in report.runtimes],
        "not_compared": [_not_compared(item) for item in report.not_compared],
        "findings": [_finding(finding) for finding in report.findings],
    }


def _side(side: Side) -> JsonObject:
    return {"release": side.release, "revision": side.revision or None}


def _job(job: JobChanges) -> JsonObject:
    return {
        "object": _ref(job.ref),
        "file": job.file,
        "kind": job.kind.value,
        "impact": None if job.worst is None else job.worst.value,
        "notes": [*job.notes],
        "before": _footprint(job.before),
        "after": _footprint(job.after),
        "verdicts": [_change(change) for change in job.verdicts],
        "objects": [_object(obj) for obj in job.objects],
    }


def _object(obj: ObjectChanges) -> JsonObject:
    return {"object": _ref(obj.ref), "kind": obj.kind.value, "changes": [_change(change) for change in obj.changes]}


def _change(change: Change) -> JsonObject:
    impacts: list[JsonValue] = [impact.value for impact in change.impacts]
    return {
        "path": change.place,
        "kind": change.kind.value,
        "impact": change.impact.value,
        "impacts": impacts,
        "reason": change.reason,
        "refusal": change.refusal,
        "remedy": change.remedy,
        "old": change.old,
        "new": change.new,
        "origin": change.origin,
        "origin_path": change.origin_path,
    }


def _runtime(runtime: RuntimeChanges) -> JsonObject:
    return {
        "object": _ref(runtime.ref),
        "file": runtime.file,
        "used_by": [*runtime.used_by],
        "note": runtime.note,
        "verdicts": [_change(change) for change in runtime.verdicts],
    }


def _not_compared(item: NotCompared) -> JsonObject:
    return {"object": _ref(item.ref), "file": item.file, "reason": item.reason, "help": item.help}


def _finding(finding: Finding) -> JsonObject:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
    }


def _footprint(footprint: Footprint | None) -> JsonObject | None:
    if footprint is None:
        return None
    return {"pods": footprint.pods, "resources": dict(footprint.resources)}


def _ref(ref: ObjectRef) -> JsonObject:
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
