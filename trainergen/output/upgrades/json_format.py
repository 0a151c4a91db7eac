"""An upgrade for programs: one JSON object, keys in a fixed order."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from trainergen.finding import Severity

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, ObjectRef
    from trainergen.upgrade.audit import Audit, PinAudit
    from trainergen.upgrade.live.report import LiveAudit
    from trainergen.upgrade.report import FileUpgrade, Proved, UpgradeReport


def render(report: UpgradeReport) -> str:
    """``report`` as indented JSON. The keys are an interface; new ones may be added.

    A file that is not written has a text in ``held``. Every change of ``jobs`` has the ``reason`` why the upgrade
    brings it; ``install`` is null when the tree says nothing of an installation, ``cluster`` when none was looked at.
    """
    return json.dumps(_as_object(report), indent=2, ensure_ascii=False) + "\n"


def _as_object(report: UpgradeReport) -> JsonObject:
    return {
        "tool": {"name": "trainergen", "version": report.version},
        "from": report.from_release,
        "to": report.to_release,
        "reason": report.release_reason,
        "summary": {
            "to_write": len(report.to_write),
            "held": sum(bool(file.held) for file in report.files),
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "compared": len(report.proofs) + report.unchanged,
            "unchanged": report.unchanged,
            "reasons": dict(sorted(report.reasons.items())),
        },
        "files": [_file(file) for file in report.files],
        "findings": [_finding(finding) for finding in report.findings],
        "jobs": [_job(proof) for proof in report.proofs],
        "not_compared": [
            {"object": _ref(item.ref), "file": item.file, "reason": item.reason, "help": item.help}
            for item in report.unproved
        ],
        "install": None if report.audit is None else _audit(report.audit),
        "cluster": None if report.live is None else _live(report.live),
    }


def _file(file: FileUpgrade) -> JsonObject:
    return {
        "file": file.name,
        "held": file.held,
        "objects": [{"object": _ref(one.ref), "line": one.line, "notes": [*one.notes]} for one in file.objects],
        "diff": file.patch,
    }


def _finding(finding: Finding) -> JsonObject:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "object": None if finding.object is None else _ref(finding.object),
        "path": finding.path,
    }


def _job(proof: Proved) -> JsonObject:
    named = [("TrainJob", change) for change in proof.changes.verdicts]
    named += [(f"{obj.ref.kind} {obj.ref.name}", change) for obj in proof.changes.objects for change in obj.changes]
    return {
        "object": _ref(proof.changes.ref),
        "file": proof.changes.file,
        "changes": [
            {
                "object": name,
                "path": change.place,
                "kind": change.kind.value,
                "impact": change.impact.value,
                "old": change.old,
                "new": change.new,
                "reason": reason,
            }
            for (name, change), reason in zip(named, proof.reasons, strict=True)
        ],
    }


def _audit(audit: Audit) -> JsonObject:
    return {
        "pins": [_pin(pin) for pin in audit.pins],
        "companions": [
            {
                "name": one.name,
                "before": one.before,
                "after": one.after,
                "version": one.version,
                "why": one.why,
                "pins": [_pin(pin) for pin in one.pins],
            }
            for one in audit.companions
        ],
        "crds": [
            {
                "file": one.file,
                "line": one.line,
                "name": one.crd.name,
                "of": one.crd.of,
                "release": one.crd.release,
                "differing": one.crd.differing,
                "write": one.write,
            }
            for one in audit.crds
        ],
        "values": [*audit.values],
        "findings": [_finding(finding) for finding in audit.findings],
        "steps": [*audit.steps],
    }


def _live(live: LiveAudit) -> JsonObject:
    """Field by field, as it is named in the audit; TrainJobs are counted by phase."""
    found = asdict(replace(live, findings=()))
    found["phases"] = dict(live.phases)
    found["findings"] = [_finding(finding) for finding in live.findings]
    return found


def _pin(pin: PinAudit) -> JsonObject:
    return {"file": pin.file, "line": pin.line, "what": pin.what, "version": pin.version, "write": pin.write}


def _ref(ref: ObjectRef) -> JsonObject:
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
