"""Runs of jobs: their names, what makes a new one, and how long old ones stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.generate.kustomize.test_built import check_equal
from tests.generate.specs import workspace
from tests.generate.tools import objects
from trainergen.errors import TrainergenError


def build(folder: Path, args: str, **changed: Any) -> list[str]:
    """The names of the TrainJobs after a build, oldest first as files lie."""
    fields = {"output": {"format": "plain"}, **changed}
    jobs = {"bert": {"runtime": "torch", "entrypoint": "torchrun", "args": [args]}}
    workspace(jobs=jobs, **fields).write(folder)
    found = [each for file in sorted((folder / "dev/jobs").glob("*.yaml")) for each in objects(file.read_text())]
    return sorted(each["metadata"]["name"] for each in found if each["kind"] == "TrainJob")


def test_a_run_is_called_after_what_it_consists_of(tmp_path: Path) -> None:
    (first,) = build(tmp_path, "a")
    assert first.startswith("bert-")
    assert len(first) == len("bert-") + 8
    assert build(tmp_path, "a") == [first]
    (second,) = build(tmp_path, "b")
    assert second != first
    assert build(tmp_path, "a") == [first]


def test_another_runtime_is_another_run(tmp_path: Path) -> None:
    (first,) = build(tmp_path, "a")
    (second,) = build(tmp_path, "a", runtimes={"torch": {"from": "torch-distributed", "image": "mine:2"}})
    assert first != second


def test_another_queue_is_another_run(tmp_path: Path) -> None:
    first, second = (build(tmp_path, "a", environments={"dev": {"queue": queue}}) for queue in ("a", "b"))
    assert first != second


def test_labels_are_no_other_run(tmp_path: Path) -> None:
    (first,) = build(tmp_path, "a")
    jobs = {"bert": {"runtime": "torch", "entrypoint": "torchrun", "args": ["a"], "labels": {"x": "y"}}}
    workspace(jobs=jobs, output={"format": "plain"}).write(tmp_path)
    assert f"name: {first}\n" in (tmp_path / "dev/jobs/bert.yaml").read_text()


def test_earlier_runs_stay_as_long_as_is_said(tmp_path: Path) -> None:
    keep = {"runs": {"keep": 2}}
    (first,) = build(tmp_path, "a", **keep)
    second = set(build(tmp_path, "b", **keep)) - {first}
    assert set(build(tmp_path, "b", **keep)) == {first, *second}
    third = set(build(tmp_path, "c", **keep)) - second
    assert len(third) == 1
    assert set(build(tmp_path, "c", **keep)) == second | third
    assert set(build(tmp_path, "c")) == third
    assert not (tmp_path / ".trainergen").exists()


def test_going_back_is_no_new_run(tmp_path: Path) -> None:
    keep = {"runs": {"keep": 2, "names": "generation"}}
    assert build(tmp_path, "a", **keep) == ["bert-r1"]
    assert build(tmp_path, "b", **keep) == ["bert-r1", "bert-r2"]
    assert build(tmp_path, "a", **keep) == ["bert-r1", "bert-r2"]
    assert build(tmp_path, "c", **keep) == ["bert-r1", "bert-r3"]


def test_generations_count_up_without_old_runs(tmp_path: Path) -> None:
    runs = {"runs": {"names": "generation"}}
    assert [build(tmp_path, args, **runs) for args in "aabc"] == [["bert-r1"], ["bert-r1"], ["bert-r2"], ["bert-r3"]]


def test_an_earlier_run_keeps_its_script(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    script = tmp_path / "src/train.py"
    for text in ("print(1)\n", "print(2)\n"):
        script.write_text(text)
        jobs = {"bert": {"runtime": "torch", "script": "train.py"}}
        workspace(root=tmp_path / "src", jobs=jobs, runs={"keep": 2}, output={"format": "plain"}).write(
            tmp_path / "deploy"
        )
    found = [each for file in (tmp_path / "deploy/dev/jobs").iterdir() for each in objects(file.read_text())]
    assert sorted(each["data"]["train.py"] for each in found if each["kind"] == "ConfigMap") == [
        "print(1)\n",
        "print(2)\n",
    ]
    assert len([each for each in found if each["kind"] == "TrainJob"]) == 2


@pytest.mark.parametrize("scope", ["namespace", "cluster"])
def test_an_earlier_run_keeps_its_runtime(scope: str, tmp_path: Path) -> None:
    for image in ("mine:1", "mine:2"):
        runtimes = {"torch": {"from": "torch-distributed", "image": image, "scope": scope}}
        build(tmp_path, "a", runs={"keep": 2}, runtimes=runtimes)
    files = [*(tmp_path / "dev").rglob("*.yaml")]
    found = [each for file in files for each in objects(file.read_text())]
    runtimes_there = {each["metadata"]["name"] for each in found if each["kind"].endswith("TrainingRuntime")}
    named = {each["spec"]["runtimeRef"]["name"] for each in found if each["kind"] == "TrainJob"}
    assert len(named) == 2
    assert named == runtimes_there


def test_earlier_runs_are_in_the_overlays_of_kustomize_too(tmp_path: Path) -> None:
    environments = {"dev": {}, "prod": {"size": {"nodes": 2}}}
    for args in ("a", "b"):
        jobs = {"bert": {"runtime": "torch", "entrypoint": "torchrun", "args": [args]}}
        built = workspace(jobs=jobs, runs={"keep": 2}, environments=environments)
        built.write(tmp_path)
    history = json.loads((tmp_path / ".trainergen/runs-prod.json").read_text())
    assert len(history["runs"]["bert"]) == 2
    check_equal(built, tmp_path)


def test_a_broken_memory_is_told(tmp_path: Path) -> None:
    build(tmp_path, "a", runs={"keep": 2})
    (tmp_path / ".trainergen/runs-dev.json").write_text("{}")
    with pytest.raises(TrainergenError, match=r"'\.trainergen/runs-dev\.json' cannot be read"):
        build(tmp_path, "b", runs={"keep": 2})
