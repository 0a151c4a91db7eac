"""Templates and values of charts: plain YAML in them is edited, the actions around it stay."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

if TYPE_CHECKING:
    from trainergen.upgrade.report import UpgradeReport

CHART = "apiVersion: v2\nname: jobs\nversion: 1.0.0\n"
HEAD = """\
{{- if .Values.enabled }}
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: {{ .Release.Name }}-größe
  labels:
    {{- include "jobs.labels" . | nindent 4 }}
spec:
  runtimeRef: {name: "{{ .Values.runtime }}"}
  trainer:
    numNodes: {{ .Values.nodes | default 2 }} # many
"""
OLD = """\
  # the pool
  podTemplateOverrides:
    - targetJobs: [{name: node}]
      spec:
        serviceAccountName: 'sa' # ours
"""
NEW = """\
  # the pool
  runtimePatches:
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
                        serviceAccountName: 'sa' # ours
"""
TAIL = "  suspend: {{ .Values.suspend }}\n{{- end }}\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").write_text(CHART)
    monkeypatch.chdir(tmp_path)


def run(text: str, name: str = "templates/job.yaml") -> UpgradeReport:
    Path(name).write_bytes(text.encode())
    return run_upgrade(UpgradeOptions((".",), "2.1", "2.3"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_plain_fragment_is_edited_between_actions(newline: str) -> None:
    report = run((HEAD + OLD + TAIL).replace("\n", newline))
    (file,) = report.to_write
    assert file.new.decode() == (HEAD + NEW + TAIL).replace("\n", newline)
    assert report.findings == ()
    assert [one.ref.name for one in file.objects] == ["{{ .Release.Name }}-größe"]
    assert run(file.new.decode()).files == ()


def test_several_objects_of_a_template_are_edited_each() -> None:
    report = run(f"{HEAD}{OLD}{TAIL}---\n{HEAD}{OLD}{TAIL}")
    assert report.to_write[0].new.decode() == f"{HEAD}{NEW}{TAIL}---\n{HEAD}{NEW}{TAIL}"


ACTIONS = {
    "a scalar": "{{ .Values.account }}",
    "a scalar with a default": '{{ .Values.account | default "sa" | quote }}',
    "a part of a scalar": "{{ .Release.Name }}-sa",
    "a text in quotes": "'{{ .Values.account }}'",
    "a part of a text in quotes": '"a {{ .Values.account }}"',
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS.keys())
def test_actions_that_stand_for_scalars_move_with_their_text(action: str) -> None:
    report = run(HEAD + OLD.replace("'sa'", action) + TAIL)
    assert report.to_write[0].new.decode() == HEAD + NEW.replace("'sa'", action) + TAIL
    assert report.findings == ()


def test_what_actions_give_is_doubted_and_not_refused() -> None:
    spec = "  trainer:\n    numProcPerNode: {{ .Values.processes }}\n"
    report = run(HEAD.replace("  trainer:\n    numNodes: {{ .Values.nodes | default 2 }} # many\n", spec))
    assert report.files == ()
    (finding,) = report.findings
    assert (finding.rule, finding.severity.value, finding.line) == ("TG831", "warning", 11)
    assert "'{{ .Values.processes }}'" in report.findings[0].message


REPORTED = {
    "an action that writes lines": (
        HEAD + OLD.replace("'sa'", '{{ include "sa" . }}') + TAIL,
        13,
        'serviceAccountName: {{ include "sa" . }}',
    ),
    "an action in quotes in one of two overrides that are merged": (
        HEAD
        + OLD.replace("'sa' # ours", "sa\n        nodeSelector: {pool: '{{ .Values.pool }}'}")
        + "    - targetJobs: [{name: node}]\n      spec: {nodeSelector: {zone: b}}\n"
        + TAIL,
        13,
        "pool: {{ .Values.pool }}",
    ),
    "a condition in the fragment": (
        HEAD + OLD + "        {{- if .Values.pool }}\n        nodeSelector: {pool: a}\n        {{- end }}\n" + TAIL,
        13,
        "nodeSelector:",
    ),
    "a condition between two fragments": (
        HEAD + OLD + "  {{- if .Values.team }}\n  labels: {team: a}\n  {{- end }}\n" + TAIL,
        13,
        "team: a",
    ),
    "one of two branches": (
        HEAD + "  {{- if .Values.a }}\n" + OLD + "  {{- else }}\n" + OLD + "  {{- end }}\n" + TAIL,
        14,
        "by hand",
    ),
    "values written out": (
        HEAD + "  podTemplateOverrides:\n    {{- toYaml .Values.overrides | nindent 4 }}\n" + TAIL,
        12,
        "spec:",
    ),
    "more written out below": (
        HEAD
        + "  labels:\n    team: a\n    {{- if .Values.x }}\n    {{- toYaml .Values.x | nindent 4 }}\n    {{- end }}\n",
        12,
        "spec:",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), REPORTED.values(), ids=REPORTED.keys())
def test_what_actions_are_part_of_is_reported_with_the_text_to_write(text: str, line: int, words: str) -> None:
    report = run(text)
    assert report.files == ()
    assert (report.findings[0].rule, report.findings[0].line) == ("TG836", line)
    assert words in report.findings[0].help


def test_the_text_to_write_says_which_lists_it_does_not_hold() -> None:
    overrides = "{{- toYaml .Values.overrides | nindent 4 }}"
    report = run(HEAD + f"  labels: {{team: a}}\n  podTemplateOverrides:\n    {overrides}\n" + TAIL)
    assert report.findings[0].help.endswith(f"\nand add, as patches, what is written out by {overrides}.")


def test_whole_objects_in_values_are_edited() -> None:
    values = """\
    # ours
    image: a
    extraObjects:
      - apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: a}
        spec:
          runtimeRef: {name: torch-distributed}
          labels: {team: a} # ml
      - kind: ConfigMap
    """
    report = run(dedent(values), "values-prod.yaml")
    assert report.to_write[0].new.decode() == dedent(values).replace(
        "      labels: {team: a} # ml\n",
        "      runtimePatches:\n        - manager: trainergen.io/upgrade\n          trainingRuntimeSpec:\n"
        "            template:\n              metadata:\n                labels: {team: a} # ml\n",
    )
    assert report.findings == ()


@pytest.mark.parametrize(
    "text", ["{{", "{{ }}\n", "a: {{ b\n}}\n", "\t{{ x }}: y\n", "{{/* a\nb */}}\nkind: TrainJob\n"]
)
def test_templates_that_are_broken_are_left_alone(text: str) -> None:
    assert run("# trainer.kubeflow.org\n" + text).files == ()
