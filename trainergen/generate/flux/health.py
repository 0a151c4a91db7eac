"""Health in CEL for what has no condition Ready: Flux takes such an object for ready as soon as it is there.

Flux evaluates ``inProgress``, ``failed`` and ``current`` in this order over the fields of the object, and goes on
asking while there is no ``status`` at all (fluxcd/pkg runtime/cel/status_evaluator.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, object_at
from trainergen.generate.layout import JOBS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.layout import Unit
    from trainergen.generate.resolved import Environment, Placed, Resolved

USUAL_TIMEOUT = "15m"
_DAY = 24 * 60 * 60
_SLACK_HOURS = 1
"""For what comes before the deadline of a job begins to count."""


def _has(kind: str) -> str:
    return f"status.conditions.exists(c, c.type == '{kind}' && c.status == 'True')"


def _ends(complete: str) -> JsonObject:
    over = f"status.conditions.exists(c, c.status == 'True' && c.type in ['{complete}', 'Failed'])"
    return {
        "inProgress": f"!has(status.conditions) || !{over}",
        "failed": _has("Failed"),
        "current": _has(complete),
    }


_OPENS: JsonObject = {"inProgress": f"!has(status.conditions) || !{_has('Active')}", "current": _has("Active")}
_EXPRESSIONS = {
    "TrainJob": _ends("Complete"),
    "Experiment": _ends("Succeeded"),
    "ClusterQueue": _OPENS,
    "LocalQueue": _OPENS,
}
"""By kind. What trains is done when it has ended; a queue of Kueue hands nothing out until it is active."""
_TRAINING = frozenset({"TrainJob", "Experiment"})


def expressions(objects: Iterable[Placed], *, jobs: bool) -> list[JsonValue]:
    """``healthCheckExprs`` for the kinds among ``objects``; those for what trains only if ``jobs`` are waited for."""
    found = {(str(one.object["kind"]), str(one.object["apiVersion"])) for one in objects}
    return [
        {"apiVersion": api, "kind": kind, **_EXPRESSIONS[kind]}
        for kind, api in sorted(found)
        if kind in _EXPRESSIONS and (jobs or kind not in _TRAINING)
    ]


def timeout(resolved: Resolved, environment: Environment, unit: Unit) -> str:
    """How long a unit may take to be ready: for jobs that are waited for, as long as the longest of them may take."""
    if unit is not JOBS or not resolved.await_jobs:
        return USUAL_TIMEOUT
    longest = max((_seconds(placed.object) for placed in unit.objects(environment)), default=_DAY)
    return f"{-(-longest // 3600) + _SLACK_HOURS}h"


def _seconds(obj: JsonObject) -> int:
    """How long an object of the unit may take; nothing for one that takes no time."""
    if obj["kind"] == "Experiment":
        spec = object_at(obj, "spec")
        rounds = -(-(integer_at(spec, "maxTrialCount") or 1) // (integer_at(spec, "parallelTrialCount") or 1))
        return rounds * _deadline(object_at(spec, "trialTemplate", "trialSpec"))
    return _deadline(obj) if obj["kind"] in ("TrainJob", "Job") else 0


def _deadline(job: JsonObject) -> int:
    return integer_at(job, "spec", "activeDeadlineSeconds") or _DAY
