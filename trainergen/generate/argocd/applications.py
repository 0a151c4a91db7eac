"""Applications: one for each unit of an environment, in waves; an ApplicationSet for the jobs of a kustomize tree."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from trainergen.generate.argocd.drift import of_training
from trainergen.generate.delivery import in_repository, name_of, tree_name
from trainergen.generate.helm import values_file
from trainergen.generate.layout import JOBS, NAMESPACE, RUNTIMES, TEAMS, Unit, delivered_folder

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.resolved import Environment, Resolved

ARGO = "argoproj.io/v1alpha1"
ARGO_NAMESPACE = "argocd"
IN_CLUSTER = "https://kubernetes.default.svc"
WAVES = {RUNTIMES.name: 0, NAMESPACE.name: 5, JOBS.name: 10}
_WAVE = "argocd.argoproj.io/sync-wave"
_COMPARE = "argocd.argoproj.io/compare-options"


def metadata(name: str, *, wave: int, compares: bool = False) -> JsonObject:
    """The metadata of an object of Argo CD; ``compares`` for an Application, which asks the API server to compare."""
    annotations: JsonObject = {_WAVE: str(wave)}
    if compares:
        annotations[_COMPARE] = "ServerSideDiff=true"
    return {"name": name, "namespace": ARGO_NAMESPACE, "annotations": annotations}


def destination(environment: Environment, namespace: str) -> JsonObject:
    """The cluster of an environment, by URL or by name, with a namespace unless that is empty."""
    by_name = environment.cluster and "://" not in environment.cluster
    place: JsonObject = {"name" if by_name else "server": environment.cluster or IN_CLUSTER}
    return {**place, "namespace": namespace} if namespace else place


def unit_application(resolved: Resolved, environment: Environment, unit: Unit) -> JsonObject:
    """The Application of a unit."""
    return {
        "apiVersion": ARGO,
        "kind": "Application",
        "metadata": metadata(name_of(resolved, environment, unit), wave=WAVES[unit.name], compares=True),
        "spec": {
            "project": name_of(resolved, environment),
            "source": _source(resolved, environment, unit),
            **_rest(environment, unit, namespace=environment.namespace),
        },
    }


def jobs_application_set(resolved: Resolved, environment: Environment) -> JsonObject:
    """An Application for the jobs of each team that has an overlay for the environment, in the team's own project."""
    pattern = in_repository(resolved, TEAMS / "*" / JOBS.name / "overlays" / environment.name)
    team = PurePosixPath(pattern).parts.index("*")
    source = {"repoURL": resolved.repository, "targetRevision": environment.revision}
    git: JsonObject = {
        "repoURL": resolved.repository,
        "revision": environment.revision,
        "directories": [{"path": pattern}],
    }
    project = f"{{{{ index .path.segments {team} }}}}-{environment.name}"
    named = metadata(f"{project}-{JOBS.name}", wave=0, compares=True)
    annotations = named["annotations"]
    assert isinstance(annotations, dict)
    del annotations[_WAVE]
    return {
        "apiVersion": ARGO,
        "kind": "ApplicationSet",
        "metadata": metadata(f"{tree_name(resolved, environment)}-{JOBS.name}", wave=WAVES[JOBS.name]),
        "spec": {
            "goTemplate": True,
            "goTemplateOptions": ["missingkey=error"],
            "generators": [{"git": git}],
            # A team's folder that goes must not take its running jobs along.
            "syncPolicy": {"preserveResourcesOnDeletion": True},
            "template": {
                "metadata": named,
                "spec": {
                    "project": project,
                    "source": {**source, "path": "{{ .path.path }}"},
                    # Each object says its namespace, and the project which ones it may be in.
                    **_rest(environment, JOBS, namespace=""),
                },
            },
        },
    }


def _source(resolved: Resolved, environment: Environment, unit: Unit) -> JsonObject:
    source: JsonObject = {
        "repoURL": resolved.repository,
        "targetRevision": environment.revision,
        "path": in_repository(resolved, delivered_folder(resolved, unit, environment)),
    }
    if resolved.format == "helm":
        source["helm"] = {
            "releaseName": name_of(resolved, environment, unit),
            "valueFiles": [values_file(environment.name)],
            "valuesObject": {"parts": parts(resolved, unit)},
            "skipTests": True,
        }
    return source


def parts(resolved: Resolved, unit: Unit) -> JsonObject:
    """The values that switch on the parts of a unit, and off all others that the chart has."""
    found = dict.fromkeys(placed.part for each in resolved.environments for placed in each.objects)
    return {part: part in unit.parts for part in found}


def _rest(environment: Environment, unit: Unit, *, namespace: str) -> JsonObject:
    """Where a unit goes, how it is synced, and what is no difference."""
    # A job that somebody deletes must not train again, so jobs do not heal.
    automated: JsonObject = {"prune": True, "selfHeal": unit is not JOBS}
    options: list[JsonValue] = ["ServerSideApply=true", "SkipDryRunOnMissingResource=true"]
    rest: JsonObject = {
        "destination": destination(environment, namespace),
        "syncPolicy": {"automated": automated, "syncOptions": options},
    }
    if unit is JOBS:
        rest["ignoreDifferences"] = of_training()
        options.append("RespectIgnoreDifferences=true")
    return rest
