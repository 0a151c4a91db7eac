"""A TrainJob whose suspension Argo CD and Kueue write in turn."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.source.edits import delete_entry

_QUEUE = "kueue.x-k8s.io/queue-name"


@rule(
    "TG768",
    "suspension-reverted",
    severity="error",
    kinds=("Application", "ApplicationSet"),
    looks_up=("TrainJob",),
    mirrors="argoflow/argoflow-aws#227",
    answers=("A118", "A019"),
    fix="unsafe",
)
def suspension_reverted(app: ArgoApplication) -> Findings:
    """A TrainJob that Argo CD delivers is queued by Kueue and says `suspend` itself.

    ## Why
    Kueue suspends a queued TrainJob, and resumes it when there is quota. What Git says about `spec.suspend` is a
    difference then, and the next sync suspends the training in the middle of it. Without the field in Git
    nobody fights.

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
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    if _is_ignored(app):
        return
    for entry in app.delivers:
        job = entry.object
        if entry.kind == "TrainJob" and _QUEUE in entry.labels and job.get("spec.suspend") is True:
            yield job.at("spec.suspend").report(
                "Kueue resumes this TrainJob, and the next sync suspends it again",
                help="Remove suspend, or ignore /spec/suspend of TrainJobs in the Application and respect that.",
                fix=fix("remove suspend", delete_entry(entry.document, job.at("spec.suspend").path)),
            )


def _is_ignored(app: ArgoApplication) -> bool:
    """Whether the Application leaves the field alone, in comparisons and in syncs."""
    return app.option_on("RespectIgnoreDifferences") and any(
        ignored.text("kind") in ("TrainJob", "*")
        and any("suspend" in path for path in (*ignored.texts("jsonPointers"), *ignored.texts("jqPathExpressions")))
        for ignored in app.parts("spec.ignoreDifferences")
    )
