"""What ``overlays/`` has from the generators: ``python -m trainergen.generate.generate [--check]``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.api.access import object_at
from trainergen.api.structural import API_VERSION
from trainergen.datafiles import data_dir
from trainergen.generate.argocd.settings import settings
from trainergen.generate.component import NAME, component_files
from trainergen.generate.emitting import manifest
from trainergen.generate.flux.health import expressions
from trainergen.generate.resolved import Placed
from trainergen.releases import NEWEST

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

FOLDER = data_dir("overlays")
_LONGEST_TRAINING = "192h"


def generated() -> Iterator[tuple[Path, str]]:
    """Path and text of every generated file."""
    for file in component_files(NEWEST.name):
        yield FOLDER / "components" / NAME / file.path, file.text
    yield FOLDER / "argocd" / "settings" / "argocd-cm.yaml", manifest(_settings())
    yield FOLDER / "flux" / "await-training" / "health.yaml", manifest(_awaiting())


def _settings() -> JsonObject:
    """The patch of ``argocd-cm``, which is found by its name whatever the namespace."""
    value = settings()
    return value | {"metadata": {"name": object_at(value, "metadata")["name"]}}


def _awaiting() -> JsonObject:
    """The patch of a Kustomization that waits for the end of training."""
    job = Placed("jobs", "", {"apiVersion": API_VERSION, "kind": "TrainJob"})
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "any"},
        "spec": {
            "wait": True,
            "timeout": _LONGEST_TRAINING,
            "healthCheckExprs": expressions([job], jobs=True),
        },
    }


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with ``--check`` say by the exit code whether the committed ones are the same."""
    stale = 0
    for path, text in generated():
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            sys.stderr.write(f"{path} is out of date: run python -m trainergen.generate.generate\n")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
