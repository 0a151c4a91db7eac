"""Runtimes that an umbrella chart had installed, and that nothing takes away."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.helm.checks import place_of
from trainergen.rules.gitops.helm.installations import of_chart

_SWITCH = "runtimes.defaultEnabled"


@rule(
    "TG817",
    "runtimes-left-behind",
    severity="warning",
    since="2.3",
    mirrors=("kubeflow/trainer#3655",),
    answers=("H013",),
)
def runtimes_left_behind(chart: Chart) -> Findings:
    """A chart that installed runtimes installs none any longer.

    ## Why
    Since 2.3 a Job of the chart applies the runtimes and takes away those that are switched off. With the last one the
    Job is gone as well, so that all runtimes stay in the cluster as they are, and nobody updates them.

    ## Bad
    ```yaml title="base:Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        version: 2.3.0
        repository: oci://ghcr.io/kubeflow/charts
    ```
    ```yaml title="base:values.yaml"
    kubeflow-trainer:
      runtimes:
        defaultEnabled: true
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
    ```yaml title="values.yaml"
    kubeflow-trainer:
      runtimes:
        defaultEnabled: false  # <-
    ```

    ## Good
    ```yaml title="base:Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        version: 2.3.0
        repository: oci://ghcr.io/kubeflow/charts
    ```
    ```yaml title="base:values.yaml"
    kubeflow-trainer:
      runtimes:
        defaultEnabled: true
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
    ```yaml title="values.yaml"
    kubeflow-trainer:
      runtimes:
        torchDistributed:
          enabled: true
    ```
    """
    before = of_chart(chart.base) if chart.base is not None else []
    after = of_chart(chart)
    if not any(each.enabled_runtimes() for each in before) or any(each.enabled_runtimes() for each in after):
        return
    for installation in after[:1]:
        yield place_of(installation, _SWITCH).report(
            "the last runtime of the chart is switched off, so that nothing removes those in the cluster",
            help="Delete the runtimes that have the label trainer.kubeflow.org/managed-by=runtimes-installer.",
        )
