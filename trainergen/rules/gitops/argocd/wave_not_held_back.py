"""Objects that are meant to wait for a TrainJob and do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.argocd.annotations import HOOK, WAITING, WAVE, has_job_health, settings_of, wave_of

if TYPE_CHECKING:
    from trainergen.rules import Entry

_PHASES = ("PreSync", "Sync")


@rule(
    "TG759",
    "wave-not-held-back",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("Application", "ApplicationSet", "argocd-cm", WAVE, HOOK),
    looks_up=("ConfigMap", *WAITING),
    mirrors=("argoproj/argo-cd#26543", "argoproj/argo-cd#15723"),
    answers=("A117", "A007"),
    needs=("the ConfigMap argocd-cm",),
)
def wave_not_held_back(app: ArgoApplication) -> Findings:
    """Later sync waves are to wait for a TrainJob whose health Argo CD does not know.

    ## Why
    Argo CD has no health check for TrainJobs, and what has none counts as healthy at once. So the next wave, or what
    follows a hook, starts as soon as the TrainJob is created: the model is served before it is trained. A script in
    `argocd-cm` makes Argo CD wait.

    ## Bad
    ```yaml title="argocd-cm.yaml"
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: argocd-cm
      namespace: argocd
    data:
      url: https://argocd.example.com
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
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      annotations:
        argocd.argoproj.io/hook: PreSync  # <-
    spec:
      runtimeRef:
        name: torch-distributed
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
        local hs = {status = "Progressing"}
        for _, c in ipairs(obj.status and obj.status.conditions or {}) do
          if c.status == "True" and c.type == "Complete" then hs.status = "Healthy" end
          if c.status == "True" and c.type == "Failed" then hs.status = "Degraded" end
        end
        return hs
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
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      annotations:
        argocd.argoproj.io/hook: PreSync
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    gates = [(entry, key) for entry in app.delivers if entry.kind == "TrainJob" and (key := _gate(entry, app))]
    settings = settings_of(app) if gates else None
    for entry, key in gates:
        place = entry.object.at("metadata.annotations", key)
        if settings is None:
            yield place.undecided("no file has the ConfigMap argocd-cm, which may hold a health check for TrainJobs")
        elif not has_job_health(settings):
            what = "hook" if key == HOOK else "wave"
            yield place.report(
                f"what follows this {what} starts as soon as TrainJob '{entry.name}' is created, not when it is done",
                help="Add resource.customizations.health.trainer.kubeflow.org_TrainJob to the ConfigMap argocd-cm.",
            )


def _gate(job: Entry, app: ArgoApplication) -> str:
    """The annotation by which other objects wait for a TrainJob; empty when none does."""
    if str(job.annotations.get(HOOK, "")) in _PHASES:
        return HOOK
    wave = wave_of(job.annotations)
    later = any(wave_of(one.annotations) > wave and one.kind != "TrainJob" for one in app.delivers)
    return WAVE if WAVE in job.annotations and later else ""
