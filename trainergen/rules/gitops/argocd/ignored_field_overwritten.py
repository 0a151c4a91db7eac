"""An Application that hides a difference and overwrites it all the same."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.certificates import JOBSET_SECRET, TRAINER_SECRET
from trainergen.source.edits import insert_item

_SECRETS = (JOBSET_SECRET, TRAINER_SECRET)


@rule(
    "TG755",
    "ignored-field-overwritten",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("ignoreDifferences",),
    answers=("A118", "A004"),
    fix="unsafe",
)
def ignored_field_overwritten(app: ArgoApplication) -> Findings:
    """An Application ignores what a controller writes, but does not respect that when it syncs.

    ## Why
    `ignoreDifferences` only keeps a field out of the comparison. A sync for any other reason still writes the value of
    Git: it empties the certificate Secrets, and suspends or resumes TrainJobs that Kueue has admitted. The sync option
    `RespectIgnoreDifferences=true` leaves the live value alone.

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
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      ignoreDifferences:  # <-
        - kind: Secret
          name: jobset-webhook-server-cert
          jsonPointers: [/data]
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
    if app.option_on("RespectIgnoreDifferences"):
        return
    for ignored in app.parts("spec.ignoreDifferences"):
        if ignored.text("kind") == "TrainJob" or ignored.text("name") in _SECRETS:
            what = ignored.text("name") or "TrainJobs"
            edit = insert_item(
                app.entry.document, app.at("spec.syncPolicy.syncOptions").path, "RespectIgnoreDifferences=true"
            )
            yield app.at("spec.ignoreDifferences").key.report(
                f"differences of '{what}' are not shown, but a sync still overwrites them",
                help="Add RespectIgnoreDifferences=true to the sync options.",
                fix=fix("add RespectIgnoreDifferences=true", edit),
            )
            return
