"""A Kueue that speaks to TrainJobs in a way that the Trainer does not understand yet."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Source, rule
from trainergen.rules.upgrade.jobset_version_differs import versions_of

_NAME = "kueue"
_URL = "oci://registry.k8s.io/kueue/charts/kueue"
_VERSION = re.compile(r"[~=v]*(\d+\.\d+)(?:\..*)?")
_WITHOUT_PATCHES = frozenset(f"0.{minor}" for minor in range(17))
"""The minor versions of Kueue that do not write runtimePatches."""


@rule(
    "TG808",
    "kueue-needs-newer-trainer",
    severity="error",
    kinds=("HelmRelease", "OCIRepository", "Application", "ApplicationSet"),
    until="2.1",
    triggers=(_NAME, _URL),
    mirrors=("kubernetes-sigs/kueue#11931", "kubernetes-sigs/kueue#14722", "kubernetes-sigs/kueue#14886"),
    answers=("A03", "A16"),
)
def kueue_needs_newer_trainer(source: Source) -> Findings:
    """Kueue 0.17 or later is installed beside a Trainer before 2.2.

    ## Why
    From 0.17 on Kueue admits a TrainJob by writing `runtimePatches`, a field that the Trainer has since 2.2. The CRDs
    before drop it: the Workload is admitted and takes its quota, and the TrainJob stays suspended for ever, without an
    error anywhere.

    ## Bad
    ```yaml
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: kueue
      namespace: kueue-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kueue
          version: 0.17.1  # <-
          sourceRef:
            kind: HelmRepository
            name: kueue
    ```

    ## Good
    ```yaml
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: kueue
      namespace: kueue-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kueue
          version: 0.16.4
          sourceRef:
            kind: HelmRepository
            name: kueue
    ```
    """
    for part in versions_of(source, _NAME, _URL):
        match = _VERSION.fullmatch(part.text())
        if match is not None and match[1] not in _WITHOUT_PATCHES:
            yield part.at().report(
                f"Kueue '{part.text()}' writes runtimePatches, which Trainer {source.release.name} does not have",
                help="Upgrade the Trainer to 2.2 first, or stay with Kueue 0.16.",
            )
