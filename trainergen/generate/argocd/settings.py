"""What has to be in the ConfigMap ``argocd-cm``, as a patch: health, drift and quantities of TrainJobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.argocd.drift import CONTROLLERS
from trainergen.generate.argocd.health import SCRIPTS
from trainergen.generate.emitting import manifest

if TYPE_CHECKING:
    from trainergen.finding import JsonObject

_PREFIX = "resource.customizations"
_JOB = "trainer.kubeflow.org_TrainJob"
NAME = "argocd-cm.patch.yaml"


def settings() -> JsonObject:
    """The part of ``argocd-cm`` that training needs; ``kubectl patch --patch-file`` adds it to the rest."""
    data: JsonObject = {f"{_PREFIX}.health.{kind}": script for kind, script in SCRIPTS.items()}
    data[f"{_PREFIX}.ignoreDifferences.{_JOB}"] = manifest(
        {"jsonPointers": ["/spec/suspend"], "managedFieldsManagers": CONTROLLERS}
    )
    # With the type known, 1000m and 1 are the same amount of CPU.
    data[f"{_PREFIX}.knownTypeFields.{_JOB}"] = (
        "- field: spec.trainer.resourcesPerNode\n  type: core/v1/ResourceRequirements\n"
    )
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": "argocd-cm",
            "namespace": "argocd",
            "labels": {"app.kubernetes.io/name": "argocd-cm", "app.kubernetes.io/part-of": "argocd"},
        },
        "data": data,
    }
