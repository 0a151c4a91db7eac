"""CRDs that go with the release of an Application or HelmRelease."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.checks import unprotected_crds
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG734",
    "crds-deleted-with-release",
    severity="warning",
    profile="strict",
    kinds=DELIVERIES,
    looks_up=SOURCES,
    mirrors=("kubeflow/trainer#3655", "kubeflow/trainer#3650"),
    answers=("A02", "H006", "H008"),
    needs=("values from other places",),
)
def crds_deleted_with_release(source: Source) -> Findings:
    """The Trainer's chart brings the CRDs in a release, which takes every TrainJob with it when it is removed.

    ## Why
    In 2.3 the CRDs moved into the templates of the chart and have no policy that keeps them. Uninstalling the release,
    pruning the Application, or setting `crds.enabled` to false later deletes the CRDs, and the cluster all TrainJobs
    and runtimes. The CRDs also fill most of the Secret that Helm keeps a release in. In a unit of their own, applied
    server-side and never pruned, they stay.

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
        yield from unprotected_crds(installation)
