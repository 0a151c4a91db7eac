"""A TrainJob whose annotation makes Argo CD or Flux replace it."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.argocd.annotations import SYNC_OPTIONS, options_in

_FLUX = "kustomize.toolkit.fluxcd.io/force"
_HELP = "Remove the annotation, and give a changed TrainJob a new name."


@rule(
    "TG752",
    "job-replaced-by-annotation",
    severity="warning",
    triggers=(SYNC_OPTIONS, _FLUX),
    mirrors=("fluxcd/kustomize-controller#834", "kubernetes/kubernetes#89657"),
    answers=("A111", "A011", "F003"),
)
def job_replaced_by_annotation(job: Source) -> Findings:
    """An annotation on a TrainJob makes Argo CD or Flux create it anew.

    ## Why
    Most fields of a TrainJob cannot change. With `Replace=true`, `Force=true` or the `force` annotation of Flux an edit
    of such a field deletes the running TrainJob and trains from the beginning; with Flux even an edit that the webhook
    refuses does, and then nothing comes back. A new run should have a new name.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      annotations:
        argocd.argoproj.io/sync-options: Force=true,Replace=true  # <-
    spec:
      runtimeRef:
        name: torch-distributed
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      annotations:
        argocd.argoproj.io/sync-options: Prune=false
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    options = options_in(job.annotations)
    named = [f"{name}=true" for name in ("Replace", "Force") if options.get(name) == "true"]
    if named:
        yield job.at("metadata.annotations", SYNC_OPTIONS).report(
            f"{' and '.join(named)} makes the TrainJob anew when a field differs that cannot change", help=_HELP
        )
    if str(job.annotations.get(_FLUX, "")).lower() in ("enabled", "true"):
        yield job.at("metadata.annotations", _FLUX).report(
            "Flux deletes the TrainJob and makes it anew whenever an edit is refused", help=_HELP, severity="error"
        )
