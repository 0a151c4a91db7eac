"""Flux: for each environment the sources, and a chain of Kustomizations from the CRDs to the jobs.

``flux/<environment>`` is what a cluster's own Kustomization points at, as ``flux bootstrap`` or ``flux create
kustomization`` makes one. Teams that share a tree share the source of the repository; each has a chain of its own.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.generate.delivery import TRAINER, installs, name_of, needs_trainer, units_of
from trainergen.generate.emitting import manifest
from trainergen.generate.flux.kustomizations import installation, path_of, unit_kustomization
from trainergen.generate.flux.releases import trainer_release, unit_release
from trainergen.generate.flux.sources import chart, repository
from trainergen.generate.install import CONTROLLER
from trainergen.generate.layout import TEAMS
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.finding import JsonObject
    from trainergen.generate.resolved import Environment, Resolved

__all__ = ["FOLDER", "files"]

FOLDER = PurePosixPath("flux")


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The files for Flux."""
    if resolved.install:
        yield from _folder(CONTROLLER, trainer_release(resolved))
    for environment in resolved.environments:
        folder = FOLDER / environment.name
        yield _file(folder / "sources.yaml", [repository(resolved, environment)])
        if installs(resolved, environment):
            made = [chart(resolved), *installation(resolved, environment, CONTROLLER)]
            yield _file(folder / "trainer.yaml", made)
        yield _file(folder / f"{resolved.name}.yaml", _units(resolved, environment))
        if resolved.format == "helm":
            for unit in units_of(environment):
                yield from _folder(
                    _releases(resolved, environment) / unit.name, unit_release(resolved, environment, unit)
                )


def _releases(resolved: Resolved, environment: Environment) -> PurePosixPath:
    return TEAMS / resolved.name / "releases" / environment.name


def _units(resolved: Resolved, environment: Environment) -> Iterator[JsonObject]:
    """The chain: each unit waits for those before it, and for the Trainer if it has objects of its kinds."""
    before: list[str] = []
    releases = _releases(resolved, environment)
    for unit in units_of(environment):
        needs_it = resolved.install and needs_trainer(unit, environment)
        needed = [*([TRAINER] if needs_it else ()), *before]
        path = path_of(resolved, environment, unit, releases)
        yield unit_kustomization(resolved, environment, unit, depends=needed, folder=path)
        before.append(name_of(resolved, environment, unit))


def _folder(folder: PurePosixPath, release: JsonObject) -> Iterator[GeneratedFile]:
    """A folder with a HelmRelease, and a kustomization so that kubectl builds it as Flux does."""
    yield _file(folder / "helmrelease.yaml", [release])
    made: JsonObject = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["helmrelease.yaml"],
    }
    yield _file(folder / "kustomization.yaml", [made])


def _file(path: PurePosixPath, objects: Iterable[JsonObject]) -> GeneratedFile:
    return GeneratedFile(path, "---\n".join(manifest(each) for each in objects))
