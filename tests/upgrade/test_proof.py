"""Both sides rendered: what the releases change has its reason, and edits that would show in Pods are held back."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.manifests import GOOD, RUNTIME, USES_RUNTIME
from trainergen.diff import Impact
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

if TYPE_CHECKING:
    from trainergen.upgrade.report import UpgradeReport

ORACLE = Path(__file__).parent.parent / "oracle"
OVERRIDES = "  podTemplateOverrides:\n    - targetJobs: [{name: NAME}]\n      spec: {serviceAccountName: sa}\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def run(start: str = "2.1", to: str = "2.3", **files: str) -> UpgradeReport:
    for name, text in files.items():
        Path(f"{name}.yaml").write_text(text)
    return run_upgrade(UpgradeOptions((".",), start, to))


def rules(report: UpgradeReport) -> list[str]:
    return [finding.rule for finding in report.findings]


def test_an_override_changes_nothing_but_what_the_releases_change() -> None:
    report = run(runtime=RUNTIME, job=USES_RUNTIME + OVERRIDES.replace("NAME", "node"))
    assert [file.held for file in report.files] == [""]
    assert report.findings == ()
    assert {change.impact for proof in report.proofs for change in proof.changes.changes} == {Impact.COSMETIC}
    assert "the runtime is kept in a ConfigMap at the first reconcile" in report.reasons


def test_overrides_of_2_0_are_proved_against_2_0() -> None:
    old = "  podSpecOverrides:\n    - targetJobs: [{name: node}]\n      serviceAccountName: sa\n"
    report = run(runtime=RUNTIME, job=USES_RUNTIME + old)
    assert [file.held for file in report.files] == [""]
    assert not any("serviceAccountName" in change.place for proof in report.proofs for change in proof.changes.changes)


def test_an_override_of_a_job_that_is_not_there_would_make_one_and_is_held_back() -> None:
    before = USES_RUNTIME + OVERRIDES.replace("NAME", "other")
    report = run(runtime=RUNTIME, job=before)
    (file,) = report.files
    assert file.held == "it would change the Pods of team-a/mnist"
    assert file.new == before.encode()
    assert "TG837" in rules(report)
    assert report.to_write == ()


def test_a_runtime_is_held_back_with_the_job_that_cannot_follow() -> None:
    report = run(
        runtime=RUNTIME.replace("torch: {}", "torch: {numProcPerNode: gpu}"),
        job=USES_RUNTIME.replace("numNodes: 2", "resourcesPerNode: {requests: {cpu: 2}}"),
    )
    assert {"TG831", "TG837"} <= set(rules(report))
    assert report.to_write == ()


def test_processes_move_from_the_runtime_without_a_change() -> None:
    report = run(runtime=RUNTIME.replace("torch: {}", "torch: {numProcPerNode: 4}"), job=USES_RUNTIME)
    assert sorted(file.name for file in report.to_write) == ["job.yaml", "runtime.yaml"]
    assert not any("PET" in change.place for proof in report.proofs for change in proof.changes.changes)


def test_resources_that_are_merged_from_2_3_on_are_a_warning() -> None:
    limits = "                      resources: {limits: {nvidia.com/gpu: 1}}\n"
    job = USES_RUNTIME + "    resourcesPerNode: {requests: {cpu: 2}}\n"
    report = run(start="2.2", runtime=RUNTIME + limits, job=job)
    (finding,) = report.findings
    assert (finding.rule, finding.line) == ("TG838", 12)
    assert "nvidia.com/gpu" in finding.message


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("deepspeed-distributed", "the SSH keys get file modes"),
        ("torch-distributed", "it comes from the ClusterTrainingRuntime torch-distributed"),
    ],
)
def test_what_a_release_changes_has_its_reason(name: str, reason: str) -> None:
    report = run(start="2.2", job=GOOD.replace("torch-distributed", name))
    assert reason in report.reasons
    assert report.findings == ()


def test_what_the_target_refuses_is_reported() -> None:
    report = run(job=GOOD + f"    image: {'x' * 501}\n")
    assert rules(report) == ["TG835"]
    assert "Trainer 2.3 refuses it" in report.findings[0].message


def test_what_cannot_be_edited_in_place_is_said_once_and_with_all_of_it() -> None:
    shared = GOOD.replace("spec:\n", "spec: &s\n") + "  labels: {a: b}\n  annotations: {c: d}\n"
    report = run(job=shared)
    assert rules(report) == ["TG834"]
    assert report.files == ()


def test_files_that_cannot_be_read_do_not_hide_the_others() -> None:
    report = run(bad="apiVersion: trainer.kubeflow.org/v1alpha1\nkind: [\n", job=GOOD + "  labels: {a: b}\n")
    assert [file.name for file in report.to_write] == ["job.yaml"]
    assert any(finding.file == "bad.yaml" for finding in report.findings)


@pytest.mark.parametrize("release", ["2.0", "2.1"])
def test_of_recorded_jobs_only_those_are_held_whose_processes_are_lost(release: str) -> None:
    cases = json.loads(lzma.decompress((ORACLE / f"render-{release}.json.xz").read_bytes()))[::4]
    changed = 0
    for number, case in enumerate(cases):
        folder = Path(f"case-{number}")
        folder.mkdir()
        runtimes = [one for one in case["objects"] if str(one.get("kind")).endswith("TrainingRuntime")]
        (folder / "all.json").write_text("\n---\n".join(map(json.dumps, [*runtimes, case["trainjob"]])))
        report = run_upgrade(UpgradeOptions((str(folder),), release, "2.3"))
        assert "TG834" not in rules(report), case["id"]
        assert "TG831" in rules(report) or not any(file.held for file in report.files), case["id"]
        changed += len(report.to_write)
    assert changed > 15
