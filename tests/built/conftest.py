"""A repository to build things in, the real tools, and programs that pretend to be them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from trainergen.built import runs
from trainergen.built import tools as installed
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.report import Report

Write = Callable[[Mapping[str, str]], None]
Check = Callable[..., Report]
Pretend = Callable[[str, str], None]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    runs.forget()
    yield
    runs.forget()


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write files, by name, into an empty repository that is the working folder."""
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)

    def writing(files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return writing


@pytest.fixture
def check() -> Check:
    """Check paths with ``build``, for Trainer 2.3."""

    def checking(*paths: str, **options: object) -> Report:
        return run_check(CheckOptions(paths=paths or (".",), release="2.3", build=True, **options))  # type: ignore[arg-type]

    return checking


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools of the test environment on PATH."""
    scripts = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join((scripts, os.environ.get("PATH", os.defpath))))


@pytest.fixture
def kustomize(tools: None) -> None:
    """The real kustomize."""
    if shutil.which("kubectl") is None and shutil.which("kustomize") is None:
        pytest.skip("neither kubectl nor kustomize is installed (extra 'kustomize')")


@pytest.fixture
def helm(tools: None) -> None:
    """The real helm."""
    if shutil.which("helm") is None:
        pytest.skip("helm is not on PATH")


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pretend:
    """Put programs on PATH, and nothing else: a name, and what Python does under that name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(installed, "find_spec", lambda name: None)

    def pretending(name: str, body: str) -> None:
        path = folder / name
        path.write_text(f"#!{sys.executable} -S\nimport os, sys, time\n{body}\n")
        path.chmod(0o755)

    return pretending


def said(report: Report) -> list[tuple[str, int, str]]:
    """File, line and rule of every finding."""
    return [(finding.file, finding.line, finding.rule) for finding in report.findings]
