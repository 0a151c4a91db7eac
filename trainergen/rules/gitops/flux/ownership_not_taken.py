"""A HelmRelease that cannot adopt the CRDs of the Trainer."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, fix, rule
from trainergen.rules.gitops.installation import flux_chart
from trainergen.source.edits import delete_entry

_PLACE = "spec.upgrade.disableTakeOwnership"


@rule(
    "TG781",
    "ownership-not-taken",
    severity="warning",
    kinds=("HelmRelease",),
    triggers=("disableTakeOwnership",),
    looks_up=("OCIRepository",),
    mirrors="kubeflow/trainer#3655",
    answers=("A02", "F002"),
    fix="unsafe",
)
def ownership_not_taken(flux: FluxObject) -> Findings:
    """A HelmRelease of the Trainer forbids taking ownership.

    ## Why
    In 2.3 the CRDs moved from the chart's folder `crds/`, which Helm does not keep track of, to its templates. An
    upgrade has to take over the CRDs that are there, which Flux does by itself unless `disableTakeOwnership` is set.
    Then the upgrade ends with `invalid ownership metadata`, and is rolled back.

    ## Bad
    ```yaml
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
      upgrade:
        crds: CreateReplace
        disableTakeOwnership: true  # <-
    ```

    ## Good
    ```yaml
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
      upgrade:
        crds: CreateReplace
    ```
    """
    if flux.get(_PLACE) is not True:
        return
    use = flux_chart(flux)
    if use is not None and use.within(flux.release, since="2.3") and use.flag("crds.enabled", default=True):
        yield flux.at(_PLACE).report(
            "an upgrade from 2.2 or earlier cannot take over the CRDs that are there, and fails",
            help="Remove disableTakeOwnership, or set the value crds.enabled to false and apply the CRDs separately.",
            fix=fix("remove disableTakeOwnership", delete_entry(flux.entry.document, flux.at(_PLACE).path)),
        )
