"""JobSet in an umbrella chart beside the one that the Trainer's chart brings."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.gitops.helm.installations import of_chart

_SUBCHARTS = {"jobset": "jobset.install", "lws": "dataCache.enabled"}


@rule(
    "TG742",
    "job-set-twice-in-umbrella",
    severity="error",
    triggers=("kubeflow-trainer",),
    answers=("H021", "H003"),
)
def job_set_twice_in_umbrella(chart: Chart) -> Findings:
    """An umbrella chart depends on JobSet (or LeaderWorkerSet) and on the Trainer's chart, which brings it as well.

    ## Why
    Two releases of JobSet in a cluster have the same CRDs, webhooks and cluster roles. Helm refuses the second one, or
    two controllers of different versions work on the same JobSets. The Trainer's chart leaves JobSet out with
    `jobset.install: false`.

    ## Bad
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: kubeflow-trainer
        repository: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
      - name: jobset  # <-
        repository: oci://registry.k8s.io/jobset/charts
        version: 0.12.0
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
      - name: jobset
        repository: oci://registry.k8s.io/jobset/charts
        version: 0.12.0
    ```
    ```yaml title="chart/values.yaml"
    kubeflow-trainer:
      jobset:
        install: false
    ```
    """
    for name, switch in _SUBCHARTS.items():
        own = chart.dependency(name)
        for installation in of_chart(chart)[:1]:
            known = name in installation.facts.dependencies
            if own is not None and known and not own.text("condition") and installation.value(switch) is True:
                yield own.at("name").report(
                    f"'{name}' is a dependency here and of kubeflow-trainer, where {switch} is true",
                    help="Set jobset.install to false below kubeflow-trainer, or drop the dependency."
                    if name == "jobset"
                    else "Drop the dependency: the chart installs it with the data cache.",
                )
