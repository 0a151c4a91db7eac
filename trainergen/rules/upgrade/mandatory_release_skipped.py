"""A chart that takes the Trainer past a release where it has to stop."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.releases import Lifespan, get_release
from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.installation import TRAINER_CHART

if TYPE_CHECKING:
    from trainergen.rules import Part

_LATER = re.compile(r"[~=v]*[2-9]\.\d+(?:\..*)?")


@rule(
    "TG814",
    "mandatory-release-skipped",
    severity="error",
    mirrors=("kubeflow/trainer#3664", "kubeflow/trainer#3716"),
    answers=("A02", "A11", "U001"),
)
def mandatory_release_skipped(chart: Chart) -> Findings:
    """A dependency on the Trainer's chart goes from 2.2 or earlier past 2.3.

    ## Why
    Only 2.3 takes the finalizer from runtimes that earlier releases put there, and moves the CRDs of a Helm release to
    where Helm keeps track of them. After a jump over it runtimes cannot be deleted any more, and the upgrade of the
    CRDs is refused. Upstream demands the stop.

    ## Bad
    ```yaml title="base:Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        version: 2.2.1
        repository: oci://ghcr.io/kubeflow/charts
    ```
    ```yaml title="Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.1.0
    dependencies:
      - name: kubeflow-trainer
        version: 2.4.0  # <-
        repository: oci://ghcr.io/kubeflow/charts
    ```

    ## Good
    ```yaml title="base:Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        version: 2.2.1
        repository: oci://ghcr.io/kubeflow/charts
    ```
    ```yaml title="Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.1.0
    dependencies:
      - name: kubeflow-trainer
        version: 2.3.0
        repository: oci://ghcr.io/kubeflow/charts
    ```
    """
    new = chart.dependency(TRAINER_CHART)
    old = chart.base.dependency(TRAINER_CHART) if chart.base is not None else None
    if new is not None and old is not None and _is_before(old) and _is_after(new):
        yield new.at("version").report(
            f"this goes from '{old.text('version')}' to '{new.text('version')}', past the stop at 2.3",
            help="Roll out 2.3 first, until no runtime has the finalizer resource-in-use, and this version afterwards.",
        )


def _is_before(dependency: Part) -> bool:
    """Whether a version is one of 2.2 or earlier."""
    try:
        release = get_release(dependency.text("version").lstrip("~=v"))
    except TrainergenError:
        return False
    return Lifespan(until="2.2").covers(release.name)


def _is_after(dependency: Part) -> bool:
    """Whether a version is one after 2.3, the newest that is known."""
    version = dependency.text("version")
    try:
        release = get_release(version.lstrip("~=v"))
    except TrainergenError:
        return _LATER.fullmatch(version) is not None
    return not Lifespan(until="2.3").covers(release.name)
