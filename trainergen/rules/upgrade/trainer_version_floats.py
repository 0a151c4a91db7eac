"""An installation of the Trainer that may jump to another release by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.releases.pins import Pin, Weight
from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.installation import TRAINER_CHART, TRAINER_REPOSITORY, chart_of

if TYPE_CHECKING:
    from trainergen.rules import Part, Spot

_CHART_URL = f"oci://ghcr.io/kubeflow/charts/{TRAINER_CHART}"
_FIXED = re.compile(r"[0-9a-f]{40}|0\.0\.0-.+|.*@sha256:.+")


@rule(
    "TG806",
    "trainer-version-floats",
    severity="warning",
    kinds=("HelmRelease", "OCIRepository", "GitRepository", "Application", "ApplicationSet"),
    triggers=(
        TRAINER_CHART,
        _CHART_URL,
        *(f"https://{TRAINER_REPOSITORY}{end}" for end in ("", ".git", "/")),
    ),
    mirrors="kubeflow/trainer#3664",
    answers=("A06", "F011", "U001"),
)
def trainer_version_floats(source: Source) -> Findings:
    """The Trainer is installed in whatever version is the newest.

    ## Why
    Minor releases rename fields, move CRDs and want steps of their own; from 2.2 one must stop at 2.3 before any later
    one. With a range, a branch or no version at all the controller changes when upstream publishes, not when somebody
    here decides, and may skip the stop. A range within one minor release (`2.3.x`) is fine.

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
          version: ">=2.2.0"  # <-
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      upgrade:
        crds: CreateReplace
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
    for place, version in _versions(source):
        if "{{" in version or "${" in version or _FIXED.fullmatch(version):
            continue
        if Pin("", 0, "", version, Weight.INSTALLATION).minor is None:
            seen = f"'{version}' leaves the release of the Trainer open" if version else "no version is named"
            yield place.report(
                f"{seen}, so that it changes whenever upstream publishes one",
                help="Name one version, such as 2.3.0, or a range within a minor release, such as 2.3.x.",
            )


def _versions(source: Source) -> Iterator[tuple[Spot, str]]:
    """Where versions of the Trainer belong, and what is there."""
    if source.kind == "HelmRelease":
        chart = source.part("spec.chart.spec")
        if chart.text("chart").rpartition("/")[2] == TRAINER_CHART:
            yield _at(chart, "version", "chart"), chart.text("version")
    elif source.kind in ("OCIRepository", "GitRepository"):
        url = source.text("spec.url").rstrip("/").removesuffix(".git")
        if url == _CHART_URL or url.endswith(TRAINER_REPOSITORY):
            key = next((key for key in ("digest", "commit", "semver", "tag") if source.has("spec.ref", key)), "")
            fixed = key in ("digest", "commit")
            version = (
                "0.0.0-fixed" if fixed else source.text("spec.ref", key) if key else source.text("spec.ref.branch")
            )
            yield source.at("spec.ref" if source.has("spec.ref") else "spec.url", *([key] if key else [])), version
    else:
        app = source.part("spec.template") if source.kind == "ApplicationSet" else source.part()
        single = [app.part("spec.source")] if app.has("spec.source") else list(app.parts("spec.sources"))
        for one in single:
            if chart_of(one) == TRAINER_CHART or TRAINER_REPOSITORY in one.text("repoURL"):
                yield _at(one, "targetRevision", "repoURL"), one.text("targetRevision")


def _at(part: Part, key: str, otherwise: str) -> Spot:
    return part.at(key if part.has(key) else otherwise)
