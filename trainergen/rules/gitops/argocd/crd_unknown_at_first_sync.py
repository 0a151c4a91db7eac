"""An Application whose first sync fails because another one brings the kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.argocd.annotations import options_in
from trainergen.rules.gitops.installation import installs_trainer
from trainergen.source.edits import insert_item

if TYPE_CHECKING:
    from trainergen.rules import Entry

_OPTION = "SkipDryRunOnMissingResource"
_PLACE = "spec.syncPolicy.syncOptions"


@rule(
    "TG773",
    "crd-unknown-at-first-sync",
    severity="warning",
    profile="strict",
    kinds=("Application", "ApplicationSet"),
    mirrors="kubeflow/community-distribution#3179",
    answers=("A19", "A013"),
    fix="unsafe",
)
def crd_unknown_at_first_sync(app: ArgoApplication) -> Findings:
    """An Application brings objects of the Trainer while another one brings their CRDs.

    ## Why
    Argo CD tries an Application in a dry run before it applies anything. On a new cluster the kinds are not there until
    the other Application has been synced, so the whole sync fails, and may have used up its attempts by then. With
    `SkipDryRunOnMissingResource=true` such objects wait.

    ## Bad
    ```yaml title="trainer.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: ghcr.io/kubeflow/charts
        chart: kubeflow-trainer
        targetRevision: 2.3.0
        helm:
          valuesObject:
            jobset:
              install: false
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
    ```
    ```yaml title="runtimes.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: runtimes
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/platform.git
        targetRevision: main
        path: runtimes
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
      syncPolicy:
        syncOptions:  # <-
          - ServerSideApply=true
    ```
    ```yaml title="runtimes/torch.yaml"
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

    ## Good
    ```yaml title="trainer.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: ghcr.io/kubeflow/charts
        chart: kubeflow-trainer
        targetRevision: 2.3.0
        helm:
          valuesObject:
            jobset:
              install: false
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
    ```
    ```yaml title="runtimes.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: runtimes
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/platform.git
        targetRevision: main
        path: runtimes
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
          - SkipDryRunOnMissingResource=true
    ```
    ```yaml title="runtimes/torch.yaml"
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
    """
    if app.option_on(_OPTION) or installs_trainer(app):
        return
    ours = [entry for entry in app.delivers if entry.group == "trainer.kubeflow.org"]
    if not ours or all(options_in(entry.annotations).get(_OPTION) == "true" for entry in ours):
        return
    other = next((entry for entry in app.objects.of("Application") if _is_installer(entry, app)), None)
    if other is not None:
        edit = insert_item(app.entry.document, app.at(_PLACE).path, f"{_OPTION}=true")
        yield app.at(_PLACE).key.report(
            f"the first sync of {ours[0].kind} '{ours[0].name}' fails until '{other.name}' has brought its CRD",
            help=f"Add {_OPTION}=true to the sync options.",
            fix=fix(f"add {_OPTION}=true", edit),
        )


def _is_installer(entry: Entry, app: ArgoApplication) -> bool:
    other = type(app)(entry, tree=app.tree, release=app.release, objects=app.objects)
    return installs_trainer(other)
