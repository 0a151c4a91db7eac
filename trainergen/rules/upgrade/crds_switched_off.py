"""CRDs that an umbrella chart had Helm install, and now has it take away."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.helm.checks import place_of
from trainergen.rules.gitops.helm.installations import of_chart

_SWITCH = "crds.enabled"


@rule(
    "TG816",
    "crds-switched-off",
    severity="error",
    since="2.3",
    mirrors=("kubeflow/trainer#3655",),
    answers=("A02", "H007"),
)
def crds_switched_off(chart: Chart) -> Findings:
    """A chart that installed the Trainer's CRDs does so no longer.

    ## Why
    Since 2.3 the CRDs are templates of the release, without a policy that keeps them. What a release had and has no
    longer, Helm deletes: the CRDs, and with them every TrainJob and runtime of the cluster.

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
      crds:
        enabled: false  # <-
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
      crds:
        enabled: false
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
      crds:
        enabled: false
    ```
    """
    before = of_chart(chart.base) if chart.base is not None else []
    if not any(installation.value(_SWITCH) is True for installation in before):
        return
    for installation in of_chart(chart):
        if installation.value(_SWITCH) is False:
            yield place_of(installation, _SWITCH).report(
                "the CRDs were part of the release and are no longer, so that Helm deletes them with every TrainJob",
                help="Annotate the live CRDs with 'helm.sh/resource-policy: keep' before this is rolled out.",
            )
            return
