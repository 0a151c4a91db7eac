"""Conditions as Kubernetes keeps them: one of a type, in the order in which they came, with the time of the last turn.

Source: kubernetes/apimachinery pkg/api/meta/conditions.go @ v0.35.0; kubeflow/trainer pkg/constants/constants.go,
pkg/controller/trainjob_controller.go @ v2.3.0.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from trainergen.api.access import text_at

if TYPE_CHECKING:
    from trainergen_controller.passes.actions import Object

SUSPENDED, COMPLETE, FAILED = "Suspended", "Complete", "Failed"
TRUE, FALSE = "True", "False"
DEADLINE_EXCEEDED = "DeadlineExceeded"
RUNTIME_NOT_SUPPORTED = "TrainingRuntimeNotSupported"


def timestamp(moment: datetime) -> str:
    """A moment as the API server writes it, in whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(text: str) -> datetime | None:
    """The moment that the API server wrote; None if there is none or it cannot be read."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def find(conditions: Iterable[Any], wanted: str) -> Object | None:
    """The condition of that type."""
    for condition in conditions:
        if text_at(condition, "type") == wanted:
            found: Object = condition
            return found
    return None


def holds(conditions: Iterable[Any], wanted: str) -> bool:
    """Whether the condition of that type is there and True."""
    return text_at(find(conditions, wanted), "status") == TRUE


def is_finished(conditions: list[Object]) -> bool:
    """Whether the TrainJob is complete or has failed."""
    return holds(conditions, COMPLETE) or holds(conditions, FAILED)


def without(conditions: list[Object], unwanted: str) -> list[Object]:
    """The others."""
    return [condition for condition in conditions if text_at(condition, "type") != unwanted]


def made(kind: str, status: str, reason: str, message: str) -> Object:
    """A condition that turns now."""
    return {"type": kind, "status": status, "reason": reason, "message": message}


def updated(conditions: list[Object], condition: Object, now: datetime) -> list[Object]:
    """The list with ``condition`` in the place of the one of its type, or at the end.

    The time stays unless the status turns; then it is that of ``condition``, or ``now`` if that has none.
    """
    kind = text_at(condition, "type")
    old = find(conditions, kind)
    new = {**condition, "lastTransitionTime": condition.get("lastTransitionTime") or timestamp(now)}
    if old is None:
        return [*conditions, new]
    if text_at(old, "status") == text_at(condition, "status"):
        new["lastTransitionTime"] = old.get("lastTransitionTime")
    return [new if one is old else one for one in conditions]
