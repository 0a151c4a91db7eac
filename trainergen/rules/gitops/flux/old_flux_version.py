"""A Flux object of an API version that goes away."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, fix, rule
from trainergen.rules.gitops.installation import flux_chart
from trainergen.source.edits import replace_value

_CURRENT = {
    "kustomize.toolkit.fluxcd.io/v1beta1": "v1",
    "kustomize.toolkit.fluxcd.io/v1beta2": "v1",
    "helm.toolkit.fluxcd.io/v2beta1": "v2",
    "helm.toolkit.fluxcd.io/v2beta2": "v2",
}


@rule(
    "TG789",
    "old-flux-version",
    severity="info",
    profile="strict",
    kinds=("Kustomization", "HelmRelease"),
    triggers=tuple(_CURRENT),
    looks_up=("OCIRepository",),
    answers=("F010",),
    fix="unsafe",
)
def old_flux_version(flux: FluxObject) -> Findings:
    """What delivers the Trainer or its objects is written in an old API version of Flux.

    ## Why
    Flux serves its beta versions for a while and then no more; an upgrade of Flux stops at such objects, and nothing of
    them is reconciled. Health expressions and other fields that training needs exist in the newer versions only.

    ## Bad
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1beta2  # <-
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
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
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
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
    current = _CURRENT.get(flux.text("apiVersion"))
    if current is None:
        return
    ours = flux_chart(flux) is not None or any(entry.group == "trainer.kubeflow.org" for entry in flux.delivers)
    if ours:
        written = flux.text("apiVersion")
        wanted = f"{written.partition('/')[0]}/{current}"
        yield flux.at("apiVersion").report(
            f"'{written}' goes away; its successor is '{current}'",
            help=f"Write {wanted}, and look up which fields changed.",
            fix=fix(f"write {wanted}", replace_value(flux.entry.document, flux.at("apiVersion").path, wanted)),
        )
