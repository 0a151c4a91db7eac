"""What JobSet's admission webhook says to a change of a JobSet.

Source: kubernetes-sigs/jobset pkg/webhooks/jobset_webhook.go ValidateUpdate @ v0.12.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import object_at
from trainergen.diff.compare import differences
from trainergen.diff.effect import Situation
from trainergen.diff.jobset import jobset_effect
from trainergen.finding import format_path

if TYPE_CHECKING:
    from trainergen_controller.client import Object

_JOBS = ("spec", "replicatedJobs")
RUNNING = "the JobSet runs, and its jobs can only be changed while it is suspended"


def refusals(old: Object, new: Object) -> dict[str, str]:
    """Why a change is refused, by field; nothing if it is not. What the schema refuses is not among it."""
    open_now = any(object_at(one, "spec").get("suspend") for one in (old, new))
    found: dict[str, str] = {}
    for difference in differences(_content(old), _content(new)):
        if difference.path[:2] != _JOBS:
            continue
        reason = jobset_effect(difference, old, new, Situation(reapplied=True)).refusal if open_now else RUNNING
        if reason:
            found[format_path(difference.path)] = reason
    return found


def _content(obj: Object) -> Object:
    return {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "spec": object_at(obj, "spec")}
