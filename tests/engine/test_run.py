"""A run as a whole: order, processes, counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import trainergen
from tests.manifests import BAD, GOOD, RUNTIME
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.engine.workers import PARALLEL_FROM
from trainergen.errors import TrainergenError
from trainergen.finding import Layer
from trainergen.output import OutputOptions, render


@pytest.fixture
def many(tmp_path: Path) -> Path:
    for index in range(PARALLEL_FROM + 7):
        text = (BAD if index % 3 else GOOD).replace("mnist", f"job-{index}")
        (tmp_path / f"job-{index:04}.yaml").write_text(text)
    return tmp_path


def test_more_processes_change_nothing_in_the_output(many: Path) -> None:
    outputs = {
        render("json", trainergen.check(many, release="2.3", jobs=jobs), OutputOptions()) for jobs in (1, 2, 3, 0)
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["summary"]["errors"] == len([i for i in range(PARALLEL_FROM + 7) if i % 3])


def test_progress_counts_every_file(tmp_path: Path) -> None:
    for index in range(3):
        (tmp_path / f"{index}.yaml").write_text(GOOD)
    seen: list[tuple[int, int]] = []
    options = CheckOptions(
        paths=(str(tmp_path),), release="2.3", progress=lambda done, total: seen.append((done, total))
    )
    run_check(options)
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_what_is_passed_over_is_counted_by_reason(tmp_path: Path) -> None:
    files = {
        "job.yaml": GOOD,
        "service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: a, labels: {a: kubeflow.org}}\n",
        "values.yaml": "image: kubeflow.org/x\n",
        "ci.yaml": "on: push\n",
        "secret.yaml": GOOD + "sops: {mac: x, lastmodified: y}\n",
        "template.yaml": GOOD.replace("mnist", "{{ .Release.Name }}"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    report = trainergen.check(tmp_path, release="2.3")
    assert report.findings == ()
    assert report.files == report.documents == 1
    assert report.skipped == {
        "does not mention Trainer": 1,
        "other Kubernetes object": 1,
        "not a Kubernetes object": 1,
        "SOPS-encrypted": 1,
        "Helm template": 1,
    }


def test_the_release_is_detected_for_python_too(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text(
        "resources: ['https://github.com/kubeflow/trainer.git/manifests/overlays/manager?ref=v2.1.0']\n"
    )
    (tmp_path / ".git").mkdir()
    (tmp_path / "job.yaml").write_text(GOOD)
    assert trainergen.check(tmp_path / "job.yaml").release == "2.1"


def test_an_unknown_release_or_layer_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TrainergenError, match=r"unknown Trainer release '1\.9'"):
        trainergen.check(tmp_path, release="1.9")
    with pytest.raises(TrainergenError, match=r"did you mean 'schema'\?"):
        trainergen.check(tmp_path, layers=["shema"])


def test_without_the_webhook_layer_runtimes_are_not_asked_for(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD.replace("torch-distributed", "unknown-runtime"))
    assert trainergen.check(tmp_path, release="2.3").not_evaluated
    report = trainergen.check(tmp_path, release="2.3", layers=[Layer.YAML, Layer.SCHEMA, Layer.CEL])
    assert (report.findings, report.not_evaluated) == ((), ())


def test_a_list_places_findings_inside_its_members(tmp_path: Path) -> None:
    member = "\n".join(f"    {line}" for line in BAD.splitlines()).replace("    apiVersion", "  - apiVersion", 1)
    (tmp_path / "list.yaml").write_text(f"apiVersion: v1\nkind: List\nitems:\n{member}\n")
    (finding,) = trainergen.check(tmp_path, release="2.3").findings
    assert finding.path == "items[0].spec.trainer.numNodes"
    assert (finding.line, finding.column) == (13, 19)
    assert finding.object is not None
    assert finding.object.name == "mnist"


def test_runtimes_are_judged_as_well_as_looked_up(tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(RUNTIME.replace("torch: {}", "torch: {}\n    numNode: 2"))
    (finding,) = trainergen.check(tmp_path, release="2.3").findings
    assert (finding.rule, finding.path) == ("TG101", "spec.mlPolicy.numNode")


def test_a_file_without_read_permission_does_not_stop_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    (tmp_path / "a.yaml").write_text(BAD)
    (tmp_path / "b.yaml").write_text(BAD)
    real = builtins.open

    def refuse(name: object, *arguments: object, **options: object) -> object:
        if str(name).endswith("a.yaml"):
            raise PermissionError(13, "Permission denied", str(name))
        return real(name, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(builtins, "open", refuse)
    rules = [finding.rule for finding in trainergen.check(tmp_path, release="2.3").findings]
    assert rules == ["TG001", "TG102"]
