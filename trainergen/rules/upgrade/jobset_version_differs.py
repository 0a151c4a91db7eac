"""A JobSet controller of another version than the Trainer was built with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.installation import chart_of

if TYPE_CHECKING:
    from trainergen.rules import Part

_NAME = "jobset"
_URL = "oci://registry.k8s.io/jobset/charts/jobset"
_VERSION = re.compile(r"[~=v]*(\d+\.\d+)(?:\..*)?")


@rule(
    "TG807",
    "jobset-version-differs",
    severity="warning",
    profile="strict",
    kinds=("HelmRelease", "OCIRepository", "Application", "ApplicationSet"),
    triggers=(_NAME, _URL),
    answers=("A03", "A06", "U011"),
)
def jobset_version_differs(source: Source) -> Findings:
    """JobSet is installed in another minor version than the one that the Trainer release pins.

    ## Why
    The Trainer renders JobSets with the types of the JobSet version it was built with, and its runtimes carry that
    version's schema. An older controller drops fields such as `volumeClaimPolicies` or conditions of `dependsOn`
    without a word; a newer one may have new checks. The pair that upstream tests is the one in the Trainer's chart.

    ## Bad
    ```yaml
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
          version: 0.10.1  # <-
          sourceRef:
            kind: HelmRepository
            name: jobset
    ```

    ## Good
    ```yaml
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
    ```
    """
    wanted = source.release.jobset
    for part in versions_of(source, _NAME, _URL):
        match = _VERSION.fullmatch(part.text())
        if match is not None and match[1] != wanted:
            yield part.at().report(
                f"JobSet is '{part.text()}', but Trainer {source.release.name} was built with {wanted}",
                help=f"Install JobSet {wanted}, or let the Trainer's chart bring it.",
            )


def versions_of(source: Source, name: str, url: str) -> list[Part]:
    """The versions of a chart that a HelmRelease, OCIRepository or Application names."""
    if source.kind == "HelmRelease":
        chart = source.part("spec.chart.spec")
        return [chart.part("version")] if chart.text("chart").rpartition("/")[2] == name else []
    if source.kind == "OCIRepository":
        keys = [key for key in ("semver", "tag") if source.has("spec.ref", key)]
        return [source.part("spec.ref", keys[0])] if source.text("spec.url").rstrip("/") == url and keys else []
    app = source.part("spec.template") if source.kind == "ApplicationSet" else source.part()
    single = [app.part("spec.source")] if app.has("spec.source") else list(app.parts("spec.sources"))
    return [one.part("targetRevision") for one in single if chart_of(one) == name]
