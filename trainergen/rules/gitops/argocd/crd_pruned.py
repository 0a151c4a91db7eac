"""An Application that prunes the definitions of the Trainer's kinds."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule
from trainergen.rules.gitops.argocd.annotations import options_in
from trainergen.rules.gitops.crds import CRD, NAMES, is_training_crd


@rule(
    "TG764",
    "crd-pruned",
    severity="warning",
    kinds=("Application", "ApplicationSet"),
    triggers=("prune", *NAMES),
    looks_up=(CRD,),
    mirrors="kubeflow/trainer#4122",
    answers=("F008", "A014"),
)
def crd_pruned(app: ArgoApplication) -> Findings:
    """An Application prunes the CRDs of the Trainer or JobSet.

    ## Why
    With a CRD all objects of its kind go. Where an Application prunes, a file that is moved, or a kustomization that
    loses a line, deletes every TrainJob of the cluster. CRDs belong into an Application of their own that does not
    prune, or carry an annotation that keeps them.

    ## Bad
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer-crds
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/platform.git
        targetRevision: main
        path: crds
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      syncPolicy:
        automated:
          prune: true  # <-
        syncOptions:
          - ServerSideApply=true
    ```
    ```yaml title="crds/trainjobs.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: trainjobs.trainer.kubeflow.org
    spec:
      group: trainer.kubeflow.org
    ```

    ## Good
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: trainer-crds
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/platform.git
        targetRevision: main
        path: crds
      destination:
        server: https://kubernetes.default.svc
        namespace: kubeflow-system
      syncPolicy:
        automated:
          prune: true
        syncOptions:
          - ServerSideApply=true
    ```
    ```yaml title="crds/trainjobs.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: trainjobs.trainer.kubeflow.org
      annotations:
        argocd.argoproj.io/sync-options: Prune=false
    spec:
      group: trainer.kubeflow.org
    ```
    """
    automated = app.automated
    if automated is None or automated.get("prune") is not True:
        return
    taken = [
        entry.name
        for entry in app.delivers
        if is_training_crd(entry) and options_in(entry.annotations).get("Prune") not in ("false", "confirm")
    ]
    if taken:
        yield automated.at("prune").report(
            f"the CRD '{taken[0]}' and all objects of its kind are deleted as soon as it is no longer delivered",
            help="Annotate the CRDs with argocd.argoproj.io/sync-options: Prune=false.",
        )
