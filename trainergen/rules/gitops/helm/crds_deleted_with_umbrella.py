"""CRDs that go with the release of an umbrella chart."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.helm.checks import unprotected_crds
from trainergen.rules.gitops.helm.installations import of_chart


@rule(
    "TG735",
    "crds-deleted-with-umbrella",
    severity="warning",
    profile="strict",
    triggers=("kubeflow-trainer",),
    mirrors=("kubeflow/trainer#3655", "helm/helm#7126"),
    answers=("A02", "H006", "H008"),
)
def crds_deleted_with_umbrella(chart: Chart) -> Findings:
    """An umbrella chart brings the Trainer's CRDs, which are deleted with its release.

    ## Why
    In 2.3 the CRDs moved into the templates of the chart and have no policy that keeps them: to uninstall the umbrella,
    or to drop the dependency, deletes all TrainJobs and runtimes of the cluster. With them the record of the release
    also takes more than four fifths of what a Secret can hold, and the other dependencies come on top.

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
    ```
    """
    for installation in of_chart(chart)[:1]:
        yield from unprotected_crds(installation)
