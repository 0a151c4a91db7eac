"""An Application that deletes running TrainJobs, and runtimes that are in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.argocd.annotations import options_in

if TYPE_CHECKING:
    from trainergen.rules import Entry

_KEPT = ("false", "confirm")
_RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")


@rule(
    "TG762",
    "training-pruned",
    severity="warning",
    profile="strict",
    kinds=("Application", "ApplicationSet"),
    triggers=("prune",),
    mirrors="kubeflow/trainer#3715",
    answers=("A11", "A009", "A014"),
)
def training_pruned(app: ArgoApplication) -> Findings:
    """An Application prunes TrainJobs or runtimes without asking.

    ## Why
    A manifest that goes from Git, or moves to another folder, is deleted from the cluster at once: a TrainJob with all
    its Pods, however far the training is. A runtime that TrainJobs refer to hangs in deletion up to 2.2; since 2.3 it
    is gone, and every later update of its TrainJobs is refused, even suspending them. `Prune=confirm` asks first.

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
          prune: true  # <-
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
          prune: true
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      annotations:
        argocd.argoproj.io/sync-options: Prune=confirm
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    automated = app.automated
    if automated is None or automated.get("prune") is not True:
        return
    if app.sync_options.get("Prune", ("",))[0] in _KEPT:
        return
    taken = [entry for entry in app.delivers if _is_taken(entry)]
    if taken:
        one = next((entry for entry in taken if entry.kind == "TrainJob"), taken[0])
        more = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
        yield automated.at("prune").report(
            f"pruning deletes the {one.kind} '{one.name}'{more} when a manifest goes or moves, running or in use",
            help="Annotate TrainJobs and runtimes with argocd.argoproj.io/sync-options: Prune=confirm, or deliver them "
            "by an Application that does not prune.",
        )


def _is_taken(entry: Entry) -> bool:
    if entry.kind != "TrainJob" and entry.kind not in _RUNTIMES:
        return False
    return options_in(entry.annotations).get("Prune") not in _KEPT
