"""Argo CD: for each environment a project, an Application for each unit in waves, and what ``argocd-cm`` needs.

``argocd/<environment>.yaml`` is the Application of Applications: the only thing that is applied by hand. Teams that
share a tree share it, and the ApplicationSet of all jobs; each has a project and Applications of its own.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.generate.argocd.applications import (
    ARGO,
    ARGO_NAMESPACE,
    IN_CLUSTER,
    jobs_application_set,
    metadata,
    unit_application,
)
from trainergen.generate.argocd.installation import installation
from trainergen.generate.argocd.projects import installation_project, team_project
from trainergen.generate.argocd.settings import NAME, settings
from trainergen.generate.delivery import in_repository, installs, tree_name, units_of
from trainergen.generate.emitting import manifest
from trainergen.generate.layout import JOBS
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.finding import JsonObject
    from trainergen.generate.resolved import Environment, Resolved

__all__ = ["FOLDER", "files"]

FOLDER = PurePosixPath("argocd")


def files(resolved: Resolved) -> Iterator[GeneratedFile]:
    """The files for Argo CD."""
    for environment in resolved.environments:
        yield _file(FOLDER / f"{environment.name}.yaml", [_root(resolved, environment)])
        folder = FOLDER / environment.name
        yield _file(folder / f"project-{resolved.name}.yaml", [team_project(resolved, environment)])
        if installs(resolved, environment):
            made = [installation_project(resolved, environment), *installation(resolved, environment)]
            yield _file(folder / "trainer.yaml", made)
        uses_set = resolved.format == "kustomize"
        units = units_of(environment)
        singles = [unit for unit in units if not (uses_set and unit is JOBS)]
        made = [unit_application(resolved, environment, unit) for unit in singles]
        yield _file(folder / f"applications-{resolved.name}.yaml", made)
        if uses_set and JOBS in units:
            yield _file(folder / "jobs-applicationset.yaml", [jobs_application_set(resolved, environment)])
        yield _file(folder / NAME, [settings()])


def _root(resolved: Resolved, environment: Environment) -> JsonObject:
    """The Application that brings all others of an environment, in their waves."""
    return {
        "apiVersion": ARGO,
        "kind": "Application",
        "metadata": metadata(tree_name(resolved, environment), wave=0),
        "spec": {
            "project": "default",
            "source": {
                "repoURL": resolved.repository,
                "targetRevision": environment.revision,
                "path": in_repository(resolved, FOLDER / environment.name),
                # A patch is no manifest.
                "directory": {"exclude": "*.patch.yaml"},
            },
            "destination": {"server": IN_CLUSTER, "namespace": ARGO_NAMESPACE},
            "syncPolicy": {
                "automated": {"prune": True, "selfHeal": True},
                "syncOptions": ["ServerSideApply=true"],
            },
        },
    }


def _file(path: PurePosixPath, objects: Iterable[JsonObject]) -> GeneratedFile:
    return GeneratedFile(path, "---\n".join(manifest(each) for each in objects))
