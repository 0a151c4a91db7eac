"""A kustomization that turns from upstream's manifests to the chart, or back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.installation import TRAINER_CHART, TRAINER_REPOSITORY

if TYPE_CHECKING:
    from trainergen.rules import Part

_WITHOUT_CONTROLLER = ("runtimes", "namespace-rbac", "crds")


@rule(
    "TG815",
    "packaging-switched",
    severity="error",
    mirrors="canonical/bundle-kubeflow#1464",
    answers=("A20", "U012"),
)
def packaging_switched(kustomization: Kustomization) -> Findings:
    """A kustomization takes the Trainer from its chart, where the base has upstream's manifests, or the other way.

    ## Why
    The two packagings name Deployments differently (`jobset-controller`, `jobset-controller-manager`) or give them
    selectors that cannot change. Applied over the other one, an update is refused, or two controllers run side by side.
    The controllers have to be removed first, and the CRDs kept.

    ## Bad
    ```yaml title="base:kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.2.1
    ```
    ```yaml title="kustomization.yaml"
    helmCharts:
      - name: kubeflow-trainer  # <-
        repo: oci://ghcr.io/kubeflow/charts
        version: 2.2.1
        releaseName: trainer
        namespace: kubeflow-system
    ```

    ## Good
    ```yaml title="base:kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.2.1
    ```
    ```yaml title="kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.3.0
    ```
    """
    if kustomization.base is None:
        return
    new_chart, new_manifests = _chart(kustomization), _manifests(kustomization)
    old_chart, old_manifests = _chart(kustomization.base), _manifests(kustomization.base)
    to_chart = new_chart is not None and new_manifests is None and old_manifests is not None and old_chart is None
    to_manifests = new_manifests is not None and new_chart is None and old_chart is not None and old_manifests is None
    place = new_chart.at("name") if to_chart and new_chart else new_manifests.at() if new_manifests else None
    if place is not None and (to_chart or to_manifests):
        was, now = ("upstream's manifests", "the chart") if to_chart else ("the chart", "upstream's manifests")
        yield place.report(
            f"the Trainer came from {was} and comes from {now} now, which cannot update the controllers in place",
            help="Remove the controllers of the old packaging first, keep the CRDs, and install the new one then.",
        )


def _chart(kustomization: Kustomization) -> Part | None:
    return next((part for part in kustomization.parts("helmCharts") if part.text("name") == TRAINER_CHART), None)


def _manifests(kustomization: Kustomization) -> Part | None:
    """The remote resource that is upstream's controller."""
    for part in kustomization.remotes:
        path = part.text().partition("?")[0].rstrip("/")
        if TRAINER_REPOSITORY in path and path.rpartition("/")[2] not in _WITHOUT_CONTROLLER:
            return part
    return None
