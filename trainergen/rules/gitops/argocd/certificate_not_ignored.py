"""An Application that syncs empty certificates over those of the controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.certificates import is_ignored_in, secrets_of
from trainergen.rules.gitops.installation import argo_charts

if TYPE_CHECKING:
    from trainergen.rules import Part


@rule(
    "TG754",
    "certificate-not-ignored",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    mirrors=("kubeflow/trainer#3627", "kubernetes-sigs/jobset#1248"),
    answers=("A118", "A13", "A003", "A004"),
    needs=("the values files of the chart",),
)
def certificate_not_ignored(app: ArgoApplication) -> Findings:
    """An Application syncs a certificate Secret that the chart declares with empty keys.

    ## Why
    The chart of JobSet, which the Trainer's chart brings, declares its certificate Secret with four empty keys; up to
    2.2 so does the Trainer itself. The controller fills them. Argo CD sees a difference and writes the empty ones back:
    the webhooks refuse everything until the controller has made a new certificate, and self-healing starts that again.

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
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      ignoreDifferences:
        - kind: Secret
          name: jobset-webhook-server-cert
          jsonPointers: [/data]
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
          - RespectIgnoreDifferences=true
    ```
    """
    rules = list(app.parts("spec.ignoreDifferences"))
    for use in argo_charts(app):
        secrets = secrets_of(use, app.release)
        if secrets is None:
            yield use.owner.at("chart").undecided("the values files may leave out JobSet")
            continue
        missing = [name for name in secrets if not any(_covers(one, name) for one in rules)]
        if missing:
            names = " and ".join(f"'{name}'" for name in missing)
            yield (app.at("spec.ignoreDifferences").key if rules else use.owner.at("chart")).report(
                f"Argo CD writes the empty keys of Secret {names} over the certificate of the controller",
                help="Ignore /data of the Secret in ignoreDifferences, with the sync option "
                "RespectIgnoreDifferences=true.",
            )


def _covers(ignored: Part, secret: str) -> bool:
    return (
        ignored.text("kind") in ("Secret", "*")
        and ignored.text("name") in ("", secret)
        and is_ignored_in([*ignored.texts("jsonPointers"), *ignored.texts("jqPathExpressions")])
    )
