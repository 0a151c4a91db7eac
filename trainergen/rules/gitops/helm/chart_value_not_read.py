"""A value in an umbrella chart that the Trainer's chart does not read."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.helm.effects import ineffective
from trainergen.rules.gitops.helm.installations import of_chart


@rule(
    "TG730",
    "chart-value-not-read",
    severity="error",
    triggers=("kubeflow-trainer",),
    mirrors=("kubeflow/trainer#2894", "kubeflow/trainer#4120"),
    answers=("H001", "H002", "H003"),
    fix="safe",
)
def chart_value_not_read(chart: Chart) -> Findings:
    """An umbrella chart sets a value that the chart kubeflow-trainer of that version does not have or does not read.

    ## Why
    The chart has no schema of its values, so Helm takes any: a misspelt key, one of another release, or one below the
    wrong parent is ignored, and the default holds. Some values are listed in the chart but read by no template. A
    boolean in quotes is text, which templates take for true.

    ## Bad
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
    ```
    ```yaml title="chart/values.yaml"
    kubeflow-trainer:
      crds:
        enabled: false
      manager:
        replica: 2  # <-
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
    ```yaml title="chart/values.yaml"
    kubeflow-trainer:
      crds:
        enabled: false
      manager:
        replicas: 2
    ```
    """
    seen = set()
    for installation in of_chart(chart):
        for finding in ineffective(installation):
            spot = (finding.spot.path, id(finding.spot.where))
            if spot not in seen:
                seen.add(spot)
                yield finding
