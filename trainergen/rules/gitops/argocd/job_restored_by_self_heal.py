"""An Application that trains again whenever somebody deletes a TrainJob."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule


@rule(
    "TG761",
    "job-restored-by-self-heal",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("selfHeal",),
    answers=("A111", "A83", "A009"),
)
def job_restored_by_self_heal(app: ArgoApplication) -> Findings:
    """An Application with TrainJobs heals itself.

    ## Why
    A TrainJob is a run, not a state to hold. With `selfHeal` Argo CD creates a deleted one anew within seconds: whoever
    stops a run by deleting it, or clears finished ones away, starts the training from the beginning.

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
          selfHeal: true  # <-
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
          selfHeal: false
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
    automated = app.automated
    if automated is None or automated.get("selfHeal") is not True or automated.get("enabled") is False:
        return
    job = next((entry for entry in app.delivers if entry.kind == "TrainJob"), None)
    if job is not None:
        yield automated.at("selfHeal").report(
            f"a TrainJob that somebody deletes, such as '{job.name}', is created and trains again",
            help="Deliver TrainJobs by an Application without selfHeal.",
        )
