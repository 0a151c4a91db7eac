"""Whole trees of the example, as they are recorded, and clean by our own rules."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.generate.specs import EXAMPLE, example
from trainergen.generate import Workspace

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from trainergen.generate.workspace_files import Tree

FORMATS, DELIVERIES = ("kustomize", "helm", "plain"), ("argocd", "flux")
COPIED = 50_000
"""Schemas and CRDs are larger; they are checked where they are made."""


def shown(tree: Tree) -> str:
    """The files of a tree in one text."""
    parts = []
    for file in tree:
        text = file.text if len(file.text) < COPIED else f"({file.path.suffix} of {len(file.text) // 1000} kB)\n"
        parts.append(f"==> {file.path} <==\n{text}")
    return "\n".join(parts)


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize("format_", FORMATS)
def test_trees_are_as_recorded(format_: str, delivery: str, snapshot: SnapshotAssertion) -> None:
    assert shown(example(format=format_, delivery=delivery).files()) == snapshot


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize("format_", FORMATS)
def test_trees_are_clean_in_production(
    format_: str, delivery: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if format_ == "helm" and shutil.which("helm") is None:
        pytest.skip("helm is not on PATH")
    example(format=format_, delivery=delivery).write(tmp_path)
    monkeypatch.chdir(tmp_path)
    report = trainergen.check(["."], release="2.3", profile="production", build=True)
    assert report.findings == ()
    assert report.not_evaluated == ()


@pytest.mark.parametrize("format_", ["kustomize", "plain"])
def test_files_are_clean_before_they_are_built(format_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example(format=format_, delivery="none", install=False).write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert trainergen.check(["."], release="2.3", profile="production").findings == ()


@pytest.mark.parametrize("format_", ["kustomize", "plain"])
def test_a_changed_specification_changes_nothing_in_place_that_cannot_be(format_: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE.parent / "src", tmp_path / "src")
    spec = tmp_path / "trainergen.yaml"
    text = EXAMPLE.read_text(encoding="utf-8")
    changes = {"image: ghcr.io/example/vision:1.4.0": "image: ghcr.io/example/vision:1.5.0", "nodes: 4": "nodes: 8"}
    for round_ in range(2):
        for old, new in changes.items() if round_ else ():
            assert old in text
            text = text.replace(old, new)
        spec.write_text(text, encoding="utf-8")
        Workspace.load(spec).with_output(format=format_).write(tmp_path / "deploy")
        if not round_:
            git(tmp_path, "init", "-q")
            git(tmp_path, "add", ".")
            git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "first")
    report = trainergen.check([tmp_path / "deploy"], release="2.3", profile="production", base="HEAD")
    assert report.findings == ()


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_tree_is_the_same_each_time(format_: str, tmp_path: Path) -> None:
    first, second = (shown(example(format=format_).files()) for _ in range(2))
    assert first == second
    example(format=format_).write(tmp_path)
    assert not example(format=format_).plan(tmp_path).changes


def test_another_format_replaces_the_tree_of_the_first(tmp_path: Path) -> None:
    for format_ in (*FORMATS, "kustomize"):
        example(format=format_).write(tmp_path)
        names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
        assert names == {str(file.path) for file in example(format=format_).files()}
