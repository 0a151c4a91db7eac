"""What others than Argo CD write into objects that it delivers, and which it therefore must not call a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.gitops.certificates import JOBSET_SECRET, TRAINER_SECRET
from trainergen.rules.gitops.helm.chart_facts import chart_facts

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.releases import Release

CONTROLLERS: list[JsonValue] = ["manager", "kueue"]
"""Field managers of the Trainer, JobSet and Kueue.

Their programs are called ``manager`` (kubeflow/trainer cmd/trainer-controller-manager/Dockerfile @ v2.3.0,
kubernetes-sigs/jobset Dockerfile @ v0.12.0), and a client of Kubernetes that says nothing else signs with that.
"""
_ADMISSION = "admissionregistration.k8s.io"


def of_training() -> list[JsonValue]:
    """Kueue suspends and resumes TrainJobs, and patches their runtimes."""
    return [
        {
            "group": "trainer.kubeflow.org",
            "kind": "TrainJob",
            "managedFieldsManagers": CONTROLLERS,
            "jsonPointers": ["/spec/suspend"],
        }
    ]


def of_installation(release: Release) -> list[JsonValue]:
    """The controllers write the certificates of their webhooks into Secrets, and who signed them into the webhooks."""
    ignored: list[JsonValue] = [
        _webhooks(kind) for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
    ]
    return [*ignored, *(_secret(name) for name in secrets(release))]


def secrets(release: Release) -> list[str]:
    """The Secrets that the chart of a release declares with empty keys; JobSet's until its version 0.12.

    kubeflow/trainer charts/kubeflow-trainer/templates/webhook/secret.yaml @ v2.2.1 and v2.3.0.
    """
    facts = chart_facts(release.name)
    own = facts is not None and not facts.crds_in_templates
    return [*([TRAINER_SECRET] if own else []), JOBSET_SECRET]


def _webhooks(kind: str) -> JsonObject:
    return {
        "group": _ADMISSION,
        "kind": kind,
        "managedFieldsManagers": ["manager"],
        "jqPathExpressions": [".webhooks[]?.clientConfig.caBundle"],
    }


def _secret(name: str) -> JsonObject:
    return {"kind": "Secret", "name": name, "jsonPointers": ["/data"]}
