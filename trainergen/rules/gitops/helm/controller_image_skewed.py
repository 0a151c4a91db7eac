"""A controller of another release than its chart, in an Application or HelmRelease."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.checks import skewed_image
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG736",
    "controller-image-skewed",
    severity="warning",
    kinds=DELIVERIES,
    looks_up=SOURCES,
    mirrors=("kubeflow/trainer#2894", "NVIDIA/cluster-readiness-engine#56"),
    answers=("A06", "H020"),
    needs=("values from other places",),
)
def controller_image_skewed(source: Source) -> Findings:
    """The image of the controller is of another release than the chart that installs it.

    ## Why
    CRDs, permissions, webhooks and the configuration come from the chart; the controller reads them and refuses to
    start on settings that it does not know, or lacks permissions and fields. The chart of 2.0 takes the tag `latest`
    unless one is set, which is a newer controller with every restart.

    ## Bad
    ```yaml title="trainer.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kubeflow-trainer
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
      values:
        crds:
          enabled: false
        image:
          tag: v2.2.1  # <-
    ```

    ## Good
    ```yaml title="trainer.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kubeflow-trainer
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
      values:
        crds:
          enabled: false
        image:
          tag: v2.3.0
    ```
    """
    for installation in of_delivery(source):
        yield from skewed_image(installation)
