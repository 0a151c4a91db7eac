"""A prefix or suffix on the controller."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import build

_OVERLAY = re.compile(r"kubeflow/trainer(?:\.git)?//?manifests/(?:overlays/(?!runtimes)|base/(?:manager|webhook))")
_FIXED = frozenset(
    {
        ("ValidatingWebhookConfiguration", "validator.trainer.kubeflow.org"),
        ("MutatingWebhookConfiguration", "defaulter.trainer.kubeflow.org"),
        ("Deployment", "kubeflow-trainer-controller-manager"),
    }
)


@rule(
    "TG717",
    "controller-renamed",
    severity="error",
    profile="minimal",
    triggers=("namePrefix", "nameSuffix"),
    answers=("K018",),
)
def controller_renamed(kustomization: Kustomization) -> Findings:
    """`namePrefix` or `nameSuffix` is set over the manifests of the Trainer's controller.

    ## Why
    The controller looks its two webhook configurations up under fixed names, and they call it by the fixed name of its
    service. With a prefix the configurations get other names and the reference to the service keeps the old one: the
    certificate is never filled in, and every TrainJob and runtime is refused.

    ## Bad
    ```yaml title="kustomization.yaml"
    namePrefix: ml-  # <-
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.3.0
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    namespace: ml-system
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.3.0
    ```
    """
    for key in ("namePrefix", "nameSuffix"):
        if not kustomization.text(key):
            continue
        remote = [
            part.text()
            for one in kustomization.closure
            for part in one.remotes
            if _OVERLAY.search(part.text().replace("https://", ""))
        ]
        local = [one for one in build(kustomization).resources if (one.kind, one.names[0]) in _FIXED]
        if remote or local:
            seen = local[0].label if local else f"'{remote[0]}'"
            yield kustomization.at(key).report(
                f"{key} '{kustomization.text(key)}' renames the Trainer's controller and webhooks ({seen}), whose "
                "names are fixed",
                help=f"Remove {key}; only the namespace can be chosen.",
            )
