"""One build that takes the Trainer from two releases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule

if TYPE_CHECKING:
    from trainergen.rules import Part

_REFERENCE = re.compile(r"kubeflow/trainer\b[^?]*\?(?:[^&]*&)*ref=([^&]+)")


@rule(
    "TG809",
    "trainer-references-differ",
    severity="warning",
    mirrors="NVIDIA/cluster-readiness-engine#56",
    answers=("A06",),
)
def trainer_references_differ(kustomization: Kustomization) -> Findings:
    """A kustomization builds the Trainer from two of its releases.

    ## Why
    CRDs, controller and runtimes of the Trainer belong together: a controller writes fields that older CRDs drop, and
    refuses runtimes that are written for others. Where one entry of a kustomization was raised and another forgotten,
    the cluster gets a mixture that nobody has tested.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.3.0
      - https://github.com/kubeflow/trainer/manifests/overlays/runtimes?ref=v2.2.1  # <-
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.3.0
      - https://github.com/kubeflow/trainer/manifests/overlays/runtimes?ref=v2.3.0
    ```
    """
    seen = [(part, ref) for one in kustomization.closure for part in one.remotes if (ref := _reference_of(part))]
    own = [(part, ref) for part in kustomization.remotes if (ref := _reference_of(part))]
    first = seen[0][1] if seen else ""
    for part, ref in own:
        if ref != first:
            yield part.at().report(
                f"this takes the Trainer at '{ref}', and another entry of the same build at '{first}'",
                help="Take all parts of the Trainer from one release.",
            )


def _reference_of(part: Part) -> str:
    match = _REFERENCE.search(part.text())
    return match[1] if match else ""
