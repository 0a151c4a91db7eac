"""The status of a TrainJob, step by step: what is kept, whether it is suspended, what its JobSet says, its deadline.

Source: kubeflow/trainer pkg/controller/trainjob_controller.go, pkg/runtime/framework/plugins/jobset/jobset.go @ v2.0.1
to v2.3.0.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import integer_at, list_at, object_at, text_at, value_at
from trainergen_controller.passes import conditions as of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.releases import Reconciling
    from trainergen_controller.passes.actions import Object

_COUNTS = ("ready", "succeeded", "failed", "active", "suspended")
_COPIED = ("type", "status", "reason", "message", "lastTransitionTime", "observedGeneration")
_TERMINAL = (("Completed", of.COMPLETE), ("Failed", of.FAILED))


class Status:
    """The status while a pass works on it; nothing of what it was made from is changed."""

    def __init__(self, seen: Mapping[str, Any], now: datetime) -> None:
        self._rest: Object = {key: value for key, value in seen.items() if key != "conditions"}
        self.conditions: list[Object] = [one for one in list_at({**seen}, "conditions") if isinstance(one, dict)]
        self._now = now

    @property
    def finished(self) -> bool:
        """Whether the TrainJob is complete or has failed."""
        return of.is_finished(self.conditions)

    @property
    def overdue(self) -> bool:
        """Whether the TrainJob has failed by its deadline."""
        return text_at(of.find(self.conditions, of.FAILED), "reason") == of.DEADLINE_EXCEEDED

    def value(self) -> Object:
        """The status as it is to be written."""
        return {**({"conditions": self.conditions} if self.conditions else {}), **self._rest}

    def forget_failure(self, rules: Reconciling) -> None:
        """Drop a failure that may be over, so that only what is still true comes back."""
        reason = text_at(of.find(self.conditions, of.FAILED), "reason")
        if reason == of.RUNTIME_NOT_SUPPORTED or (rules.failed_derived_anew and reason != of.DEADLINE_EXCEEDED):
            self.conditions = of.without(self.conditions, of.FAILED)

    def turn(self, kind: str, status: str, reason: str, message: str) -> None:
        """Set a condition."""
        self.conditions = of.updated(self.conditions, of.made(kind, status, reason, message), self._now)

    def suspend_or_resume(self, suspended: bool) -> None:
        """The condition Suspended; a TrainJob that never was suspended has none."""
        if suspended:
            self.turn(of.SUSPENDED, of.TRUE, "Suspended", "TrainJob is suspended")
        elif of.holds(self.conditions, of.SUSPENDED):
            self.turn(of.SUSPENDED, of.FALSE, "Resumed", "TrainJob is resumed")

    def take_from(self, job_set: Mapping[str, Any], rules: Reconciling) -> None:
        """What the JobSet says: how it ended and, since 2.1, what its jobs do. A deadline that was exceeded stays."""
        theirs = list_at({**job_set}, "status", "conditions")
        deadline = of.find(self.conditions, of.FAILED) if self.overdue else None
        for source, kind in _TERMINAL:
            condition = of.find(theirs, source)
            if condition is not None and text_at(condition, "status") == of.TRUE:
                copied = {key: condition[key] for key in _COPIED if key in condition}
                self.conditions = of.updated(self.conditions, {**copied, "type": kind}, self._now)
                if not rules.jobs_status:
                    break
        if deadline is not None:
            self.conditions = of.updated(self.conditions, deadline, self._now)
        if rules.jobs_status:
            jobs = [_job_status(one) for one in list_at({**job_set}, "status", "replicatedJobsStatus")]
            rest = {key: value for key, value in self._rest.items() if key != "jobsStatus"}
            self._rest = {**rest, "jobsStatus": jobs} if jobs else rest


def _job_status(theirs: Any) -> Object:
    return {"name": text_at(theirs, "name"), **{count: integer_at(theirs, count) or 0 for count in _COUNTS}}


class Deadline(NamedTuple):
    """Whether the time of a TrainJob is over, and else how many seconds are left, None without a deadline."""

    exceeded: bool = False
    left: float | None = None


_NO_DEADLINE = Deadline()


def deadline_of(job: Mapping[str, Any], status: Status, now: datetime) -> Deadline:
    """The deadline of an unfinished TrainJob that is not suspended; it counts from its creation or last resume."""
    spec = object_at({**job}, "spec")
    seconds = integer_at(spec, "activeDeadlineSeconds") or 0
    if not seconds or status.finished or spec.get("suspend") is True:
        return _NO_DEADLINE
    start = of.moment_of(text_at({**job}, "metadata", "creationTimestamp"))
    suspended = of.find(status.conditions, of.SUSPENDED)
    if text_at(suspended, "status") == of.FALSE:
        start = of.moment_of(text_at(suspended, "lastTransitionTime"))
    if start is None:
        return _NO_DEADLINE
    left = (start + timedelta(seconds=seconds) - now).total_seconds()
    if left < 0:
        return Deadline(exceeded=True)
    return Deadline(left=left or 1.0)


def status_seen(job: Mapping[str, Any]) -> Object:
    """The status that the TrainJob has, empty without."""
    seen = value_at({**job}, "status")
    return seen if isinstance(seen, dict) else {}
