"""``trainergen simulate``: what goes in, what comes out, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trainergen.cli import main
from trainergen.cli.simulate import STORIES

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_job_and_its_runtime_are_told_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(EXAMPLES / "valid" / "llm-finetune.yaml"), "--release", "2.3"]) == 0
    out = capsys.readouterr().out
    assert "TrainJob team-nlp/summarize-v3, Trainer 2.3, scenario complete" in out
    assert "shows State Complete" in out


def test_json_holds_the_moments_and_the_objects_that_are_left(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["simulate", str(EXAMPLES / "valid"), "--job", "fashion-mnist", "--scenario", "delete", "--format", "json"]
    assert main([*argv, "--release", "2.3"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["job"] == {"namespace": "team-vision", "name": "fashion-mnist"}
    assert told["timeline"][0]["what"] == "created: suspended"
    assert told["timeline"][-1]["who"] == "garbage collector"
    assert told["objects"] == []


def test_a_refused_job_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(EXAMPLES / "faulty"), "--release", "2.3"]) == 1
    assert "The API server refuses it" in capsys.readouterr().out


def test_a_runtime_that_the_cluster_refuses_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "job.yaml").write_text((EXAMPLES / "valid" / "fashion-mnist.yaml").read_text())
    (tmp_path / "runtime.yaml").write_text(
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n"
        "metadata: {name: torch-distributed}\nspec: {mlPolicy: {numNodes: two}}\n"
    )
    assert main(["simulate", str(tmp_path), "--release", "2.3"]) == 1
    told = capsys.readouterr()
    assert "there is no ClusterTrainingRuntime 'torch-distributed' in the cluster" in told.out
    assert told.err.startswith("note: runtime 'torch-distributed' is left out, since it would be refused")


@pytest.mark.parametrize("argv", [["--job", "nobody"], ["--scenario", "nothing"], ["--release", "9.9"]])
def test_wrong_usage_is_exit_code_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(EXAMPLES / "valid"), *argv]) == 2
    assert capsys.readouterr().err


def test_paths_without_a_job_are_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert main(["simulate", str(tmp_path), "--release", "2.3"]) == 2
    assert "hold no TrainJob" in capsys.readouterr().err


def test_the_help_lists_the_scenarios_there_are() -> None:
    from trainergen_controller.simulate import SCENARIOS

    assert list(STORIES) == list(SCENARIOS)
