"""Runtimes that are installed by a Job with access to the internet."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG739",
    "installer-needs-internet",
    severity="warning",
    profile="production",
    kinds=DELIVERIES,
    looks_up=SOURCES,
    answers=("H011",),
)
def installer_needs_internet(source: Source) -> Findings:
    """Runtimes are enabled in a chart that installs them by a Job, which fetches its tool from the internet.

    ## Why
    The installer of 2.3 is a hook that adds kubectl from the package repository of Alpine, whatever image it is given,
    and applies the runtimes with force. In a cluster without that access the hook fails, and with it the release or
    the sync; with it, each upgrade runs what the repository serves that day. Nobody sees the runtimes as objects of the
    release. Runtimes from Git need none of that.

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
          torchDistributed:
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
        runtimes = installation.enabled_runtimes()
        if installation.facts.installer and runtimes:
            yield (
                installation.runtime_switch(runtimes[0])
                .at()
                .report(
                    f"'{runtimes[0]}' is installed by a Job that fetches kubectl from the internet each time",
                    help="Switch the chart's runtimes off and bring them from Git.",
                )
            )
