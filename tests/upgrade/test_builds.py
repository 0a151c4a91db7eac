"""The proof over builds: what kustomizations give before and after, and what is held back for it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from tests.upgrade.conftest import upgraded
from tests.upgrade.test_patches import HEAD as PATCH_HEAD
from tests.upgrade.test_patches import MERGES, OPERATIONS, TARGET, base_of, overlay
from trainergen.built import runs
from trainergen.built import tools as installed
from trainergen.built.builder import build_all
from trainergen.built.targets import find_targets
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade
from trainergen.source.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject
    from trainergen.upgrade.report import UpgradeReport

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: mnist}
spec:
  runtimeRef: {name: own}
  trainer: {numNodes: 2}
  podTemplateOverrides:
    - targetJobs: [{name: node}]
      spec: {nodeSelector: {pool: a}}
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: own}
spec:
  mlPolicy: {numNodes: 1, torch: {numProcPerNode: 4}}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
            spec: {template: {spec: {containers: [{name: node, image: example.org/torch:1}]}}}
"""
MORE = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: own}
spec: {mlPolicy: {torch: {numProcPerNode: 8}}}
"""
TREE = {
    "base/kustomization.yaml": "resources: [job.yaml, runtime.yaml]\n",
    "base/job.yaml": JOB,
    "base/runtime.yaml": RUNTIME,
    "prod/kustomization.yaml": "resources: [../base]\npatches:\n  - path: p.yaml\n    target: {kind: TrainJob}\n",
    "prod/p.yaml": "- op: replace\n  path: /spec/podTemplateOverrides/0/spec/nodeSelector/pool\n  value: b\n",
}


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    runs.forget()
    yield
    runs.forget()


@pytest.fixture
def kustomize(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real kustomize, of the machine or of the test environment."""
    scripts = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join((scripts, os.environ.get("PATH", os.defpath))))
    if shutil.which("kubectl") is None and shutil.which("kustomize") is None:
        pytest.skip("neither kubectl nor kustomize is installed (extra 'kustomize')")


def run(files: dict[str, str], *, build: bool = True) -> UpgradeReport:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    return run_upgrade(UpgradeOptions((".",), "2.1", "2.3", build=build))


def rules(report: UpgradeReport) -> list[str]:
    return [finding.rule for finding in report.findings]


@pytest.mark.usefixtures("kustomize")
def test_built_jobs_are_compared_in_place_of_what_they_are_built_from() -> None:
    report = run(TREE)
    assert sorted(file.name for file in report.to_write) == ["base/job.yaml", "base/runtime.yaml", "prod/p.yaml"]
    assert rules(report) == ["TG842"]
    assert [proof.changes.file for proof in report.proofs] == ["prod/kustomization.yaml"]
    assert {change.place for change in report.proofs[0].changes.changes if "nodeSelector" in change.place} == set()
    assert report.unproved == ()


@pytest.mark.usefixtures("kustomize")
def test_what_changes_the_pods_of_an_overlay_is_held_back() -> None:
    overlay = "resources: [../base]\npatches:\n  - path: p.yaml\n    target: {kind: TrainJob}\n  - path: more.yaml\n"
    report = run(TREE | {"prod/kustomization.yaml": overlay, "prod/more.yaml": MORE})
    assert report.to_write == ()
    held = {file.name: file.held for file in report.files}
    assert held["base/job.yaml"] == held["prod/more.yaml"] == "it would change what prod gives"
    (finding,) = [one for one in report.findings if one.rule == "TG837"]
    assert "PET_NPROC_PER_NODE" in finding.message
    assert "after the build of prod" in finding.message
    assert rules(run({}, build=False)).count("TG837") == 0


@pytest.mark.usefixtures("kustomize")
def test_a_build_that_fails_without_the_edits_is_said_to_be_unproved() -> None:
    report = run(TREE | {"prod/kustomization.yaml": "resources: [../base, gone.yaml]\npatches: [{path: p.yaml}]\n"})
    (item,) = report.unproved
    assert (item.ref.kind, item.ref.name, item.file) == ("kustomization", "prod", "prod/kustomization.yaml")
    assert "gone.yaml" in item.reason


@pytest.mark.usefixtures("kustomize")
def test_a_build_that_the_edits_break_holds_them_back() -> None:
    overlay = (
        "resources: [../base]\npatches:\n  - path: p.yaml\n    target: {kind: TrainJob}\nreplacements:\n"
        "  - source: {kind: TrainJob, fieldPath: spec.podTemplateOverrides.0.spec.nodeSelector.pool}\n"
        "    targets: [{select: {kind: TrainJob}, fieldPaths: ['metadata.labels.pool'], options: {create: true}}]\n"
    )
    report = run(TREE | {"prod/kustomization.yaml": overlay})
    assert report.to_write == ()
    (finding,) = [one for one in report.findings if one.rule == "TG837"]
    assert (finding.file, finding.line) == ("prod/kustomization.yaml", 1)
    assert "the build fails" in finding.message


def test_without_a_tool_it_is_said_that_nothing_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(installed, "find_spec", lambda name: None)
    report = run(TREE)
    assert [(item.ref.name, item.reason) for item in report.unproved] == [
        ("prod", f"it is not built: {installed.KUSTOMIZE_MISSING}")
    ]
    assert len(report.to_write) == 3


def test_without_being_asked_nothing_is_built_and_edited_patches_are_named() -> None:
    report = run(TREE, build=False)
    assert [(item.ref.kind, item.file) for item in report.unproved] == [("fragment", "prod/p.yaml")]
    assert "--build" in report.unproved[0].help


@pytest.mark.usefixtures("kustomize")
@pytest.mark.parametrize(
    ("spec", "patch", "target"),
    [(spec, before, TARGET) for spec, before, _ in OPERATIONS.values()]
    + [(spec, PATCH_HEAD + indent(before, "  "), "") for spec, before, _ in MERGES.values()],
    ids=[*OPERATIONS, *MERGES],
)
def test_the_build_of_what_was_upgraded_is_the_upgrade_of_the_build(spec: str, patch: str, target: str) -> None:
    tree = overlay(patch, base=base_of(spec), target=target)
    report = run(tree)
    before = built()
    for file in report.to_write:
        Path(file.name).write_bytes(file.new)
    assert built() == [upgraded(json.dumps(one)).objects[0] for one in before]


def built() -> list[JsonObject]:
    runs.forget()
    targets = find_targets(discover(("prod",)).files)
    (build,) = build_all(targets)
    assert build.objects is not None
    return build.objects


HELM = r"""
import pathlib, re
for path in sorted(pathlib.Path(sys.argv[3]).glob("templates/*.yaml")):
    text = re.sub(r"(?m)^\s*\{\{.*\}\}\n", "", path.read_text()).replace("{{ .Release.Name }}", sys.argv[2])
    print(f"---\n# Source: {sys.argv[2]}/templates/{path.name}\n{text}")
"""
CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n",
    "chart/templates/job.yaml": "{{ if true }}\n" + JOB.replace("mnist", "{{ .Release.Name }}-a") + "{{ end }}\n",
}


@pytest.fixture
def helm(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that fills in the release's name and leaves lines of actions out."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "helm"
    program.write_text(f"#!{sys.executable} -S\nimport sys\n{HELM}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.usefixtures("helm")
def test_templates_are_proved_as_the_chart_renders_them() -> None:
    runtime = RUNTIME.replace("torch: {numProcPerNode: 4}", "torch: {}")
    report = run(CHART | {"chart/templates/runtime.yaml": runtime})
    (file,) = report.to_write
    assert file.name == "chart/templates/job.yaml"
    assert [proof.changes.file for proof in report.proofs] == ["chart/Chart.yaml"]
    assert (report.unproved, report.findings) == ((), ())


@pytest.mark.usefixtures("helm")
def test_templates_whose_edits_change_pods_are_held_back() -> None:
    own = "'{{ .Release.Name }}'"
    files = {name: text.replace("{name: own}", f"{{name: {own}}}") for name, text in CHART.items()}
    report = run(files | {"chart/templates/runtime.yaml": RUNTIME.replace("{name: own}", f"{{name: {own}}}")})
    assert report.to_write == ()
    assert {file.held for file in report.files} == {"it would change what chart gives"}
    assert "TG837" in rules(report)
