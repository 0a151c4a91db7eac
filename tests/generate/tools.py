"""The real programs that generated trees are built with: kubectl of the test environment, Helm 3 and Helm 4."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from trainergen.built.tools import find_kustomize
from trainergen.source import read_documents

if TYPE_CHECKING:
    from trainergen.generate.workspace_files import GeneratedFile

HELMS = ("3", "4")


def helm(major: str) -> str:
    """Helm of a major version: ``TRAINERGEN_HELM3`` or ``TRAINERGEN_HELM4``, else what is on PATH if it is that."""
    named = os.environ.get(f"TRAINERGEN_HELM{major}")
    if named:
        return named
    found = shutil.which("helm")
    if found is None or not run([found, "version", "--template", "{{.Version}}"]).startswith(f"v{major}."):
        pytest.skip(f"there is no Helm {major}: name one in TRAINERGEN_HELM{major}")
    return found


def template(major: str, chart: Path, *arguments: str) -> list[dict[str, Any]]:
    """The objects of a chart, those of its tests left out."""
    text = run([helm(major), "template", "release", str(chart), "--skip-tests", *arguments])
    return objects(text)


def lint(major: str, chart: Path, *arguments: str) -> str:
    """What ``helm lint --strict`` says; it fails the test when it finds anything."""
    return run([helm(major), "lint", "--strict", str(chart), *arguments])


def kustomize(folder: Path) -> list[dict[str, Any]]:
    """The objects of a kustomization."""
    tool = find_kustomize()
    if tool is None:
        pytest.skip("neither kubectl nor kustomize is installed (extra 'kustomize')")
    return objects(run([*tool.command, str(folder)]))


def run(command: list[str]) -> str:
    """What a program prints; it fails the test when the program fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}:\n{done.stderr}\n{done.stdout}"
    return done.stdout


def objects(text: str) -> list[dict[str, Any]]:
    """The objects in a text, as the API server reads them."""
    result = read_documents(text.encode(), file="<text>")
    assert not result.findings, result.findings
    return [document.value for document in result.documents if isinstance(document.value, dict)]


def by_identity(found: Iterable[dict[str, Any]]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Objects by kind, namespace and name, each once."""
    out: dict[tuple[str, str, str], dict[str, Any]] = {}
    for each in found:
        metadata = each["metadata"]
        identity = each["kind"], metadata.get("namespace", ""), metadata["name"]
        assert identity not in out, f"{identity} is there twice"
        out[identity] = each
    return out


def write(files: Iterable[GeneratedFile], folder: Path) -> Path:
    """Write files as they are; the folder."""
    for file in files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8", newline="\n")
    return folder
