"""A lock file that does not fit the dependencies of a chart."""

from __future__ import annotations

import re

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.tree import join, mapping_of

_EXACT = re.compile(r"v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?")
_STACK = frozenset({"kubeflow-trainer", "jobset", "lws", "kueue"})


@rule("TG746", "chart-lock-outdated", severity="error", triggers=tuple(sorted(_STACK)), answers=("H004", "A06"))
def chart_lock_outdated(chart: Chart) -> Findings:
    """`Chart.lock` has another version of a dependency than `Chart.yaml`, or lacks it.

    ## Why
    `helm dependency build`, which Argo CD and Flux run as well, compares the two and fails when they differ: the update
    of the Trainer never arrives. Run `helm dependency update` and commit the lock file with the chart.

    ## Bad
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: 2.3.0  # <-
    ```
    ```yaml title="chart/Chart.lock"
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: 2.2.1
    digest: sha256:0000000000000000000000000000000000000000000000000000000000000000
    generated: "2026-01-15T09:00:00Z"
    ```

    ## Good
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
    ```
    ```yaml title="chart/Chart.lock"
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
    digest: sha256:0000000000000000000000000000000000000000000000000000000000000000
    generated: "2026-03-15T09:00:00Z"
    ```
    """
    path = join(chart.folder, "Chart.lock")
    lock = mapping_of(chart.tree.read(path), path).get("dependencies")
    if not isinstance(lock, list):
        return
    locked = {str(one.get("name")): str(one.get("version")) for one in lock if isinstance(one, dict)}
    for dependency in chart.parts("dependencies"):
        name, version = dependency.text("name"), dependency.text("version")
        if name not in _STACK:
            continue
        if name not in locked:
            yield dependency.at("name").report(
                f"'{name}' is not in Chart.lock, so the dependencies cannot be built",
                help="Run helm dependency update and commit Chart.lock.",
            )
        elif _EXACT.fullmatch(version) and locked[name].removeprefix("v") != version.removeprefix("v"):
            yield dependency.at("version").report(
                f"Chart.lock has '{name}' {locked[name]}, not {version}, so the dependencies cannot be built",
                help="Run helm dependency update and commit Chart.lock.",
            )
