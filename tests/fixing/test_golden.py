"""Fixes on whole trees: the faulty examples, and the kustomizations of the packaging study."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.cli import main

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).parents[2]

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: my-torch # the team's own
  labels:
    trainer.kubeflow.org/framework: torch
spec:
  mlPolicy:
    numNodes: 1
    torch: {}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata:
              labels:
                trainer.kubeflow.org/trainjob-ancestor-step: trainer
            spec:
              template:
                spec:
                  containers:
                    - name: node
                      image: ghcr.io/example/torch:1.2.0
                      envFrom:
                        - configMapRef: {name: nccl}
"""
TREES = {
    "a generated name that no reference follows": {
        "kustomization.yaml": """\
resources:
  - runtime.yaml
configMapGenerator:
  - name: nccl # tuned for the pool
    literals: [NCCL_DEBUG=WARN]
""",
        "runtime.yaml": RUNTIME,
    },
    "two policies after a merge": {
        "kustomization.yaml": "resources: [runtime.yaml]\npatches:\n  - path: patch.yaml\n",
        "runtime.yaml": RUNTIME.replace(
            "                      envFrom:\n                        - configMapRef: {name: nccl}\n", ""
        ),
        "patch.yaml": """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: my-torch
spec:
  mlPolicy:
    mpi: {numProcPerNode: 2}
""",
    },
    "a list that a patch wipes has no mechanical fix": {
        "kustomization.yaml": "resources: [runtime.yaml]\npatches:\n  - path: patch.yaml\n",
        "runtime.yaml": RUNTIME,
        "patch.yaml": """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: my-torch}
spec:
  template:
    spec:
      replicatedJobs:
      - name: node
        template: {spec: {template: {spec: {containers: [{name: node, resources: {limits: {nvidia.com/gpu: "8"}}}]}}}}
""",
    },
}


def shown(folder: Path) -> str:
    """Every file of a tree below a line with its name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return "".join(f"=== {path.relative_to(folder).as_posix()}\n{path.read_text()}" for path in files)


def fix(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    monkeypatch.chdir(folder)
    (folder / ".git").mkdir(exist_ok=True)
    main(["check", ".", "--release", "2.3", "--fix", "--unsafe", *options])


@pytest.mark.parametrize("name", TREES)
def test_the_kustomizations_of_the_study_are_mended_as_far_as_that_is_mechanical(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot_as: Callable[[str], SnapshotAssertion]
) -> None:
    for file, text in TREES[name].items():
        (tmp_path / file).write_text(text)
    fix(tmp_path, monkeypatch)
    once = shown(tmp_path)
    assert once == snapshot_as("txt")
    fix(tmp_path, monkeypatch)
    assert shown(tmp_path) == once


def test_what_the_cluster_refuses_in_the_examples_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    before = shown(tmp_path / "examples" / "valid")
    faulty = shown(tmp_path / "examples" / "faulty")
    fix(tmp_path, monkeypatch)
    assert shown(tmp_path / "examples" / "valid") == before
    assert shown(tmp_path / "examples" / "faulty") == faulty, "a refusal is for people to mend"
