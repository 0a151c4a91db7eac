"""A chart from Git that cannot be rendered as it lies there."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG741",
    "chart-in-git-incomplete",
    severity="error",
    kinds=DELIVERIES,
    looks_up=SOURCES,
    mirrors=("kubeflow/trainer#3044",),
    answers=("H015",),
)
def chart_in_git_incomplete(source: Source) -> Findings:
    """The chart of Trainer 2.1 is taken from the repository without setting the image's tag.

    ## Why
    The tag defaults to the app version of the chart, which was only added when the chart was published. In the
    repository it is missing, the image ends in a colon, and the Deployment is no valid YAML: rendering fails. Take the
    published chart, or set `image.tag`.

    ## Bad
    ```yaml title="source.yaml"
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      url: https://github.com/kubeflow/trainer
      ref:
        tag: v2.1.0  # <-
    ```
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
          chart: ./charts/kubeflow-trainer
          sourceRef:
            kind: GitRepository
            name: trainer
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
    ```

    ## Good
    ```yaml title="source.yaml"
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      url: https://github.com/kubeflow/trainer
      ref:
        tag: v2.1.0
    ```
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
          chart: ./charts/kubeflow-trainer
          sourceRef:
            kind: GitRepository
            name: trainer
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
      values:
        image:
          tag: v2.1.0
    ```
    """
    for installation in of_delivery(source):
        needs_tag = installation.from_git and installation.facts.needs_app_version
        if needs_tag and installation.complete and not installation.value("image.tag"):
            yield installation.version.at().report(
                f"the chart {installation.facts.chart} in the repository has no tag for the controller's image, so it "
                "does not render",
                help="Set image.tag, or take the chart from oci://ghcr.io/kubeflow/charts.",
            )
