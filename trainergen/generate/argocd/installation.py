"""The Trainer itself as Applications: first its CRDs, which are never pruned, then the chart with the controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.argocd.applications import ARGO, destination, metadata
from trainergen.generate.argocd.drift import of_installation
from trainergen.generate.delivery import TRAINER, TRAINER_NAMESPACE, in_repository
from trainergen.generate.install.chart import REGISTRY, chart_of, chart_values
from trainergen.generate.install.crds import CRDS, has_crds
from trainergen.rules.gitops.helm.chart_facts import CHART

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.resolved import Environment, Resolved

CRDS_FIRST, CONTROLLERS_NEXT = -20, -10


def installation(resolved: Resolved, environment: Environment) -> Iterator[JsonObject]:
    """The Applications that install the Trainer into the cluster of an environment."""
    project = f"{TRAINER}-{environment.name}"
    if has_crds(resolved.release):
        source: JsonObject = {
            "repoURL": resolved.repository,
            "targetRevision": environment.revision,
            "path": in_repository(resolved, CRDS),
        }
        yield _application(f"{TRAINER}-{environment.name}-crds", project, source, environment, wave=CRDS_FIRST)
    chart = chart_of(resolved.release)
    source = {
        "repoURL": REGISTRY,
        "chart": CHART,
        "targetRevision": chart.chart,
        "helm": {"releaseName": CHART, "valuesObject": chart_values(resolved.release)},
    }
    application = _application(project, project, source, environment, wave=CONTROLLERS_NEXT)
    spec = application["spec"]
    assert isinstance(spec, dict)
    spec["ignoreDifferences"] = of_installation(resolved.release)
    yield application


def _application(name: str, project: str, source: JsonObject, environment: Environment, *, wave: int) -> JsonObject:
    options: list[JsonValue] = ["ServerSideApply=true", "RespectIgnoreDifferences=true", "CreateNamespace=true"]
    return {
        "apiVersion": ARGO,
        "kind": "Application",
        "metadata": metadata(name, wave=wave, compares=True),
        "spec": {
            "project": project,
            "source": source,
            "destination": destination(environment, TRAINER_NAMESPACE),
            # Whatever leaves the chart stays until somebody deletes it: with a CRD all its objects would go.
            "syncPolicy": {"automated": {"prune": False, "selfHeal": True}, "syncOptions": options},
        },
    }
