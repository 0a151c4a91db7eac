"""An Application that brings kinds which its project does not allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.installation import argo_charts
from trainergen.rules.objects import CLUSTER_KINDS

if TYPE_CHECKING:
    from trainergen.rules import Part

_WEBHOOKS = ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")
_OF_CHART = (
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("rbac.authorization.k8s.io", "ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
)
_TRAINER = ("trainer.kubeflow.org", "jobset.x-k8s.io", "kueue.x-k8s.io")


@rule(
    "TG767",
    "kind-not-permitted",
    severity="error",
    kinds=("Application", "ApplicationSet"),
    triggers=("Application", "ApplicationSet", "AppProject"),
    looks_up=("AppProject",),
    answers=("A018",),
)
def kind_not_permitted(app: ArgoApplication) -> Findings:
    """The project of an Application does not allow a kind that it delivers.

    ## Why
    A project allows no cluster-scoped kinds but those in `clusterResourceWhitelist`. ClusterTrainingRuntimes, and the
    CRDs, roles and webhooks of the Trainer, are cluster-scoped: the sync fails with a list of them, and nothing is
    applied. Only projects that are in the repository are looked at.

    ## Bad
    ```yaml title="project.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: AppProject
    metadata:
      name: platform
      namespace: argocd
    spec:
      sourceRepos: ["*"]
      destinations:
        - server: "*"
          namespace: "*"
      clusterResourceWhitelist:  # <-
        - group: ""
          kind: Namespace
    ```
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer
      namespace: argocd
    spec:
      project: platform
      source:
        repoURL: ghcr.io/kubeflow/charts
        chart: kubeflow-trainer
        targetRevision: 2.3.0
        helm:
          valuesObject:
            jobset:
              install: false
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
    ```

    ## Good
    ```yaml title="project.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: AppProject
    metadata:
      name: platform
      namespace: argocd
    spec:
      sourceRepos: ["*"]
      destinations:
        - server: "*"
          namespace: "*"
      clusterResourceWhitelist:
        - group: "*"
          kind: "*"
    ```
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer
      namespace: argocd
    spec:
      project: platform
      source:
        repoURL: ghcr.io/kubeflow/charts
        chart: kubeflow-trainer
        targetRevision: 2.3.0
        helm:
          valuesObject:
            jobset:
              install: false
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
    ```
    """
    name = app.text("spec.project")
    project = next((one for one in app.objects.of("AppProject") if one.name == name), None)
    if project is None:
        return
    denied = sorted({kind for group, kind in _delivered(app) if not _is_allowed(project.object, group, kind)})
    if denied:
        cluster = any(_is_cluster_wide(kind) for kind in denied)
        place = "clusterResourceWhitelist" if cluster else "namespaceResourceWhitelist"
        yield project.object.at("spec", place).key.report(
            f"the project allows no {' and no '.join(denied)}, which '{app.text('metadata.name')}' delivers",
            help=f"Add the kinds to {place}, or take them off the blacklist.",
        )


def _delivered(app: ArgoApplication) -> Iterator[tuple[str, str]]:
    """Group and kind of what is looked at: what is cluster-scoped, and objects of the Trainer."""
    if argo_charts(app):
        yield from _OF_CHART
    for entry in app.delivers:
        if _is_cluster_wide(entry.kind) or entry.group in _TRAINER:
            yield entry.group, entry.kind


def _is_cluster_wide(kind: str) -> bool:
    return kind in CLUSTER_KINDS or kind in _WEBHOOKS


def _is_allowed(project: Part, group: str, kind: str) -> bool:
    scope = "cluster" if _is_cluster_wide(kind) else "namespace"
    allowed, banned = (f"spec.{scope}Resource{colour}list" for colour in ("White", "Black"))
    if _any(project.parts(banned), group, kind):
        return False
    if scope == "namespace" and not project.has(allowed):
        return True
    return _any(project.parts(allowed), group, kind)


def _any(patterns: Iterable[Part], group: str, kind: str) -> bool:
    return any(fnmatchcase(group, one.text("group")) and fnmatchcase(kind, one.text("kind")) for one in patterns)
