"""PolicyReports and numbers over many audits."""

from __future__ import annotations

from typing import Any

from trainergen_controller.audit import Audit, Drift, events_of, measures_of, policy_reports
from trainergen_controller.audit.reports import LARGEST

from trainergen.diff.change import Impact
from trainergen.finding import Finding, Layer, NotEvaluated, ObjectRef, Severity

API = "trainer.kubeflow.org/v1alpha1"


def ref(name: str, namespace: str = "ml", kind: str = "TrainJob") -> ObjectRef:
    return ObjectRef(API, kind, namespace, name)


def finding(severity: Severity, rule: str = "TG300") -> Finding:
    return Finding(rule, "a-rule", severity, Layer.LINT, "is wrong", help="Mend it.", at=("spec", "trainer"))


ERROR, WARNING, INFO = (finding(each) for each in (Severity.ERROR, Severity.WARNING, Severity.INFO))
MOVED = Drift("spec.x", Impact.RESTART, "the Pods would be others", 1, 2, ("kubectl",))
AUDITS = [
    Audit(ref("b"), "u-b", (WARNING, INFO)),
    Audit(ref("a"), "u-a", (ERROR,), (MOVED,)),
    Audit(ref("clean"), "u-c"),
    Audit(
        ref("lost", "other"), failure="the runtime is not known", not_evaluated=(NotEvaluated("TG1", "r", Layer.LINT),)
    ),
    Audit(ref("rt", "", "ClusterTrainingRuntime"), "u-r", (WARNING,)),
]


def test_there_is_a_report_for_each_namespace_and_one_for_what_has_none() -> None:
    shown = [(each["kind"], each["metadata"].get("namespace")) for each in policy_reports(AUDITS)]
    assert shown == [("ClusterPolicyReport", None), ("PolicyReport", "ml"), ("PolicyReport", "other")]


def test_a_summary_counts_results_and_clean_objects() -> None:
    cluster, ml, other = (each["summary"] for each in policy_reports(AUDITS))
    assert cluster == {"pass": 0, "fail": 0, "warn": 1, "error": 0, "skip": 0}
    assert ml == {"pass": 1, "fail": 2, "warn": 2, "error": 0, "skip": 0}
    assert other == {"pass": 0, "fail": 0, "warn": 0, "error": 1, "skip": 1}


def test_the_worst_results_come_first_and_name_their_object() -> None:
    results = policy_reports(AUDITS)[1]["results"]
    assert [each["result"] for each in results] == ["fail", "fail", "warn", "warn"]
    assert results[0] == {
        "source": "trainergen",
        "policy": "trainergen",
        "rule": "TG300",
        "category": "lint",
        "severity": "high",
        "result": "fail",
        "scored": True,
        "message": "is wrong",
        "resources": [{"apiVersion": API, "kind": "TrainJob", "namespace": "ml", "name": "a", "uid": "u-a"}],
        "properties": {"path": "spec.trainer", "name": "a-rule", "help": "Mend it."},
    }
    assert results[1]["rule"] == "drift"
    assert results[1]["properties"] == {"path": "spec.x", "impact": "restart", "managers": "kubectl"}


def test_equal_audits_make_equal_reports_in_any_order() -> None:
    assert policy_reports(AUDITS) == policy_reports(AUDITS[::-1])


def test_a_report_stays_small_and_its_summary_true() -> None:
    [report] = policy_reports([Audit(ref(f"job-{number}"), "", (WARNING, ERROR)) for number in range(LARGEST)])
    assert len(report["results"]) == LARGEST
    assert {each["result"] for each in report["results"]} == {"fail"}
    assert (report["summary"]["fail"], report["summary"]["warn"]) == (LARGEST, LARGEST)


def test_the_numbers() -> None:
    measures = measures_of(AUDITS)
    assert measures.findings == {
        ("ml", "TG300", "warning"): 1,
        ("ml", "TG300", "info"): 1,
        ("ml", "TG300", "error"): 1,
        ("", "TG300", "warning"): 1,
    }
    assert measures.drifted == {"ml": 1, "other": 0, "": 0}
    assert measures.audited == {("ml", "TrainJob"): 3, ("other", "TrainJob"): 1, ("", "ClusterTrainingRuntime"): 1}


def test_the_events_of_an_object() -> None:
    notes: dict[str, list[Any]] = {each.ref.name: [event.note for event in events_of(each)] for each in AUDITS}
    assert notes == {
        "b": ["1 warning: TG300 spec.trainer: is wrong"],
        "a": [
            "1 error: TG300 spec.trainer: is wrong",
            "the JobSet is not as rendered: spec.x (by kubectl): the Pods would be others",
        ],
        "clean": [],
        "lost": ["the runtime is not known"],
        "rt": ["1 warning: TG300 spec.trainer: is wrong"],
    }
