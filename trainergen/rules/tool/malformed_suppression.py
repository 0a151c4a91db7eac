"""A suppression that cannot be understood, and so ignores nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, rule

if TYPE_CHECKING:
    from trainergen.rules.views.directive import Directive


@rule("TG904", "malformed-suppression", severity="warning", profile="minimal")
def malformed_suppression(directive: Directive) -> Findings:
    """A suppression is misspelt or names a check that does not exist.

    ## Why
    It ignores nothing, while its author believes that it does; and a misspelt date would otherwise mean forever.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 2  # trainergen: ignore[no-node] -- scaled up by hand # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numNodes: 0  # trainergen: ignore[no-nodes] -- scaled up by hand
    ```
    """
    for fault, way_out in directive.faults:
        yield directive.spot.report(fault, help=way_out)
