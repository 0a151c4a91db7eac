"""A suppression of something that the cluster refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, rule

if TYPE_CHECKING:
    from trainergen.rules.views.directive import Directive


@rule("TG905", "refusal-suppressed", severity="info", profile="minimal")
def refusal_suppressed(directive: Directive) -> Findings:
    """A suppression names a finding that the cluster refuses the object for.

    ## Why
    A comment does not change what the API server, a webhook or an admission policy says, so the finding stays;
    otherwise a manifest that cannot be applied would pass as a good one. What is refused already and cannot be mended
    today can be recorded in a baseline, which is counted in every report.

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
        numNodes: "2"  # trainergen: ignore[TG102] -- will be mended # <-
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
        numNodes: 2
    ```
    """
    if directive.refusals:
        yield directive.spot.report(
            f"{', '.join(directive.refusals)} cannot be ignored: the cluster refuses the object",
            help="Mend the manifest, or record the finding in a baseline with 'trainergen baseline'.",
        )
