"""Legacy jobs within other objects, and in templates, are found, with what they become."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from trainergen.engine.migrating import MigrateOptions, run_migrate
from trainergen.migrate.placeholders import Placeholders

if TYPE_CHECKING:
    from trainergen.finding import Finding

MANIFEST = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec: {containers: [{name: pytorch, image: IMAGE, command: [torchrun, train.py]}]}
"""


def indented(text: str, by: int) -> str:
    return "".join(" " * by + line + "\n" for line in text.splitlines())


def left_alone(text: str) -> list[Finding]:
    Path("all.yaml").write_text(text)
    report = run_migrate(MigrateOptions(paths=(".",), target="2.3"))
    (file,) = report.files
    assert file.new is None
    return file.findings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


ARGO = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  templates:\n  - resource:\n      manifest: |\n"
HOLDERS: dict[str, tuple[str, int, str]] = {
    "an Argo Workflow": (ARGO + indented(MANIFEST, 8), 6, "an Argo Workflow"),
    "an Argo Workflow with placeholders": (
        ARGO + indented(MANIFEST.replace("name: train", 'name: "{{workflow.name}}"'), 8),
        6,
        "an Argo Workflow",
    ),
    "a ConfigMap that a CronJob applies": (
        "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b\n  job.yaml: |\n" + indented(MANIFEST, 4),
        5,
        "the ConfigMap",
    ),
    "a mapping": ("apiVersion: x/v1\nkind: Trigger\nspec:\n  job:\n" + indented(MANIFEST, 4), 5, "the Trigger"),
    "JSON in a text": (
        (
            'kind: PipelineSpec\nargs: \'{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name":'
            ' "train"}, "spec": {"pytorchReplicaSpecs": {"Master": {"replicas": 1, "template": {"spec": {"containers":'
            ' [{"name": "pytorch", "image": "IMAGE", "command": ["torchrun", "train.py"]}]}}}}}}\'\n'
        ),
        2,
        "the PipelineSpec",
    ),
}


@pytest.mark.parametrize("case", HOLDERS)
def test_a_job_within_another_object_is_shown_as_it_is_to_be_written(case: str) -> None:
    text, line, holder = HOLDERS[case]
    (finding,) = left_alone(text)
    assert (finding.rule, finding.line) == ("TG899", line)
    assert finding.message == f"the PyTorchJob in {holder} is left alone"
    head, written = finding.help.split("\n", 1)
    made: Any = yaml.safe_load(written.replace("{{workflow.name}}", "x"))
    assert (head, made["kind"], made["spec"]["trainer"]["image"]) == ("Write in its place:", "TrainJob", "IMAGE")


def test_what_must_be_applied_before_and_what_is_lost_is_said() -> None:
    text = MANIFEST.replace("spec: {con", "spec: {priorityClassName: high, con")
    elastic = text.replace("  pytorchR", "  elasticPolicy: {maxReplicas: 4}\n  pytorchR", 1)
    (finding,) = left_alone(ARGO + indented(elastic, 8))
    assert "\nApply before it:\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\n" in finding.help
    assert "\nLost: " in finding.help


def test_a_template_is_shown_as_it_would_be_written() -> None:
    text = MANIFEST.replace("name: train", 'name: {{ include "name" . }}').replace(
        "IMAGE", "{{ .Values.image | quote }}"
    )
    text += indented(
        "Worker:\n  replicas: {{ .Values.workers }}\n  template: &t\n    spec: {containers: [{name: pytorch, image:"
        " {{ .Values.image | quote }}, command: [torchrun, train.py]}]}",
        4,
    )
    (finding,) = left_alone("# a chart\n{{- if .Values.on }}\n" + text + "{{- end }}\n")
    assert (finding.line, finding.message) == (4, "the PyTorchJob in a template is left alone")
    assert '  name: {{ include "name" . }}\n' in finding.help
    assert "    numNodes: {{ .Values.workers }} plus 1\n" in finding.help
    assert "    image: {{ .Values.image | quote }}\n" in finding.help


def test_a_job_that_cannot_be_made_out_is_found_all_the_same() -> None:
    for text in (
        "kind: ConfigMap\ndata:\n  code: |\n    spec = dict(kind='TFJob', tfReplicaSpecs={})  # kubeflow.org\n",
        "{{ range .x }}\nkind: TFJob\n{{ . }}: [}\ntfReplicaSpecs: kubeflow.org\n{{ end }}\n",
    ):
        (finding,) = left_alone(text)
        assert finding.help == "Render it, migrate what comes out, and write it anew here."


def test_placeholders_come_back() -> None:
    text = "a: {{ x }}\nreplicas: {{ y }}\nb: '{{ x }}-{{ z }}'\n"
    holes = Placeholders()
    filled = yaml.safe_load(holes.fill(text))
    assert isinstance(filled["replicas"], int)
    assert (holes.used, holes.has_numbers) == (True, True)
    assert holes.restore(holes.fill(text)) == text
    assert holes.restore(str(filled["replicas"] + 1)) == "{{ y }} plus 1"
    assert not Placeholders().used
