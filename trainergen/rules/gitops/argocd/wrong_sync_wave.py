"""A TrainJob or runtime that is applied before what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.argocd.annotations import WAVE, wave_of
from trainergen.rules.views.workspace import reference_of

if TYPE_CHECKING:
    from trainergen.rules import Entry

_CONTROLLER = "trainer-controller-manager"
_RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")


@rule(
    "TG763",
    "wrong-sync-wave",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    mirrors=("kubernetes-sigs/kueue#11985", "kubeflow/trainer#2404"),
    answers=("A18", "A012"),
)
def wrong_sync_wave(app: ArgoApplication) -> Findings:
    """An Application applies a TrainJob before its runtime, or either before the controller.

    ## Why
    Argo CD applies custom resources of one wave in the order of their names. A TrainJob before its runtime is refused,
    since the webhook looks for the runtime; a runtime or TrainJob before the controller is refused, since nobody
    answers for the webhook. The sync fails then, and works at the second attempt at best.

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
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
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
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
    ```
    """
    controllers = [one for one in app.delivers if one.kind == "Deployment" and one.name.endswith(_CONTROLLER)]
    for entry in app.delivers:
        if entry.kind == "TrainJob" or entry.kind in _RUNTIMES:
            early = next((one for one in _needed(entry, controllers, app) if not _comes_before(one, entry)), None)
            if early is not None:
                at = entry.object.at("metadata.annotations", WAVE)
                yield (at if WAVE in entry.annotations else entry.object.at("metadata.name")).report(
                    f"the {entry.kind} '{entry.name}' (wave {wave_of(entry.annotations)}) is applied before the "
                    f"{early.kind} '{early.name}' (wave {wave_of(early.annotations)}) that it needs",
                    help=f"Give it an annotation {WAVE} with a higher number, such as 10.",
                )


def _needed(entry: Entry, controllers: list[Entry], app: ArgoApplication) -> Iterator[Entry]:
    yield from controllers
    if entry.kind == "TrainJob":
        kind, name = reference_of(entry.object)
        for one in app.delivers:
            same_place = kind == "ClusterTrainingRuntime" or one.namespace == entry.namespace
            if (one.kind, one.name) == (kind, name) and same_place:
                yield one


def _comes_before(first: Entry, entry: Entry) -> bool:
    """Whether Argo CD is done with one object, or has at least applied it, when the other's turn comes."""
    waves = wave_of(first.annotations), wave_of(entry.annotations)
    if waves[0] != waves[1]:
        return waves[0] < waves[1]
    return first.kind in _RUNTIMES and first.name < entry.name
