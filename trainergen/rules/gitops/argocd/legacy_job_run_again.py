"""A legacy job that Argo CD makes anew when its time to live is over."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.expiring import LEGACY, TIME_TO_LIVE, expiring
from trainergen.source.edits import delete_entry


@rule(
    "TG772",
    "legacy-job-run-again",
    severity="error",
    kinds=("Application", "ApplicationSet"),
    triggers=("selfHeal",),
    looks_up=LEGACY,
    answers=("A83", "A111"),
    fix="unsafe",
)
def legacy_job_run_again(app: ArgoApplication) -> Findings:
    """An Application heals itself and delivers legacy jobs that delete themselves.

    ## Why
    `ttlSecondsAfterFinished` of a legacy job deletes the job itself, not only its Pods as that of a JobSet does. Argo
    CD finds it missing and creates it again: the training runs from the beginning, and so on after each time to live.

    ## Bad
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: jobs
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
      syncPolicy:
        automated:
          selfHeal: true
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
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: jobs
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
      syncPolicy:
        automated:
          selfHeal: true
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
    automated = app.automated
    if automated is None or automated.get("selfHeal") is not True or automated.get("enabled") is False:
        return
    for entry in expiring(app.delivers):
        spot = entry.object.at(TIME_TO_LIVE)
        edit = delete_entry(entry.document, spot.path)
        yield spot.report(
            f"the {entry.kind} deletes itself {entry.object.get(TIME_TO_LIVE)} seconds after it has finished, and Argo "
            "CD runs it again",
            help="Remove it, and take jobs that have finished out of Git.",
            fix=fix("remove ttlSecondsAfterFinished", edit),
        )
