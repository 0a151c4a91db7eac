"""Health in CEL for what has no condition Ready: Flux takes such an object for ready as soon as it is there.

Flux evaluates ``inProgress``, ``failed`` and ``current`` in this order over the fields of the object, and goes on
asking while there is no ``status`` at all (fluxcd/pkg runtime/cel/status_evaluator.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at
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


_OVER = "status.conditions.exists(c, c.status == 'True' && c.type in ['Complete', 'Failed'])"
_ACTIVE = "status.conditions.exists(c, c.type == 'Active' && c.status == 'True')"

_ENDS: JsonObject = {
    "inProgress": f"!has(status.conditions) || !{_OVER}",
    "failed": _has("Failed"),
    "current": _has("Complete"),
}
_OPENS: JsonObject = {"inProgress": f"!has(status.conditions) || !{_ACTIVE}", "current": _ACTIVE}
_EXPRESSIONS = {"TrainJob": _ENDS, "ClusterQueue": _OPENS, "LocalQueue": _OPENS}
"""By kind. A TrainJob is done when it has ended; a queue of Kueue hands nothing out until it is active."""


def expressions(objects: Iterable[Placed], *, jobs: bool) -> list[JsonValue]:
    """``healthCheckExprs`` for the kinds among ``objects``; those for TrainJobs only if ``jobs`` are waited for."""
    found = {(str(one.object["kind"]), str(one.object["apiVersion"])) for one in objects}
    return [
        {"apiVersion": api, "kind": kind, **_EXPRESSIONS[kind]}
        for kind, api in sorted(found)
        if kind in _EXPRESSIONS and (jobs or kind != "TrainJob")
    ]


def timeout(resolved: Resolved, environment: Environment, unit: Unit) -> str:
    """How long a unit may take to be ready: for jobs that are waited for, as long as the longest of them may take."""
    if unit is not JOBS or not resolved.await_jobs:
        return USUAL_TIMEOUT
    jobs = [placed.object for placed in unit.objects(environment) if placed.object["kind"] == "TrainJob"]
    longest = max((integer_at(job, "spec", "activeDeadlineSeconds") or _DAY for job in jobs), default=_DAY)
    return f"{-(-longest // 3600) + _SLACK_HOURS}h"
