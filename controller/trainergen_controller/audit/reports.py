"""PolicyReports of what was audited, one a namespace, as other policy tools write them and dashboards read them.

Source: kubernetes-sigs/wg-policy-prototypes policy-report/pkg/api/wgpolicyk8s.io/v1alpha2/policyreport_types.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from trainergen.finding import Severity
from trainergen_controller.kinds import CLUSTER_POLICY_REPORT, POLICY_REPORT

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen_controller.audit.outcome import Audit
    from trainergen_controller.passes.actions import Object

NAME = "trainergen"
SOURCE = "trainergen"
LARGEST = 1000
"""Results in one report, so that it stays far below what etcd takes; the summary counts all."""
_RESULT = {Severity.ERROR: ("fail", "high"), Severity.WARNING: ("warn", "medium"), Severity.INFO: ("warn", "info")}
_RANK = {"fail": 0, "error": 1, "warn": 2}
_LABELS = {"app.kubernetes.io/managed-by": "trainergen-controller"}


def policy_reports(audits: Iterable[Audit], name: str = NAME) -> list[Object]:
    """A PolicyReport for each namespace, and a ClusterPolicyReport for what lies in none, in order of the namespaces.

    They hold no times, so that equal audits make equal reports. The worst results come first.
    """
    by_namespace: dict[str, list[Audit]] = {}
    for audit in audits:
        by_namespace.setdefault(audit.ref.namespace, []).append(audit)
    return [_report(namespace, by_namespace[namespace], name) for namespace in sorted(by_namespace)]


def _report(namespace: str, audits: list[Audit], name: str) -> Object:
    results = [result for audit in sorted(audits, key=lambda each: each.ref) for result in _results(audit)]
    results.sort(key=lambda each: _RANK[each["result"]])
    counts = Counter(each["result"] for each in results)
    counts["pass"] = sum(audit.clean for audit in audits)
    counts["skip"] = sum(len(audit.not_evaluated) for audit in audits)
    kind = POLICY_REPORT if namespace else CLUSTER_POLICY_REPORT
    metadata: Object = {"name": name, "labels": dict(_LABELS)}
    if namespace:
        metadata["namespace"] = namespace
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": metadata,
        "summary": {word: counts[word] for word in ("pass", "fail", "warn", "error", "skip")},
        "results": results[:LARGEST],
    }


def _results(audit: Audit) -> Iterable[Object]:
    for finding in audit.findings:
        yield _finding(audit, finding)
    if audit.failure:
        yield _result(audit, "error", "high", rule="render", message=audit.failure)
    for drift in audit.drift:
        properties = {"path": drift.path, "impact": str(drift.impact), "managers": ", ".join(drift.managers)}
        yield _result(audit, "fail", "medium", rule="drift", message=str(drift), **properties)


def _finding(audit: Audit, finding: Finding) -> Object:
    result, severity = _RESULT[finding.severity]
    properties = {"path": finding.path, "name": finding.name, "help": finding.help}
    return _result(
        audit, result, severity, rule=finding.rule, category=str(finding.layer), message=finding.message, **properties
    )


def _result(
    audit: Audit, result: str, severity: str, *, rule: str, message: str, category: str = "drift", **properties: Any
) -> Object:
    ref = audit.ref
    about = {
        "apiVersion": ref.api_version,
        "kind": ref.kind,
        "namespace": ref.namespace,
        "name": ref.name,
        "uid": audit.uid,
    }
    return {
        "source": SOURCE,
        "policy": SOURCE,
        "rule": rule,
        "category": category,
        "severity": severity,
        "result": result,
        "scored": True,
        "message": message,
        "resources": [{key: value for key, value in about.items() if value}],
        "properties": {key: value for key, value in properties.items() if value},
    }
