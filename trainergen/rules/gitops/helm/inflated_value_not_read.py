"""A value in helmCharts of a kustomization that the Trainer's chart does not read."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.helm.effects import ineffective
from trainergen.rules.gitops.helm.installations import of_kustomization


@rule(
    "TG733",
    "inflated-value-not-read",
    severity="error",
    triggers=("helmCharts",),
    answers=("H001", "H002", "H003"),
    fix="safe",
)
def inflated_value_not_read(kustomization: Kustomization) -> Findings:
    """`helmCharts` of a kustomization sets a value that the chart kubeflow-trainer of that version does not read.

    ## Why
    The chart has no schema of its values, so a misspelt key, one of another release, or one below the wrong parent is
    ignored, and the default holds. Some values are listed in the chart but read by no template. A boolean in quotes is
    text, which templates take for true.

    ## Bad
    ```yaml title="kustomization.yaml"
    helmCharts:
      - name: kubeflow-trainer
        repo: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
        releaseName: kubeflow-trainer
        skipHooks: true
        valuesInline:
          manager:
            ressources:  # <-
              limits: {memory: 1Gi}
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    helmCharts:
      - name: kubeflow-trainer
        repo: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
        releaseName: kubeflow-trainer
        skipHooks: true
        valuesInline:
          manager:
            resources:
              limits: {memory: 1Gi}
    ```
    """
    for installation in of_kustomization(kustomization):
        yield from ineffective(installation)
