"""The Secrets with certificates that charts declare empty and controllers fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.releases import Release
    from trainergen.rules.gitops.installation import ChartUse

TRAINER_SECRET = "kubeflow-trainer-webhook-cert"
JOBSET_SECRET = "jobset-webhook-server-cert"


def secrets_of(use: ChartUse, target: Release) -> list[str] | None:
    """Those that the Trainer's chart declares with empty keys; None when values that are written elsewhere decide.

    kubeflow/trainer charts/kubeflow-trainer/templates/webhook/secret.yaml @ v2.2.1 and v2.3.0, and
    kubernetes-sigs/jobset charts/jobset @ v0.12.0.
    """
    own = [TRAINER_SECRET] if use.within(target, until="2.2") else []
    jobset = use.flag("jobset.install", default=True)
    if jobset is None and not own:
        return None
    by_cert_manager = use.get("jobset.certManager.enable") is True
    return [*own, JOBSET_SECRET] if jobset and not by_cert_manager else own


def is_ignored_in(places: Iterable[str]) -> bool:
    """Whether paths of what is ignored (JSON pointers or jq) hold the data of a Secret."""
    return any(place.lstrip("/.").startswith("data") for place in places)
