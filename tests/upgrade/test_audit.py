"""The audit of the installation: pins, values of the chart, the rules on deliveries, and the plan in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

if TYPE_CHECKING:
    from trainergen.upgrade.audit import Audit

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: trainer, namespace: kubeflow-system}
spec:
  interval: 1h
  chart:
    spec:
      chart: kubeflow-trainer
      version: 2.1.0
      sourceRef: {kind: HelmRepository, name: kubeflow}
  values:
    manager:
      annotations: {a: b}
"""
KUSTOMIZATION = "resources:\n  - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.1.0\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def audited(start: str, to: str, **files: str) -> Audit:
    for name, text in files.items():
        Path(f"{name}.yaml").write_text(text)
    found = run_upgrade(UpgradeOptions((".",), start, to)).audit
    assert found is not None
    return found


def test_pins_are_listed_with_what_to_write() -> None:
    found = audited("2.1", "2.3", kustomization=KUSTOMIZATION, trainer=RELEASE)
    assert [(pin.file, pin.line, pin.write) for pin in found.pins] == [
        ("kustomization.yaml", 2, "v2.3.0"),
        ("trainer.yaml", 9, "2.3.0"),
    ]


def test_pins_of_the_target_are_not_listed() -> None:
    assert audited("2.1", "2.1", trainer=RELEASE).pins == ()


def test_rules_on_deliveries_speak_in_the_audit() -> None:
    found = audited("2.1", "2.3", trainer=RELEASE)
    assert found.findings
    assert all(finding.rule.startswith(("TG7", "TG8")) for finding in found.findings)


def test_values_that_the_chart_lost_are_named_only_where_the_chart_is_used() -> None:
    assert "manager.annotations is no value of the chart any more" in audited("2.1", "2.2", trainer=RELEASE).values


def test_a_tree_without_the_chart_hears_nothing_of_values() -> None:
    assert audited("2.1", "2.2", kustomization=KUSTOMIZATION).values == ()


STEPS = {
    "2.0 to 2.1 needs no adoption": ("2.0", "2.1", (), ("adopts the CRDs", "Stop at", "mutating webhook", "hook Job")),
    "2.1 to 2.2 brings a webhook and drops texts": (
        "2.1",
        "2.2",
        ("mutating webhook", "stored TrainJobs", "JobSet 0.11"),
        ("adopts the CRDs", "Stop at"),
    ),
    "2.2 to 2.3 is the mandatory stop": (
        "2.2",
        "2.3",
        ("Stop at 2.3", "resource-in-use", "--take-ownership", "crds.enabled", "hook Job", "JobSet 0.12"),
        ("stored TrainJobs", "mutating webhook"),
    ),
}


@pytest.mark.parametrize(("start", "to", "there", "missing"), STEPS.values(), ids=STEPS.keys())
def test_the_plan_says_what_the_hop_needs(
    start: str, to: str, there: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    text = "\n".join(audited(start, to).steps)
    assert [words for words in there if words not in text] == []
    assert [words for words in missing if words in text] == []


def test_definitions_come_before_controllers_before_runtimes_before_jobs() -> None:
    steps = audited("2.1", "2.3").steps
    order = [
        next(at for at, step in enumerate(steps) if step.startswith(words))
        for words in ("Apply the CRDs", "Upgrade JobSet", "Upgrade the runtimes", "Apply the upgraded TrainJobs")
    ]
    assert order == sorted(order)


def test_nothing_is_planned_for_the_release_that_is_there() -> None:
    assert audited("2.3", "2.3").steps == ()
