"""Flux: for each environment the sources, and a chain of Kustomizations from the CRDs to the jobs.

``flux/<environment>`` is what a cluster's own Kustomization points at, as ``flux bootstrap`` or ``flux create
kustomization`` makes one.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.generate.delivery import TRAINER, installs, name_of, needs_trainer, units_of
from trainergen.generate.emitting import manifest
from trainergen.generate.flux.kustomizations import installation, path_of, unit_kustomization
from trainergen.generate.flux.releases import trainer_release, unit_release
from trainergen.generate.flux.sources import chart, repository
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.finding import JsonObject
    from trainergen.generate.resolved import Environment, Resolved

__all__ = ["FOLDER", "files"]

FOLDER = PurePosixPath("flux")


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The files for Flux."""
    for environment in resolved.environments:
        yield from _environment(resolved, environment)


def _environment(resolved: Resolved, environment: Environment) -> Iterator[GeneratedFile]:
    folder = FOLDER / environment.name
    listed = ["sources.yaml", f"{resolved.name}.yaml"]
    sources = [repository(resolved, environment)]
    if installs(resolved, environment):
        sources.append(chart(resolved))
        release = folder / TRAINER
        listed.append("trainer.yaml")
        yield _file(folder / "trainer.yaml", installation(resolved, environment, release))
        yield _file(release / "helmrelease.yaml", [trainer_release(resolved)])
        yield _kustomization(release, ["helmrelease.yaml"])
    yield _file(folder / "sources.yaml", sources)
    yield _file(folder / f"{resolved.name}.yaml", _units(resolved, environment))
    if resolved.format == "helm":
        for unit in units_of(environment):
            place = folder / "releases" / unit.name
            yield _file(place / "helmrelease.yaml", [unit_release(resolved, environment, unit)])
            yield _kustomization(place, ["helmrelease.yaml"])
    yield _kustomization(folder, sorted(listed))


def _units(resolved: Resolved, environment: Environment) -> Iterator[JsonObject]:
    """The chain: each unit waits for those before it, and for the Trainer if it has objects of its kinds."""
    before: list[str] = []
    releases = FOLDER / environment.name / "releases"
    for unit in units_of(environment):
        needs_it = resolved.install and needs_trainer(unit, environment)
        needed = [*([TRAINER] if needs_it else ()), *before]
        path = path_of(resolved, environment, unit, releases)
        yield unit_kustomization(resolved, environment, unit, depends=needed, folder=path)
        before.append(name_of(resolved, environment, unit))


def _kustomization(folder: PurePosixPath, resources: list[str]) -> GeneratedFile:
    """What Flux would otherwise make up itself, of all files in and below the folder."""
    made: JsonObject = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [*resources],
    }
    return _file(folder / "kustomization.yaml", [made])


def _file(path: PurePosixPath, objects: Iterable[JsonObject]) -> GeneratedFile:
    return GeneratedFile(path, "---\n".join(manifest(each) for each in objects))
