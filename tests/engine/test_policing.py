"""Policies in a run of ``check``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.policies.asking import JOB
from tests.policies.policies import bound, config_map, namespace, policy
from trainergen import check
from trainergen.cli import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A TrainJob and a policy that refuses it, in two files."""
    (tmp_path / "job.yaml").write_text(JOB, encoding="utf-8")
    (tmp_path / "policy.yaml").write_text(bound("object.spec.trainer.numNodes < 2"), encoding="utf-8")
    return tmp_path


def found(*paths: Path, **options: object) -> list[tuple[str, str, int]]:
    report = check(paths, release="2.3", profile="minimal", **options)  # type: ignore[arg-type]
    return [(finding.rule, Path(finding.file).name, finding.line) for finding in report.findings]


def test_policies_among_the_files_are_asked(folder: Path) -> None:
    assert found(folder) == [("TG171", "job.yaml", 10)]


def test_policies_of_another_folder_are_asked(folder: Path) -> None:
    assert found(folder / "job.yaml") == []
    assert found(folder / "job.yaml", policies=[folder]) == [("TG171", "job.yaml", 10)]


def test_without_their_layer_none_is_asked(folder: Path) -> None:
    assert found(folder, layers=["schema", "cel", "webhook"]) == []


def test_several_processes_say_the_same(folder: Path) -> None:
    for number in range(3):
        (folder / f"more{number}.yaml").write_text(JOB.replace("mnist", f"m{number}"), encoding="utf-8")
    assert found(folder, jobs=2) == found(folder, jobs=1)
    assert len(found(folder)) == 4


def test_faults_of_policies_are_reported_once_in_their_place(folder: Path) -> None:
    (folder / "faulty.yaml").write_text(bound("nope").replace("name: p\n", "name: q\n"), encoding="utf-8")
    (folder / "alone.yaml").write_text(policy("true").replace("name: p\n", "name: r\n"), encoding="utf-8")
    rules = [rule for rule, file, _ in found(folder) if file in ("faulty.yaml", "alone.yaml")]
    assert sorted(rules) == ["TG175", "TG176"]


def test_parameters_and_namespaces_come_from_files_without_a_trainer_object(folder: Path) -> None:
    kind = {"apiVersion": "v1", "kind": "ConfigMap"}
    expression = "object.spec.trainer.numNodes < int(params.data.most) && namespaceObject.metadata.labels['a'] == 'b'"
    text = bound(expression, paramKind=kind).replace("policyName: p\n", "policyName: p\n  paramRef: {name: limits}\n")
    (folder / "policy.yaml").write_text(text, encoding="utf-8")
    (folder / "limits.yaml").write_text(config_map("limits", {"most": "3"}, namespace="team-a"), encoding="utf-8")
    (folder / "namespace.yaml").write_text(namespace(labels={"a": "b"}), encoding="utf-8")
    report = check(folder, release="2.3", profile="minimal")
    assert (report.findings, report.not_evaluated) == ((), ())


def test_the_command_line_takes_folders_and_tells_what_it_could_not_evaluate(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "policy.yaml").write_text(bound("request.userInfo.username == 'a'"), encoding="utf-8")
    assert (
        main(["check", str(folder / "job.yaml"), "--policies", str(folder), "--format", "json", "--release", "2.3"])
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["not_evaluated"] == 1


def test_without_policies_nothing_of_them_is_imported(folder: Path) -> None:
    (folder / "policy.yaml").unlink()
    code = f"""
import sys
from trainergen import check
check({str(folder)!r}, release="2.3")
assert not [name for name in sys.modules if name.startswith(("trainergen.policies", "trainergen.cel.syntax", "celpy"))]
"""
    subprocess.run([sys.executable, "-c", code], check=True)
