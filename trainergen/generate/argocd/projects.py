"""AppProjects: what a team, and the installation of the Trainer, may bring to a cluster, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.argocd.applications import ARGO, destination, metadata
from trainergen.generate.delivery import TRAINER, TRAINER_NAMESPACE, GroupKind, kinds_of, name_of
from trainergen.generate.install.chart import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.resolved import Environment, Resolved

_INSTALLED = (
    GroupKind("", "Namespace"),
    GroupKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
    GroupKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
    GroupKind("apiextensions.k8s.io", "CustomResourceDefinition"),
    GroupKind("rbac.authorization.k8s.io", "ClusterRole"),
    GroupKind("rbac.authorization.k8s.io", "ClusterRoleBinding"),
)
"""What the chart of the Trainer, with JobSet in it, has outside namespaces."""
BEFORE = -30
"""The wave of projects: what is in them needs them."""


def team_project(resolved: Resolved, environment: Environment) -> JsonObject:
    """The project of a team in an environment: its repository, its namespace, and the kinds that it has."""
    kinds = kinds_of(environment.objects)
    spec: JsonObject = {
        "description": f"Training of {resolved.name} in {environment.name}",
        "sourceRepos": [resolved.repository],
        "destinations": [destination(environment, environment.namespace)],
        "clusterResourceWhitelist": _listed(kind for kind in kinds if kind.is_cluster_scoped),
        "namespaceResourceWhitelist": _listed(kind for kind in kinds if not kind.is_cluster_scoped),
    }
    return _project(name_of(resolved, environment), spec)


def installation_project(resolved: Resolved, environment: Environment) -> JsonObject:
    """The project of the Trainer itself."""
    spec: JsonObject = {
        "description": f"Kubeflow Trainer in {environment.name}",
        "sourceRepos": [resolved.repository, REGISTRY],
        "destinations": [destination(environment, TRAINER_NAMESPACE)],
        "clusterResourceWhitelist": _listed(_INSTALLED),
    }
    return _project(f"{TRAINER}-{environment.name}", spec)


def _project(name: str, spec: JsonObject) -> JsonObject:
    return {"apiVersion": ARGO, "kind": "AppProject", "metadata": metadata(name, wave=BEFORE), "spec": spec}


def _listed(kinds: Iterable[GroupKind]) -> list[JsonValue]:
    return [{"group": kind.group, "kind": kind.kind} for kind in kinds]
