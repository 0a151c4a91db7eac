"""The objects that the manifests and the chart give."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from tests.overlays.kustomize import build, kustomization, write

Object: TypeAlias = dict[str, Any]
CONTROLLER = Path(__file__).parents[3] / "controller"
MANIFESTS, CHART = CONTROLLER / "manifests", CONTROLLER / "chart"
NAMESPACE = "kubeflow-system"
NAME = "trainergen-controller"


def kustomized(folder: Path, mode: str, components: Sequence[str] = ()) -> list[Object]:
    """What an overlay and some components give; ``folder`` is one to write into, below which nothing else lies."""
    copied = folder / "manifests"
    if not copied.is_dir():
        shutil.copytree(MANIFESTS, copied)
    own = "-".join((mode, *components))
    listed = [f"../manifests/components/{each}" for each in components]
    text = kustomization(resources=[f"../manifests/overlays/{mode}"], components=listed)
    return build(write(folder / own, {"kustomization.yaml": text}))


def charted(folder: Path, values: Object, *, name: str = NAME, namespace: str = NAMESPACE) -> list[Object]:
    """What the chart gives for some values; skips without helm."""
    done = templated(folder, values, name=name, namespace=namespace)
    assert done.returncode == 0, done.stderr
    return [each for each in yaml.safe_load_all(done.stdout) if each]


def templated(
    folder: Path, values: Object, *, name: str = NAME, namespace: str = NAMESPACE
) -> subprocess.CompletedProcess[str]:
    """helm template, which may fail."""
    helm = shutil.which("helm")
    if helm is None:
        pytest.skip("helm is not on PATH")
    file = folder / "values.yaml"
    file.write_text(json.dumps(values))
    command = [helm, "template", name, str(CHART), "--namespace", namespace, "--values", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def named(objects: Sequence[Object]) -> dict[tuple[str, str, str], Object]:
    """Objects by kind, namespace and name, of which there is one each."""
    found = {(one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"]): one for one in objects}
    assert len(found) == len(objects), "two objects have one name"
    return found


def deployment(objects: Sequence[Object]) -> Object:
    """The one Deployment."""
    (found,) = (one for one in objects if one["kind"] == "Deployment")
    return found


def container(objects: Sequence[Object]) -> Object:
    """Its one container."""
    (found,) = deployment(objects)["spec"]["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found
