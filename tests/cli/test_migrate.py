"""`trainergen migrate`: what is written, what is said, and what is left alone."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.cli.conftest import Ran
from tests.manifests import GOOD
from tests.output.page import Page

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

Run = Callable[..., Ran]
EXAMPLES = Path(__file__).parents[2] / "examples"

LEGACY = """\
# trains mnist
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: mnist  # its name
  namespace: team-a
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template: &template
        spec:
          # only there are GPUs
          nodeSelector: {pool: a100}
          containers:
            - name: pytorch
              image: example.org/mnist:1  # pinned
              command: [torchrun, train.py]
    Worker:
      replicas: 2
      template: *template
"""
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 'keep'} # as it is\n"
ELASTIC = LEGACY.replace("spec:\n  pytorch", "spec:\n  elasticPolicy: {minReplicas: 1, maxReplicas: 4}\n  pytorch", 1)
EXACT = LEGACY.replace("        spec:\n", "        spec:\n          priorityClassName: high\n", 1)


@pytest.fixture
def migrate(trainergen: Run) -> Run:
    return lambda *arguments: trainergen("migrate", *arguments)


def documents(text: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(text))


def test_nothing_is_written_unless_it_is_asked_for(migrate: Run) -> None:
    Path("job.yaml").write_text(LEGACY)
    ran = migrate()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("job.yaml:2: PyTorchJob team-a/mnist -> TrainJob mnist\n")
    assert "warning[TG" in ran.out
    assert ran.out.endswith("\n")
    assert Path("job.yaml").read_text() == LEGACY


def test_writing_replaces_the_legacy_documents_and_carries_comments_along(migrate: Run) -> None:
    Path("job.yaml").write_text(f"{OTHER}---\n{LEGACY}---\n{OTHER}")
    ran = migrate("--write", "job.yaml")
    assert (ran.code, ran.err) == (0, "migrated: job.yaml\n")
    text = Path("job.yaml").read_text()
    assert text.startswith(f"{OTHER}---\n# trains mnist\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n")
    assert text.endswith(f"---\n{OTHER}")
    assert "  name: mnist  # its name\n" in text
    assert "    image: example.org/mnist:1  # pinned\n" in text
    assert "# only there are GPUs\n                        nodeSelector:\n" in text


def test_a_second_run_finds_nothing_to_do(migrate: Run, trainergen: Run) -> None:
    Path("job.yaml").write_text(LEGACY)
    migrate("--write")
    text = Path("job.yaml").read_text()
    ran = migrate("--write")
    assert (ran.code, Path("job.yaml").read_text()) == (0, text)
    assert ran.out.startswith("0 legacy jobs in 0 files")
    assert trainergen("check", "job.yaml", "--release", "2.3", "--layer", "yaml,schema,cel,webhook").code == 0


def test_a_runtime_stands_before_its_job(migrate: Run) -> None:
    Path("job.yaml").write_text(EXACT)
    assert migrate("--write").code == 0
    assert [each["kind"] for each in documents(Path("job.yaml").read_text())] == ["TrainingRuntime", "TrainJob"]


def test_a_loss_keeps_the_file_from_being_written_until_it_is_accepted(migrate: Run) -> None:
    Path("job.yaml").write_text(ELASTIC)
    ran = migrate("--write")
    assert (ran.code, Path("job.yaml").read_text()) == (1, ELASTIC)
    assert "job.yaml: not written: accept the loss with --accept elastic-size-fixed\n" in ran.out
    assert migrate("--write", "--accept", "elastic-size-fixed").code == 0
    assert "kind: TrainJob" in Path("job.yaml").read_text()


def test_files_are_written_beside_and_never_over_others(migrate: Run) -> None:
    Path("jobs").mkdir()
    Path("jobs/job.yaml").write_text(LEGACY)
    assert migrate("jobs", "-o", "out").code == 0
    assert Path("jobs/job.yaml").read_text() == LEGACY
    assert documents(Path("out/jobs/job.yaml").read_text())[0]["kind"] == "TrainJob"
    ran = migrate("jobs", "-o", "out")
    assert (ran.code, ran.err) == (2, "error: out/jobs/job.yaml exists already, so jobs/job.yaml was not written\n")


def test_the_patch_goes_to_standard_output_and_the_report_to_standard_error(migrate: Run) -> None:
    Path("job.yaml").write_text(LEGACY)
    ran = migrate("--diff")
    assert ran.out.startswith("--- a/job.yaml\n+++ b/job.yaml\n")
    assert ran.err.startswith("job.yaml:2: PyTorchJob team-a/mnist -> TrainJob mnist\n")


def test_standard_input_comes_back_migrated(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEGACY.encode())))
    ran = trainergen("migrate", "-", "--write")
    assert (ran.code, documents(ran.out)[0]["kind"]) == (0, "TrainJob")


def test_the_report_of_machines_accounts_for_every_value(migrate: Run) -> None:
    Path("job.yaml").write_text(LEGACY)
    assert migrate("--report", "report.json").code == 0
    report = json.loads(Path("report.json").read_text())
    assert report["summary"] == {"files": 1, "objects": 1, "writable": 1} | {
        key: report["summary"][key] for key in ("errors", "warnings", "infos")
    }
    (one,) = report["files"][0]["objects"]
    outcomes = {entry["path"]: (entry["outcome"], entry["target"]) for entry in one["mapping"]}
    image = "spec.pytorchReplicaSpecs.Master.template.spec.containers[0].image"
    assert outcomes[image] == ("mapped", "spec.trainer.image")
    assert outcomes[image.replace("Master", "Worker")][0] == "same"
    assert one["notes"][0].startswith("Condition Succeeded is Complete now")


LEFT_ALONE = {
    "a template": (LEGACY.replace("team-a", "{{ .Release.Namespace }}"), "in a template is left alone"),
    "a template that is YAML": (LEGACY.replace("team-a", "'{{ .Release.Namespace }}'"), "it is a template"),
    "a broken template": (f"{LEGACY}{{{{- if .Values.on }}}}\n  x: 1\n", "in a template is left alone"),
    "a patch": (LEGACY.replace("spec:\n  py", "$patch: merge\nspec:\n  py", 1), "it is a patch of a kustomization"),
    "both generations": (f"{LEGACY}---\n{GOOD}", "TrainJob 'mnist' exists in job.yaml already"),
}


@pytest.mark.parametrize("case", LEFT_ALONE)
def test_what_cannot_be_rewritten_is_left_alone_and_said(migrate: Run, case: str) -> None:
    text, words = LEFT_ALONE[case]
    Path("job.yaml").write_text(text)
    ran = migrate("--write")
    assert ran.code == 1
    assert words in ran.out
    assert Path("job.yaml").read_text() == text


def test_an_unknown_field_is_dropped_and_said(migrate: Run) -> None:
    Path("job.yaml").write_text(LEGACY.replace("  pytorchReplicaSpecs:", "  replicas: 3\n  pytorchReplicaSpecs:"))
    ran = migrate("--write")
    assert ran.code == 0
    assert "job.yaml:8:" in ran.out
    assert "legacy-field-unknown: spec.replicas is unknown to the kind" in ran.out


def test_a_list_is_written_anew_with_its_other_members(migrate: Run) -> None:
    inner = "".join(f"  {line}\n" for line in LEGACY.splitlines()[1:])
    Path("job.yaml").write_text(
        f"apiVersion: v1\nkind: List\nitems:\n- {inner.strip()}\n- {{kind: X, apiVersion: v1}}\n"
    )
    assert migrate("--write").code == 0
    (whole,) = documents(Path("job.yaml").read_text())
    assert [each["kind"] for each in whole["items"]] == ["TrainJob", "X"]


def test_the_comments_of_a_list_are_at_its_head_when_it_is_written_anew(migrate: Run) -> None:
    inner = "".join(f"  {line}\n" for line in LEGACY.splitlines()[1:])
    Path("job.yaml").write_text(
        f"# ours\napiVersion: v1\nkind: List\nitems:\n- {inner.strip()}\n- {{kind: X, apiVersion: v1}} # keep\n"
    )
    assert migrate("--write").code == 0
    text = Path("job.yaml").read_text()
    assert [word in text for word in ("# ours\n", "# keep\n")] == [True, True]
    assert [each["kind"] for each in documents(text)[0]["items"]] == ["TrainJob", "X"]


def test_json_stays_json(migrate: Run) -> None:
    Path("job.json").write_text(json.dumps(documents(EXACT)[0]))
    assert migrate("--write").code == 0
    whole = json.loads(Path("job.json").read_text())
    assert [each["kind"] for each in whole["items"]] == ["TrainingRuntime", "TrainJob"]


def test_a_tree_with_changes_is_not_written_to_without_force(migrate: Run) -> None:
    Path(".git").rmdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    Path("job.yaml").write_text(LEGACY)
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "jobs"]):
        subprocess.run([*git, *arguments], check=True)
    Path("job.yaml").write_text(LEGACY + "# changed\n")
    ran = migrate("--write")
    assert ran.code == 2
    assert "the git tree has changes that are not committed, 'job.yaml' among them" in ran.err
    assert migrate("--write", "--force").code == 0


USAGE = {
    "a loss that is none": (["--accept", "everything"], "--accept is 'everything', which is no loss"),
    "a release without overrides of metadata": (["--to", "2.0"], "Trainer 2.0 is no target of a migration"),
    "an unknown release": (["--to", "9"], "unknown Trainer release '9'"),
    "two ways to write": (["--write", "-o", "out"], "--write goes without -o and --diff"),
    "a path that is not there": (["nowhere.yaml"], "there is no such file or folder"),
}


@pytest.mark.parametrize("case", USAGE)
def test_wrong_usage_exits_with_2(migrate: Run, case: str) -> None:
    Path("job.yaml").write_text(LEGACY)
    arguments, words = USAGE[case]
    ran = migrate(*arguments)
    assert ran.code == 2
    assert words in ran.err + ran.out


def test_the_preview_of_the_api_is_rewritten_once_accepted(migrate: Run) -> None:
    preview = GOOD.replace("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v2alpha1")
    Path("job.yaml").write_text(preview)
    assert migrate("--write").code == 1
    assert migrate("--write", "--accept", "TG822").code == 0
    assert documents(Path("job.yaml").read_text()) == documents(GOOD)


def test_the_page_shows_the_plan_each_job_and_each_file_and_is_complete_by_itself(migrate: Run) -> None:
    Path("job.yaml").write_text(EXACT.replace("example.org/mnist:1", "'<script>alert(1)</script>'"))
    Path("elastic.yaml").write_text(ELASTIC.replace("name: mnist", "name: elastic"))
    Path("template.yaml").write_text(LEGACY.replace("name: mnist", "name: {{ .Release.Name }}"))
    assert migrate("--report", "report.html").code == 1
    text = Path("report.html").read_text()
    page = Page(text)
    assert (page.open, page.elsewhere, page.dangling) == ([], [], [])
    assert "<script" not in text
    assert page.text.count("<script>alert(1)</script>") == 3
    for words in (
        "2 legacy jobs",
        "1 files to write",
        "Plan, in order",
        "See by hand to what was found in template.yaml.",
        "PyTorchJob team-a/mnist",
        "job.yaml:2 becomes TrainingRuntime mnist-runtime, TrainJob mnist.",
        "Not written: accept the loss with --accept elastic-size-fixed.",
        "error TG858elastic-size-fixed",
        "Condition Succeeded is Complete now",
        "spec.pytorchReplicaSpecs.Master.template.spec.priorityClassName",
        "-kind: PyTorchJob",
        "+kind: TrainJob",
    ):
        assert words in page.text


@pytest.mark.parametrize(("format_", "suffix"), [("markdown", "md"), ("html", "html"), ("text", "txt")])
def test_the_worked_example_is_reported_as_recorded(
    migrate: Run, format_: str, suffix: str, snapshot_as: Callable[[str], SnapshotAssertion]
) -> None:
    shutil.copytree(EXAMPLES / "migrate" / "before" / "jobs", "jobs")
    assert migrate("jobs", "--format", format_).out == snapshot_as(suffix)


def test_the_report_for_machines_has_the_plan_and_the_patches(migrate: Run) -> None:
    Path("elastic.yaml").write_text(ELASTIC)
    report = json.loads(migrate("--format", "json").out)
    assert report["files"][0]["held"] == "accept the loss with --accept elastic-size-fixed"
    assert report["files"][0]["diff"].startswith("--- a/elastic.yaml\n+++ b/elastic.yaml\n")
    assert "trainergen migrate --write --accept elastic-size-fixed" in report["steps"][1]


def test_the_plan_names_the_files_that_depend_on_legacy_jobs(migrate: Run) -> None:
    Path("job.yaml").write_text(LEGACY)
    Path("policy.yaml").write_text(
        "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: mnist, namespace: team-a}\n"
        "spec:\n  podSelector: {matchLabels: {training.kubeflow.org/job-name: mnist}}\n"
    )
    assert "  2. See by hand to what was found in policy.yaml.\n" in migrate().out


def test_a_folder_without_legacy_jobs_has_no_plan(migrate: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    assert json.loads(migrate("--format", "json").out)["steps"] == []
    assert "Plan" not in migrate("--format", "html").out


@pytest.mark.parametrize(("release", "words"), [("2.1", "a version before 0.17"), ("2.3", "from 0.17 on")])
def test_the_plan_names_the_versions_of_kueue_that_go_with_the_target(migrate: Run, release: str, words: str) -> None:
    Path("job.yaml").write_text(
        LEGACY.replace("namespace: team-a", "namespace: team-a\n  labels: {kueue.x-k8s.io/queue-name: q}")
    )
    out = migrate("--to", release).out
    assert words in out[out.index("plan, in order:") :]


NOTHING = {
    "a kind that is gone": LEGACY.replace("PyTorchJob", "MXJob").replace("pytorchReplica", "mxReplica"),
    "more Pods than a variable can list": LEGACY.replace("PyTorchJob", "TFJob")
    .replace("pytorchReplica", "tfReplica")
    .replace("name: pytorch", "name: tensorflow")
    .replace("replicas: 2", "replicas: 2000000000"),
    "no roles": "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\nspec: {pytorchReplicaSpecs: {}}\n",
}


@pytest.mark.parametrize("case", NOTHING)
def test_a_job_that_becomes_nothing_stays_even_when_the_loss_is_accepted(migrate: Run, case: str) -> None:
    Path("job.yaml").write_text(NOTHING[case])
    for arguments in ((), ("--accept", "all")):
        ran = migrate("--write", *arguments)
        assert ran.code == 1
        assert "job.yaml: not written: " in ran.out
        assert Path("job.yaml").read_text() == NOTHING[case]
