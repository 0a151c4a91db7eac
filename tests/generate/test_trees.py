"""Whole trees of the example, as they are recorded, and clean by our own rules."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.generate.specs import example

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
