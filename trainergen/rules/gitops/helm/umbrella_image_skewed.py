"""A controller of another release than its chart, in an umbrella chart."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.helm.checks import skewed_image
from trainergen.rules.gitops.helm.installations import of_chart


@rule(
    "TG737",
    "umbrella-image-skewed",
    severity="warning",
    triggers=("kubeflow-trainer",),
    mirrors=("kubeflow/trainer#2894", "NVIDIA/cluster-readiness-engine#56"),
    answers=("A06", "H020"),
)
def umbrella_image_skewed(chart: Chart) -> Findings:
    """An umbrella chart sets the controller's image to another release than that of the Trainer's chart.

    ## Why
    CRDs, permissions, webhooks and the configuration come from the chart; the controller reads them and refuses to
    start on settings that it does not know, or lacks permissions and fields. The tag is easily left behind when the
    dependency is updated.

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
      image:
        tag: v2.1.0  # <-
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
      image:
        tag: v2.3.0
    ```
    """
    seen = set()
    for installation in of_chart(chart):
        for finding in skewed_image(installation):
            spot = (finding.spot.path, id(finding.spot.where))
            if spot not in seen:
                seen.add(spot)
                yield finding
