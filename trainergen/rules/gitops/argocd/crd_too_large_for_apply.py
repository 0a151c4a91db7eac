"""An Application that applies CRDs which are too large for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.argocd.annotations import options_in
from trainergen.rules.gitops.crds import CRD, NAMES, argo_crds, is_training_crd
from trainergen.source.edits import insert_item

if TYPE_CHECKING:
    from trainergen.rules import Entry

_LIMIT = 262_144
_OPTIONS = ("ServerSideApply", "Replace")
_PLACE = "spec.syncPolicy.syncOptions"


@rule(
    "TG750",
    "crd-too-large-for-apply",
    severity="error",
    kinds=("Application", "ApplicationSet"),
    triggers=("Application", "ApplicationSet", *NAMES),
    looks_up=(CRD,),
    mirrors="aws-ia/terraform-aws-eks-blueprints#2041",
    answers=("A17", "A001"),
    needs=("the values files of the chart",),
    fix="unsafe",
)
def crd_too_large_for_apply(app: ArgoApplication) -> Findings:
    """An Application brings the CRDs of the Trainer or JobSet without server-side apply.

    ## Why
    Client-side apply keeps the whole object in an annotation, which may have 262144 bytes. The CRDs of the runtimes, of
    JobSet and of LeaderWorkerSet have more than that as JSON, so the first sync fails with `metadata.annotations: Too
    long`. Server-side apply has no such annotation.

    ## Bad
    ```yaml
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer
      namespace: argocd
    spec:
      project: default
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
        syncOptions:  # <-
          - CreateNamespace=true
    ```

    ## Good
    ```yaml
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer
      namespace: argocd
    spec:
      project: default
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
    if any(app.option_on(name) for name in _OPTIONS):
        return
    found = argo_crds(app)
    large = [entry.name for entry in app.delivers if _is_too_large(entry)]
    whose = " and ".join(found or [])
    if not (whose or large):
        if found is None:
            yield app.at("spec.source").undecided("the values files may leave out the CRDs")
        return
    edit = insert_item(app.entry.document, app.at(_PLACE).path, "ServerSideApply=true")
    yield app.at(_PLACE).key.report(
        f"the CRDs of {whose} are too large for client-side apply"
        if whose
        else f"the CRD '{large[0]}' has more than {_LIMIT} bytes, too many for client-side apply",
        help="Add ServerSideApply=true to the sync options.",
        fix=fix("add ServerSideApply=true", edit),
    )


def _is_too_large(entry: Entry) -> bool:
    if not is_training_crd(entry) or any(options_in(entry.annotations).get(name) == "true" for name in _OPTIONS):
        return False
    return len(json.dumps(entry.value, separators=(",", ":"), ensure_ascii=False).encode()) > _LIMIT
