"""kubectl kustomize on folders of a test, and the lists of its output by the names of their items."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

OVERLAYS = Path(__file__).parents[2] / "overlays"
JOBS = ("spec", "template", "spec", "replicatedJobs")
"""Where a runtime has its jobs."""


def kubectl() -> str:
    """The program of ``TRAINERGEN_KUBECTL``, for another version, or the one that comes with the extra ``dev``."""
    beside = Path(os.environ.get("TRAINERGEN_KUBECTL") or Path(sys.executable).parent / "kubectl")
    found = str(beside) if beside.is_file() else shutil.which("kubectl")
    assert found, "no kubectl: install the extra dev"
    return found


def attempt(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build ``folder``, which may fail."""
    return subprocess.run([kubectl(), "kustomize", str(folder)], capture_output=True, text=True, check=False)


def build(folder: Path) -> list[dict[str, Any]]:
    """The objects of ``folder``."""
    done = attempt(folder)
    assert done.returncode == 0, done.stderr
    return [each for each in yaml.safe_load_all(done.stdout) if each]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write ``files``, by name, below ``folder``."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def kustomization(**fields: object) -> str:
    """The text of a Kustomization."""
    head = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return yaml.safe_dump(head | fields, sort_keys=False)


def the(objects: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The one object of a kind."""
    (found,) = (each for each in objects if each["kind"] == kind)
    return found


def at(value: Any, *path: str | int) -> Any:
    """What is at ``path``; None where there is nothing."""
    for step in path:
        if isinstance(value, list):
            value = value[step] if isinstance(step, int) else next((x for x in value if x.get("name") == step), None)
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def pod(runtime: dict[str, Any], job: str) -> Any:
    """The Pod's spec of a job of a runtime."""
    return at(runtime, *JOBS, job, "template", "spec", "template", "spec")
