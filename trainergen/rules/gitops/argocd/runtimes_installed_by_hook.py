"""An Application whose runtimes come from a Job that fetches kubectl from the internet."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.installation import argo_charts


@rule(
    "TG766",
    "runtimes-installed-by-hook",
    severity="warning",
    profile="strict",
    kinds=("Application", "ApplicationSet"),
    triggers=("kubeflow-trainer",),
    mirrors="kubeflow/trainer#3655",
    answers=("A016", "A017"),
)
def runtimes_installed_by_hook(app: ArgoApplication) -> Findings:
    """An Application switches on runtimes of a chart that installs them by hooks.

    ## Why
    Since 2.3 the chart's runtimes are no objects of the chart: a Job installs them, which first fetches kubectl from
    the package repository of Alpine. Argo CD runs it after every sync, shows none of the runtimes, and fails the sync
    with it; from Argo CD 3.3 on the Job's counterpart runs before the Application is deleted and can block that. A
    single hook annotation of Argo CD in the same Application may switch all of them off.

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
        chart: kubeflow-trainer  # <-
        targetRevision: 2.3.0
        helm:
          valuesObject:
            jobset:
              install: false
            runtimes:
              defaultEnabled: true
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
        if use.has_runtimes and use.within(app.release, since="2.3"):
            yield use.owner.at("chart").report(
                "the runtimes of this chart are installed by a hook after every sync, outside of what Argo CD shows",
                help="Switch the chart's runtimes off and deliver runtimes from Git.",
            )
