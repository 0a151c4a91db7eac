"""JobSet delivered beside the one that the Trainer's chart brings."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.checks import place_of
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery

if TYPE_CHECKING:
    from trainergen.rules import Entry

_DELIVERY = ("Application", "HelmRelease")
_CHART = "jobset"
_DEPLOYMENTS = ("jobset-controller-manager", "jobset-controller")


@rule(
    "TG743",
    "job-set-delivered-twice",
    severity="warning",
    kinds=DELIVERIES,
    looks_up=(*_DELIVERY, *SOURCES, "Deployment"),
    answers=("H021",),
)
def job_set_delivered_twice(source: Source) -> Findings:
    """The Trainer's chart installs JobSet, which another manifest next to it delivers as well.

    ## Why
    Two installations of JobSet have the same CRDs, webhooks and cluster roles: they overwrite each other's, and two
    controllers of different versions work on the same JobSets. The Trainer's chart leaves JobSet out with
    `jobset.install: false`.

    ## Bad
    ```yaml title="platform/jobset.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: jobset
      namespace: jobset-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: jobset
          version: 0.12.0
          sourceRef:
            kind: HelmRepository
            name: jobset
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
    ```
    ```yaml title="platform/trainer.yaml"
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
          version: 2.3.0  # <-
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
    ```

    ## Good
    ```yaml title="platform/jobset.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: jobset
      namespace: jobset-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: jobset
          version: 0.12.0
          sourceRef:
            kind: HelmRepository
            name: jobset
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
    ```
    ```yaml title="platform/trainer.yaml"
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
        jobset:
          install: false
    ```
    """
    for installation in of_delivery(source):
        if installation.value("jobset.install") is not True or not installation.complete:
            continue
        other = next((one for one in source.objects.of(*_DELIVERY, "Deployment") if _is_beside(source, one)), None)
        if other is not None:
            yield place_of(installation, "jobset.install").report(
                f"the chart installs JobSet, and so does the {other.kind} '{other.name}' in '{other.file}'",
                help="Set jobset.install to false, or remove the other one.",
            )


def _is_beside(source: Source, other: Entry) -> bool:
    """Whether another manifest installs JobSet in the same folder or one called so beside it: in the same cluster."""
    here, there = posixpath.dirname(source.entry.file), posixpath.dirname(other.file)
    siblings = posixpath.dirname(here) == posixpath.dirname(there) and _CHART in posixpath.basename(there)
    near = here == there or siblings
    if other.kind == "Deployment":
        return near and other.name in _DEPLOYMENTS
    chart = other.object.text("spec.chart.spec.chart") or other.object.text("spec.source.chart")
    return near and chart == _CHART and _destination(source.entry) == _destination(other)


def _destination(entry: Entry) -> tuple[str, str]:
    return entry.object.text("spec.destination.server"), entry.object.text("spec.destination.name")
