"""A Kustomization of Flux that prunes the definitions of the Trainer's kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, FluxObject, rule
from trainergen.rules.gitops.crds import CRD, NAMES, is_training_crd

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.rules import Entry

_PRUNE = "kustomize.toolkit.fluxcd.io/prune"


@rule(
    "TG787",
    "crd-pruned-by-flux",
    severity="warning",
    kinds=("Kustomization",),
    triggers=("prune", *NAMES),
    looks_up=(CRD,),
    mirrors="kubeflow/trainer#4122",
    answers=("F008",),
)
def crd_pruned_by_flux(flux: FluxObject) -> Findings:
    """A Kustomization of Flux prunes the CRDs of the Trainer or JobSet.

    ## Why
    With a CRD all objects of its kind go. Where a Kustomization prunes, a file that is moved, or the Kustomization
    itself when it is renamed, deletes the CRDs and with them every TrainJob of the cluster. A label keeps Flux from
    it.

    ## Bad
    ```yaml title="crds.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: trainer-crds
      namespace: flux-system
    spec:
      interval: 1h
      path: ./crds
      prune: true  # <-
      wait: true
      sourceRef:
        kind: GitRepository
        name: flux-system
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
    ```yaml title="crds.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: trainer-crds
      namespace: flux-system
    spec:
      interval: 1h
      path: ./crds
      prune: true
      wait: true
      sourceRef:
        kind: GitRepository
        name: flux-system
      commonMetadata:
        labels:
          kustomize.toolkit.fluxcd.io/prune: disabled
    ```
    ```yaml title="crds/trainjobs.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: trainjobs.trainer.kubeflow.org
    spec:
      group: trainer.kubeflow.org
    ```
    """
    if flux.get("spec.prune") is not True or _is_kept_by(flux):
        return
    taken = [entry.name for entry in flux.delivers if is_training_crd(entry) and not _is_kept(entry)]
    if taken:
        yield flux.at("spec.prune").report(
            f"the CRD '{taken[0]}' and all objects of its kind are deleted as soon as it is no longer delivered",
            help=f"Set prune to false, or label the CRDs with {_PRUNE}: disabled.",
        )


def _is_kept_by(flux: FluxObject) -> bool:
    """Whether the Kustomization itself marks what it applies."""
    if any(_marks(flux.mapping("spec.commonMetadata", half)) for half in ("labels", "annotations")):
        return True
    return any(_PRUNE in patch.text("patch") for patch in flux.parts("spec.patches"))


def _is_kept(entry: Entry) -> bool:
    return _marks(entry.labels) or _marks(entry.annotations)


def _marks(metadata: JsonObject) -> bool:
    return str(metadata.get(_PRUNE, "")).lower() == "disabled"
