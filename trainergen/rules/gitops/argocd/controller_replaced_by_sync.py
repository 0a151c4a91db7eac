"""An Application that replaces what the controllers write into their own objects."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.installation import installs_trainer


@rule(
    "TG753",
    "controller-replaced-by-sync",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("Replace=true",),
    answers=("A002", "A13"),
)
def controller_replaced_by_sync(app: ArgoApplication) -> Findings:
    """An Application installs the Trainer with Replace.

    ## Why
    `Replace=true` beats server-side apply and writes every object over as it is in Git. That wipes what the controllers
    have written into theirs: the certificates in the Secrets and the `caBundle` of the webhooks, so that every TrainJob
    is refused until they are there again. With `Force=true` beside it the CRDs may be deleted, and all TrainJobs of the
    cluster with them.

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
        syncOptions:
          - Replace=true  # <-
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
    if not app.option_on("Replace") or not installs_trainer(app):
        return
    forced = app.option_on("Force")
    yield (
        app.sync_options["Replace"][1]
        .at()
        .report(
            "Replace=true with Force=true deletes CRDs and every TrainJob with them when a field cannot change"
            if forced
            else "Replace=true wipes the certificates and the caBundle that the controllers write",
            help="Use ServerSideApply=true instead.",
            severity="error" if forced else "",
        )
    )
