"""The page on build says what is true: its specification builds, its Python runs, its reference is complete."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.generate import Workspace
from trainergen.generate.spec.reference import with_reference

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[2] / "docs/build.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_specification_builds_with_its_sweep(tmp_path: Path) -> None:
    whole, sweep = blocks("yaml")
    (tmp_path / "trainergen.yaml").write_text(whole + sweep)
    jobs = [placed.key for placed in Workspace.load(tmp_path / "trainergen.yaml").resolve().environments[0].of("jobs")]
    assert "resnet" in jobs
    assert "tune-lr-0-1-batch-32" in jobs
    assert len(jobs) == 5


def test_the_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (program,) = blocks("python")
    names: dict[str, object] = {}
    exec(program, names)
    assert len(names["objects"]) == 5  # type: ignore[arg-type]


def test_the_reference_is_that_of_the_models() -> None:
    assert with_reference(PAGE) == PAGE, "run python -m trainergen.generate.spec.reference"
