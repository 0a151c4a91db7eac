"""An Application that asks to skip CRDs which are templates."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.installation import argo_charts


@rule(
    "TG765",
    "skip-crds-without-effect",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("skipCrds",),
    mirrors="kubeflow/trainer#3655",
    answers=("A015",),
)
def skip_crds_without_effect(app: ArgoApplication) -> Findings:
    """An Application sets skipCrds for a chart whose CRDs are templates.

    ## Why
    `skipCrds` leaves out the folder `crds/` of a chart. Since 2.3 the Trainer's CRDs are templates, so they are
    installed all the same, fight with those that another unit applies, and go when the Application is deleted. The
    value `crds.enabled: false` leaves them out.

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
          skipCrds: true  # <-
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
            crds:
              enabled: false
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
    for use in argo_charts(app):
        skips = use.owner.get("helm.skipCrds") is True
        if skips and use.within(app.release, since="2.3") and use.flag("crds.enabled", default=True):
            yield use.owner.at("helm.skipCrds").report(
                "skipCrds does not leave out the CRDs of the Trainer, which are templates of this chart",
                help="Set the value crds.enabled to false.",
            )
