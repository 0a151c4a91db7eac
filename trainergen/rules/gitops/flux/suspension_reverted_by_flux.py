"""A TrainJob whose suspension Flux and Kueue write in turn."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, fix, rule
from trainergen.source.edits import delete_entry

_QUEUE = "kueue.x-k8s.io/queue-name"
_APPLY = "kustomize.toolkit.fluxcd.io/ssa"


@rule(
    "TG790",
    "suspension-reverted-by-flux",
    severity="error",
    kinds=("Kustomization",),
    looks_up=("TrainJob",),
    answers=("A118", "A019"),
    fix="unsafe",
)
def suspension_reverted_by_flux(flux: FluxObject) -> Findings:
    """A TrainJob that Flux delivers is queued by Kueue and says `suspend` itself.

    ## Why
    Kueue suspends a queued TrainJob, and resumes it when there is quota. Flux owns every field that is in Git and
    writes it at each interval, so it suspends the training in the middle of it. Without the field in Git nobody fights.

    ## Bad
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      suspend: true  # <-
      runtimeRef:
        name: torch-distributed
    ```

    ## Good
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    for entry in flux.delivers:
        job = entry.object
        if entry.kind != "TrainJob" or _QUEUE not in entry.labels or job.get("spec.suspend") is not True:
            continue
        if entry.annotations.get(_APPLY) in ("IfNotPresent", "Ignore"):
            continue
        yield job.at("spec.suspend").report(
            "Kueue resumes this TrainJob, and Flux suspends it again at the next interval",
            help=f"Remove suspend, or annotate the TrainJob with {_APPLY}: IfNotPresent.",
            fix=fix("remove suspend", delete_entry(entry.document, job.at("spec.suspend").path)),
        )
