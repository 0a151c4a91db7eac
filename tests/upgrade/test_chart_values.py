"""Overrides that a chart keeps in its values: template and values become patches together, or are both reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.engine.upgrading import UpgradeOptions, run_upgrade
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from trainergen.upgrade.report import UpgradeReport

HEAD = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: "{{ .Release.Name }}"}
spec:
  runtimeRef: {name: torch-distributed}
"""
WRITTEN = HEAD + "  podTemplateOverrides:\n    {{- toYaml .Values.job.overrides | nindent 4 }}\n"
VALUES = """\
image: a # ours
job:
  # the pool
  overrides:
    - targetJobs: [{name: node}]
      spec:
        nodeSelector: {pool: a100} # big
  nodes: 2
"""
PATCHES = """\
image: a # ours
job:
  # the pool
  overrides:
    - manager: trainergen.io/upgrade
      trainingRuntimeSpec:
        template:
          spec:
            replicatedJobs:
              - name: node
                template:
                  spec:
                    template:
                      spec:
                        nodeSelector: {pool: a100} # big
  nodes: 2
"""


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def run(files: dict[str, str]) -> UpgradeReport:
    chart = {"Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n"}
    for name, text in (chart | files).items():
        path = Path("chart", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))


def written(report: UpgradeReport) -> dict[str, str]:
    return {file.name: file.new.decode() for file in report.to_write}


TEMPLATES = {
    "by name": WRITTEN,
    "piped, in a condition": HEAD
    + "  {{- if .Values.job.overrides }}\n  podTemplateOverrides: {{ .Values.job.overrides | toYaml | nindent 4 }}\n"
    "  {{- end }}\n",
    "by with": HEAD
    + "  {{- with .Values.job.overrides }}\n  podTemplateOverrides:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n",
}


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES.keys())
def test_template_and_values_become_patches_together(template: str) -> None:
    report = run({"templates/job.yaml": template, "values.yaml": VALUES, "values-prod.yaml": "job: {nodes: 3}\n"})
    assert written(report) == {
        "chart/templates/job.yaml": template.replace("podTemplateOverrides", "runtimePatches"),
        "chart/values.yaml": PATCHES,
    }
    assert report.findings == ()
    for name, text in written(report).items():
        Path(name).write_text(text)
    again = run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))
    assert (again.files, again.findings) == ((), ())


def test_values_that_are_called_like_the_field_keep_their_name() -> None:
    template = WRITTEN.replace("job.overrides", "podTemplateOverrides")
    values = "podTemplateOverrides:\n  - targetJobs: [{name: node}]\n    spec: {serviceAccountName: sa}\n"
    report = run({"templates/job.yaml": template, "values.yaml": values})
    new = written(report)
    assert "  runtimePatches:\n    {{- toYaml .Values.podTemplateOverrides" in new["chart/templates/job.yaml"]
    assert new["chart/values.yaml"].startswith("podTemplateOverrides:\n  - manager: trainergen.io/upgrade\n")
    for name, text in new.items():
        Path(name).write_text(text)
    again = run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))
    assert (again.files, again.findings) == ((), ())


LEFT = {
    "used elsewhere too": ({"templates/other.yaml": "a: {{ toYaml .Values.job.overrides }}\n"}, WRITTEN, VALUES),
    "written out as a whole": ({"templates/other.yaml": "a: {{ toYaml .Values.job | indent 2 }}\n"}, WRITTEN, VALUES),
    "beside labels": ({}, WRITTEN + "  labels: {a: b}\n", VALUES),
    "no list": ({}, WRITTEN, "job: {overrides: 3}\n"),
    "no values": ({}, WRITTEN, "job: {}\n"),
    "unknown fields": ({}, WRITTEN, VALUES.replace("spec:", "spek:")),
    "shared values": ({}, WRITTEN, VALUES.replace("overrides:", "overrides: &o") + "  more: *o\n"),
    "another file that cannot be edited": ({"values-b.yaml": "job: {overrides: {a: b}}\n"}, WRITTEN, VALUES),
    "a file that is no YAML": ({"values-b.yaml": "job: [\n"}, WRITTEN, VALUES),
}


@pytest.mark.parametrize(("files", "template", "values"), LEFT.values(), ids=LEFT.keys())
def test_where_one_of_them_cannot_follow_the_template_is_reported(
    files: dict[str, str], template: str, values: str
) -> None:
    report = run({**files, "templates/job.yaml": template, "values.yaml": values})
    assert report.files == ()
    assert ("TG836", "chart/templates/job.yaml") in [(finding.rule, finding.file) for finding in report.findings]


def test_files_that_cannot_be_read_do_not_hide_the_others() -> None:
    for name in ("chart/templates/big.yaml", "chart/values-big.yaml", "kustomization.yaml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b"# trainer.kubeflow.org\n" + b"#" * DEFAULT_LIMITS.file_bytes)
    report = run({"templates/job.yaml": WRITTEN, "values.yaml": VALUES})
    assert sorted(written(report)) == ["chart/templates/job.yaml", "chart/values.yaml"]
    assert len([finding for finding in report.findings if finding.rule in INPUT_CHECKS]) == 3
