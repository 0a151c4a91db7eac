"""A legacy job that Flux makes anew when its time to live is over."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, fix, rule
from trainergen.rules.gitops.expiring import LEGACY, TIME_TO_LIVE, expiring
from trainergen.source.edits import delete_entry

_RECONCILE = "kustomize.toolkit.fluxcd.io/reconcile"


@rule(
    "TG791",
    "legacy-job-run-again-by-flux",
    severity="error",
    kinds=("Kustomization",),
    looks_up=LEGACY,
    answers=("A83", "A111"),
    fix="unsafe",
)
def legacy_job_run_again_by_flux(flux: FluxObject) -> Findings:
    """A Kustomization of Flux delivers legacy jobs that delete themselves.

    ## Why
    `ttlSecondsAfterFinished` of a legacy job deletes the job itself, not only its Pods as that of a JobSet does. Flux
    applies it again within `interval`: the training runs from the beginning, and so on after each time to live.

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
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runPolicy:
        cleanPodPolicy: Running
        ttlSecondsAfterFinished: 3600  # <-
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
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
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runPolicy:
        cleanPodPolicy: Running
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
    ```
    """
    if flux.get("spec.suspend") is True:
        return
    for entry in expiring(flux.delivers):
        if str(entry.annotations.get(_RECONCILE, "")).lower() == "disabled":
            continue
        spot = entry.object.at(TIME_TO_LIVE)
        edit = delete_entry(entry.document, spot.path)
        yield spot.report(
            f"the {entry.kind} deletes itself {entry.object.get(TIME_TO_LIVE)} seconds after it has finished, and Flux "
            "runs it again",
            help="Remove it, and take jobs that have finished out of Git.",
            fix=fix("remove ttlSecondsAfterFinished", edit),
        )
