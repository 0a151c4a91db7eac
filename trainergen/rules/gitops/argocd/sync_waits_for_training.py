"""A sync that lasts as long as the training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.argocd.annotations import HOOK, WAITING, WAVE, has_job_health, settings_of, wave_of

if TYPE_CHECKING:
    from trainergen.rules import Entry

_IGNORED = "argocd.argoproj.io/ignore-healthcheck"
_PLATFORM = frozenset(
    {
        "TrainingRuntime",
        "ClusterTrainingRuntime",
        "CustomResourceDefinition",
        "Deployment",
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
    }
)


@rule(
    "TG760",
    "sync-waits-for-training",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("Application", "ApplicationSet", "argocd-cm", WAVE, HOOK),
    looks_up=("ConfigMap", *WAITING),
    answers=("A117", "A008"),
)
def sync_waits_for_training(app: ArgoApplication) -> Findings:
    """An Application brings TrainJobs together with what has to be synced meanwhile.

    ## Why
    With a health check for TrainJobs in `argocd-cm`, a sync that creates one is not over before the training is. Until
    then nothing else of the Application is synced: no new runtime, no mended Deployment, none of the later waves and
    hooks. TrainJobs in an Application of their own, or without the check, hold nothing up.

    ## Bad
    ```yaml title="argocd-cm.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: argocd-cm
      namespace: argocd
    data:
      resource.customizations.health.trainer.kubeflow.org_TrainJob: |
        return {status = "Progressing"}
    ```
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
    ```
    ```yaml title="jobs/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert  # <-
      namespace: team-a
      annotations:
        argocd.argoproj.io/sync-wave: "1"
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
    ```

    ## Good
    ```yaml title="argocd-cm.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: argocd-cm
      namespace: argocd
    data:
      resource.customizations.health.trainer.kubeflow.org_TrainJob: |
        return {status = "Progressing"}
    ```
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
    ```
    ```yaml title="jobs/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      annotations:
        argocd.argoproj.io/sync-wave: "1"
        argocd.argoproj.io/ignore-healthcheck: "true"
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
    ```
    """
    jobs = [one for one in app.delivers if one.kind == "TrainJob" and str(one.annotations.get(_IGNORED)) != "true"]
    settings = settings_of(app) if jobs else None
    if settings is None or not has_job_health(settings):
        return
    for job in jobs:
        waiting = next((one for one in app.delivers if _waits(one, job)), None)
        if waiting is not None:
            yield job.object.at("metadata.name").report(
                f"the sync of Application '{app.text('metadata.name')}', with {waiting.kind} '{waiting.name}' in it, "
                "lasts until the training is over",
                help=f"Put TrainJobs into an Application of their own, or annotate this one with {_IGNORED}.",
            )


def _waits(one: Entry, job: Entry) -> bool:
    if one.kind == "TrainJob":
        return False
    return (
        one.kind in _PLATFORM
        or wave_of(one.annotations) > wave_of(job.annotations)
        or one.annotations.get(HOOK) == "PostSync"
    )
