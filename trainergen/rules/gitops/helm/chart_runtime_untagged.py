"""A shipped runtime with images that the chart leaves without tag."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG740",
    "chart-runtime-untagged",
    severity="warning",
    profile="production",
    kinds=DELIVERIES,
    looks_up=SOURCES,
    answers=("H010",),
)
def chart_runtime_untagged(source: Source) -> Findings:
    """The chart's values enable a runtime whose initializers have images without tag.

    ## Why
    The chart pins the trainer of the torchtune runtimes, but not their dataset and model initializers, and has no value
    for them. They run as `latest`: another initializer with each pull, possibly one of another release. The manifests
    for kustomize pin the same images.

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
        runtimes:
          torchtuneDistributed:
            llama3_2_1B:
              enabled: true  # <-
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
    ```
    """
    for installation in of_delivery(source):
        for name in installation.enabled_runtimes():
            images = installation.facts.untagged.get(name)
            if images:
                yield (
                    installation.runtime_switch(name)
                    .at()
                    .report(
                        f"the chart's runtime '{name}' takes '{images[0]}' without a tag, which no value can set",
                        help="Switch it off and bring the runtime from Git with pinned images.",
                    )
                )
                break
