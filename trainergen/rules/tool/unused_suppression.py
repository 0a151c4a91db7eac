"""A comment or annotation that ignores a finding that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, rule

if TYPE_CHECKING:
    from trainergen.rules.views.directive import Directive


@rule("TG902", "unused-suppression", severity="warning", fix="safe")
def unused_suppression(directive: Directive) -> Findings:
    """A suppression names a check that finds nothing there.

    ## Why
    What it ignored is mended, or has moved to another line. Left behind, it would hide the next finding of its kind
    from everybody. Checks that were not run, because of `--select`, `--layer` or a missing `--base`, are not counted as
    unused; neither are those that need other files in a run on single files (`--skip-unrelated`).

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
        numNodes: 2  # trainergen: ignore[no-nodes] -- scaled up by hand # <-
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
    if directive.unused:
        words = ", ".join(f"'{word}'" for word in directive.unused)
        yield directive.spot.report(
            f"{words} ignores nothing here",
            help="Take it out, or move it to the line that the finding names or to the one above.",
            fix=directive.removal,
        )
