"""A suppression whose last day is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, rule

if TYPE_CHECKING:
    from trainergen.rules.views.directive import Directive


@rule("TG903", "expired-suppression", severity="warning", needs=("today's date, from --today",))
def expired_suppression(directive: Directive) -> Findings:
    """A suppression has ended, and what it ignored is reported again.

    ## Why
    `until=` was written so that somebody looks again. A run reads no clock unless it is asked to: `--today now` takes
    the system's date, `--today 2027-01-31` any other. Without it the suppression holds and this check is listed as not
    evaluated, so that a date is never passed over in silence.

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
        # trainergen: ignore[no-nodes] until=2020-01-31 -- until the pool is there # <-
        numNodes: 1
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
        # trainergen: ignore[no-nodes] -- until the pool is there
        numNodes: 0
    ```
    """
    if directive.undated:
        yield directive.spot.undecided("a suppression has a last day, and --today does not say what day it is")
    elif directive.expired:
        yield directive.spot.report(
            f"the suppression of {directive.title} ended on {directive.until}",
            help="Mend what it ignores and take it out, or give it a later date.",
        )
