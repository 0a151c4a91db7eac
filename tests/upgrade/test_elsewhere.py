"""Removed fields in patches, templates, values and other objects: found, placed, and told what to write."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from tests.manifests import GOOD
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

if TYPE_CHECKING:
    from trainergen.upgrade.report import UpgradeReport

OLD = GOOD + "  podTemplateOverrides:\n    - targetJobs: [{name: node}]\n      spec: {serviceAccountName: sa}\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def run(files: dict[str, str]) -> UpgradeReport:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    return run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))


REPORTED = {
    "a Katib experiment": (
        {
            "a.yaml": "apiVersion: kubeflow.org/v1beta1\nkind: Experiment\nmetadata: {name: x}\nspec:\n"
            "  trialTemplate:\n    trialSpec:\n" + indent(OLD, "      ")
        },
        "a.yaml",
        7,
        "runtimePatches:",
    ),
    "an Argo workflow": (
        {
            "a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: x}\nspec:\n  templates:\n"
            "    - name: train\n      resource:\n        action: create\n        manifest: |\n"
            + indent(OLD, "          ")
        },
        "a.yaml",
        9,
        "runtimePatches:",
    ),
    "a manifest in a ConfigMap": (
        {
            "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  job.yaml: |\n"
            + indent(OLD, "    ")
        },
        "a.yaml",
        5,
        "runtimePatches:",
    ),
    "operations of JSON patch": (
        {
            "kustomization.yaml": "resources: [job.yaml]\npatches:\n  - path: p.yaml\n    target: {kind: TrainJob}\n",
            "job.yaml": GOOD,
            "p.yaml": "- op: add\n  path: /spec/podTemplateOverrides/0/spec/nodeSelector\n  value: {a: b}\n",
        },
        "p.yaml",
        2,
        "/spec/runtimePatches/0",
    ),
    "a patch that no kustomization lists": (
        {"a.yaml": OLD.replace("spec:", "$patch: merge\nspec:", 1)},
        "a.yaml",
        1,
        "runtimePatches:",
    ),
    "an encrypted manifest": (
        {"a.yaml": OLD + "sops: {mac: 'x', lastmodified: 'y'}\n"},
        "a.yaml",
        1,
        "runtimePatches:",
    ),
    "a manifest with a name to fill in": (
        {"a.yaml": OLD.replace("name: mnist", "name: 'x-{{ name }}'")},
        "a.yaml",
        1,
        "runtimePatches:",
    ),
    "a template of a chart whose actions make the fragment": (
        {
            "Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
            "templates/job.yaml": OLD.replace("serviceAccountName: sa", 'serviceAccountName: {{ include "sa" . }}'),
        },
        "templates/job.yaml",
        11,
        'serviceAccountName: {{ include "sa" . }}',
    ),
    "a template of a chart that is no YAML": (
        {
            "Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
            "templates/job.yaml": OLD.replace("kind: TrainJob", "{{ if .x }}kind{{ end }}: TrainJob"),
        },
        "templates/job.yaml",
        11,
        "by hand",
    ),
    "values of a chart": (
        {
            "values.yaml": "image: a\njob:\n  podTemplateOverrides:\n    - targetJobs: [{name: node}]\n"
            "      spec: {serviceAccountName: sa}\n"
        },
        "values.yaml",
        3,
        "in the templates that write it out:\nruntimePatches:\n  - manager: trainergen.io/upgrade\n",
    ),
}


REPORTED |= {
    "a path of a transformer": (
        {"config.yaml": "images:\n  - path: spec/podSpecOverrides/containers/image\n    kind: TrainJob\n"},
        "config.yaml",
        2,
        "replicatedJobs/template/spec/template/spec/containers/image.",
    ),
    "a replacement": (
        {
            "kustomization.yaml": "replacements:\n  - targets:\n      - fieldPaths: [spec.podTemplateOverrides.0.x]\n"
            "        select: {kind: TrainJob}\n"
        },
        "kustomization.yaml",
        3,
        "replicatedJobs/template/spec/template/spec.",
    ),
    "drift that is ignored": (
        {
            "app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x}\nspec:\n"
            "  ignoreDifferences:\n    - kind: TrainJob\n      jsonPointers: [/spec/podTemplateOverrides]\n"
        },
        "app.yaml",
        7,
        "below spec/runtimePatches",
    ),
    "an expression of a policy": (
        {
            "policy.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
            "metadata: {name: x}\nspec:\n  validations:\n    - expression: |\n"
            "        !has(object.spec.podTemplateOverrides) ||\n        size(object.spec.podTemplateOverrides) < 3\n"
        },
        "policy.yaml",
        6,
        "below spec/runtimePatches",
    ),
}


@pytest.mark.parametrize(("files", "name", "line", "words"), REPORTED.values(), ids=REPORTED.keys())
def test_fragments_are_reported_and_left_alone(files: dict[str, str], name: str, line: int, words: str) -> None:
    report = run(files)
    (finding,) = report.findings
    assert (finding.rule, finding.file, finding.line) == ("TG836", name, line)
    assert words in finding.help
    assert report.files == ()


def test_what_the_target_still_has_is_not_reported() -> None:
    for number, (files, _, _, _) in enumerate(REPORTED.values()):
        for name, text in files.items():
            path = Path(str(number), name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("podSpecOverrides", "podTemplateOverrides"))
    report = run_upgrade(UpgradeOptions((".",), "2.0", "2.1"))
    assert (report.findings, report.files) == ((), ())


def test_objects_without_removed_fields_are_not_reported() -> None:
    assert (
        run(
            {"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  j: |\n" + indent(GOOD, "    ")}
        ).findings
        == ()
    )


POSITION = "- op: replace\n  path: /spec/template/spec/replicatedJobs/0/replicas\n  value: 1\n"


@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize(("name", "rules"), [("deepspeed-distributed", ["TG844"]), ("torch-distributed", [])])
def test_patches_by_position_are_told_where_their_job_went(inline: bool, name: str, rules: list[str]) -> None:
    patch = "patch: |\n" + indent(POSITION, "      ") if inline else "path: p.yaml\n"
    target = f"    target: {{kind: ClusterTrainingRuntime, name: {name}}}\n"
    report = run({"kustomization.yaml": f"resources: [a.yaml]\npatches:\n  - {patch}{target}", "p.yaml": POSITION})
    assert [(finding.rule, finding.line) for finding in report.findings] == [(rule, 3) for rule in rules]
    assert all("replicatedJobs/1" in finding.help for finding in report.findings)
