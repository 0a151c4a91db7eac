"""A value in an Application or HelmRelease that the Trainer's chart does not read."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.effects import ineffective
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG732",
    "delivered-value-not-read",
    severity="error",
    kinds=DELIVERIES,
    looks_up=SOURCES,
    mirrors=("kubeflow/trainer#2894", "kubeflow/trainer#4120"),
    answers=("H001", "H002", "H003"),
    fix="safe",
)
def delivered_value_not_read(source: Source) -> Findings:
    """An Application or HelmRelease sets a value that the chart kubeflow-trainer of that version does not read.

    ## Why
    The chart has no schema of its values, so Argo CD and Flux take any: a misspelt key, one of another release, or one
    below the wrong parent is ignored, and the default holds. Some values are listed in the chart but read by no
    template. A boolean in quotes is text, which templates take for true.

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
          enable: false  # <-
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
        yield from ineffective(installation)
