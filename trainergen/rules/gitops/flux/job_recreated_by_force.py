"""A Kustomization of Flux that deletes TrainJobs which it cannot update."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, fix, rule
from trainergen.source.edits import delete_entry

_PLACE = "spec.force"


@rule(
    "TG782",
    "job-recreated-by-force",
    severity="error",
    kinds=("Kustomization",),
    triggers=("force",),
    mirrors=("fluxcd/kustomize-controller#834", "kubernetes/kubernetes#89657"),
    answers=("A111", "F003"),
    fix="unsafe",
)
def job_recreated_by_force(flux: FluxObject) -> Findings:
    """A Kustomization of Flux delivers TrainJobs with force.

    ## Why
    With `force: true` Flux deletes an object first when the API server calls an update of it invalid, whatever the
    reason. Most fields of a TrainJob cannot change, so an edit restarts the training; and a typo that the schema
    refuses deletes the running TrainJob and leaves nothing, since the new one is refused as well.

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
      force: true  # <-
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
    spec:
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
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    if flux.get(_PLACE) is not True:
        return
    job = next((entry for entry in flux.delivers if entry.kind == "TrainJob"), None)
    if job is not None:
        yield flux.at(_PLACE).report(
            f"an edit of TrainJob '{job.name}' that is not allowed deletes it while it runs",
            help="Remove force, and give a changed TrainJob a new name; kustomize.toolkit.fluxcd.io/ssa: IfNotPresent "
            "on a TrainJob makes Flux leave it alone once it is there.",
            fix=fix("remove force", delete_entry(flux.entry.document, flux.at(_PLACE).path)),
        )
