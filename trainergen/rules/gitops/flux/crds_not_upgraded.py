"""A HelmRelease that leaves the CRDs of a chart as they were first installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, FluxObject, fix, rule
from trainergen.rules.gitops.crds import CRD, JOBSETS, NAMES
from trainergen.rules.gitops.installation import flux_chart
from trainergen.source.edits import insert_entry, replace_value

if TYPE_CHECKING:
    from trainergen.fix import Fix
    from trainergen.rules.gitops.installation import ChartUse

_PLACE = "spec.upgrade.crds"
_POLICY = "CreateReplace"
_ELSEWHERE = ("kubernetes-sigs/jobset", "kubeflow/trainer")


@rule(
    "TG780",
    "crds-not-upgraded",
    severity="error",
    kinds=("HelmRelease",),
    triggers=("HelmRelease", "OCIRepository", "GitRepository", *NAMES),
    looks_up=("OCIRepository", "GitRepository", CRD),
    mirrors=("NVIDIA/aicr#720", "kubeflow/trainer#3650"),
    answers=("A01", "A02", "F001"),
    needs=("values from ConfigMaps and Secrets",),
    fix="unsafe",
)
def crds_not_upgraded(flux: FluxObject) -> Findings:
    """A HelmRelease of the Trainer does not replace CRDs on upgrades.

    ## Why
    What lies in the folder `crds/` of a chart, Helm installs once and never touches again; Flux does the same unless
    `upgrade.crds` is `CreateReplace`. Up to 2.2 that holds for the Trainer's own CRDs, and always for those of JobSet,
    which comes with the chart. After an upgrade the controllers write fields that the API server drops or refuses.

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
          chart: kubeflow-trainer  # <-
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
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
    use = flux_chart(flux)
    if use is None or flux.text(_PLACE) == _POLICY or _has_unit_for_crds(flux):
        return
    jobset = use.flag("jobset.install", default=True)
    own = use.within(flux.release, until="2.2")
    if jobset is None and not own:
        yield flux.at("spec.valuesFrom").undecided("values from elsewhere may leave out JobSet")
        return
    if not (own or jobset):
        return
    whose = " and ".join(name for name, is_there in (("the Trainer", own), ("JobSet", jobset)) if is_there)
    policy = f"upgrade.crds is '{flux.text(_PLACE)}'" if flux.text(_PLACE) else "there is no upgrade.crds"
    place = "spec.chart.spec.chart" if flux.has("spec.chart") else "spec.chartRef"
    yield flux.at(_PLACE if flux.text(_PLACE) else place).report(
        f"the CRDs of {whose} stay as they were first installed, since {policy}",
        help=f"Set upgrade.crds to {_POLICY}, or apply the CRDs from a Kustomization that the release depends on.",
        fix=_fix(flux, use),
    )


def _fix(flux: FluxObject, use: ChartUse) -> Fix | None:
    document, path = flux.entry.document, use.owner.at(_PLACE).path
    if flux.text(_PLACE):
        return fix(f"set upgrade.crds to {_POLICY}", replace_value(document, path, _POLICY))
    return fix(f"set upgrade.crds to {_POLICY}", insert_entry(document, path[:-1], "crds", _POLICY))


def _has_unit_for_crds(flux: FluxObject) -> bool:
    """Whether the repository applies the CRDs in another way too."""
    if any(entry.name == JOBSETS for entry in flux.objects.of(CRD)):
        return True
    urls = [entry.object.text("spec.url") for entry in flux.objects.of("GitRepository")]
    return any(name in url for url in urls for name in _ELSEWHERE)
