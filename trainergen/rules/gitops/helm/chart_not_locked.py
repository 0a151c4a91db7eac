"""An umbrella chart whose dependencies are neither locked nor stored."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.tree import join

_STACK = ("kubeflow-trainer", "jobset", "lws", "kueue")


@rule("TG747", "chart-not-locked", severity="warning", profile="production", triggers=_STACK, answers=("H004", "A06"))
def chart_not_locked(chart: Chart) -> Findings:
    """An umbrella chart has dependencies, but neither a `Chart.lock` nor copies in `charts/`.

    ## Why
    Without a lock every build takes what the repository serves under that version, and a range may bring another
    release of the Trainer by itself. Without copies rendering needs the network: `helm template` fails where there is
    none, even for dependencies that a condition switches off.

    ## Bad
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer  # <-
        repository: oci://ghcr.io/kubeflow/charts
        version: ~2.3
    ```

    ## Good
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: ~2.3
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
    if chart.tree.read(join(chart.folder, "Chart.lock")) is not None:
        return
    copies = chart.tree.names(join(chart.folder, "charts"))
    for name in _STACK:
        dependency = chart.dependency(name)
        if dependency is None or dependency.text("repository").startswith("file://"):
            continue
        if not any(copy == name or copy.startswith(name + "-") for copy in copies):
            yield dependency.at("name").report(
                f"'{name}' {dependency.text('version')} is neither in a Chart.lock nor stored in charts/",
                help="Commit the Chart.lock that helm dependency update writes, or the charts themselves.",
            )
