"""An Application that replaces TrainJobs instead of updating them."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule

_OPTIONS = ("Replace", "Force")


@rule(
    "TG751",
    "job-replaced-by-sync",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("Replace=true", "Force=true"),
    mirrors=("fluxcd/kustomize-controller#834", "kubernetes/kubernetes#89657"),
    answers=("A011", "A111"),
)
def job_replaced_by_sync(app: ArgoApplication) -> Findings:
    """An Application syncs its TrainJobs with Replace or Force.

    ## Why
    Most fields of a TrainJob cannot change. With `Replace=true` or `Force=true` Argo CD answers that by deleting the
    TrainJob and creating it anew: a run of days starts over, and its Pods and checkpoints on local disks are gone. A
    new run should have a new name.

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
        syncOptions:
          - Replace=true  # <-
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
        syncOptions:
          - ServerSideApply=true
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
    jobs = [entry for entry in app.delivers if entry.kind == "TrainJob"]
    for name in _OPTIONS if jobs else ():
        if app.option_on(name):
            yield (
                app.sync_options[name][1]
                .at()
                .report(
                    f"{name}=true makes the TrainJob '{jobs[0].name}' anew when a field differs that cannot change",
                    help="Remove the option, and give a changed TrainJob a new name.",
                )
            )
