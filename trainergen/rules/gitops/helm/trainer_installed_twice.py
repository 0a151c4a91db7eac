"""Two installations of the Trainer's chart for one cluster."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.installations import SOURCES, of_delivery

if TYPE_CHECKING:
    from trainergen.rules import Entry

_KINDS = ("Application", "HelmRelease")


@rule(
    "TG749",
    "trainer-installed-twice",
    severity="error",
    kinds=_KINDS,
    looks_up=(*_KINDS, *SOURCES),
    mirrors=("NVIDIA/aicr#2171",),
    answers=("H016",),
)
def trainer_installed_twice(source: Source) -> Findings:
    """Two releases of the Trainer's chart are installed side by side.

    ## Why
    The names of both webhook configurations, of the public ConfigMap's role and of the CRDs do not depend on the
    release. The second one is refused by Helm, or takes the webhooks over, which then call a controller that knows
    nothing of the other's runtimes. One Trainer serves all namespaces of a cluster.

    ## Bad
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
        crds:
          enabled: false
    ```
    ```yaml title="platform/trainer-vision.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer  # <-
      namespace: vision
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
        jobset:
          install: false
    ```

    ## Good
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
        crds:
          enabled: false
    ```
    """
    if not any(of_delivery(source)):
        return
    for other in source.objects.of(source.kind):
        if _is_before(other, source.entry) and _same_cluster(source.entry, other):
            found = Source(other, release=source.release, objects=source.objects)
            if any(of_delivery(found)):
                yield source.at("metadata.name").report(
                    f"'{other.name}' in '{other.file}' installs the Trainer for the same cluster already",
                    help="Keep one release; it serves TrainJobs in every namespace.",
                )
                return


def _is_before(other: Entry, entry: Entry) -> bool:
    """Whether another object lies in the same folder, comes first, and is not the same release again."""
    same_folder = posixpath.dirname(other.file) == posixpath.dirname(entry.file)
    return (
        same_folder
        and (other.namespace, other.name) != (entry.namespace, entry.name)
        and (len(other.file), other.file, other.index) < (len(entry.file), entry.file, entry.index)
    )


def _same_cluster(entry: Entry, other: Entry) -> bool:
    places = ("spec.destination", "spec.kubeConfig.secretRef.name")
    return all(_without_namespace(entry.object.get(at)) == _without_namespace(other.object.get(at)) for at in places)


def _without_namespace(value: object) -> object:
    return {k: v for k, v in value.items() if k != "namespace"} if isinstance(value, dict) else value
