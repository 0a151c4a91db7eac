"""The checks on the legacy kinds: what the webhooks and controllers of the Training Operator refuse."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity


def _refusal(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.WEBHOOK, summary)


LEGACY_JOB_NAME = _refusal(180, "legacy-job-name", "a legacy job's name is no RFC 1035 label")
LEGACY_ROLE = _refusal(181, "legacy-role", "a legacy job has a role that its kind does not know, or lacks one it needs")
LEGACY_REPLICAS = _refusal(182, "legacy-replicas", "a role of a legacy job has a number of replicas it must not have")
LEGACY_CONTAINER = _refusal(183, "legacy-container", "a role lacks the container, or the image, that its kind needs")
LEGACY_MANAGER = _refusal(184, "legacy-manager", "managedBy names a controller that the operator does not know")
LEGACY_ELASTIC = _refusal(185, "legacy-elastic-policy", "an elasticPolicy contradicts the rest of the job")
LEGACY_NOT_SERVED = _refusal(186, "legacy-not-served", "no operator serves the kind in this API version")
LEGACY_CONTROLLER = _refusal(187, "legacy-controller-fails", "the operator accepts the job and never starts it")
LEGACY_DEPRECATED = Check(
    "TG188", "legacy-deprecated", Layer.WEBHOOK, "the webhook warns of a deprecated field", Severity.WARNING
)
LEGACY_JOB = Check(
    "TG189", "legacy-job", Layer.LINT, "a job of the Training Operator, which 'migrate' rewrites", Severity.INFO
)
