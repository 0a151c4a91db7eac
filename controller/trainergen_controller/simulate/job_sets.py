"""JobSet's part: what its controller, the Job controller and the kubelets would report, on a schedule.

Nothing is computed; a replicated job starts when what it depends on allows it, and its Pods take as long as a script
says. Behaviour: kubernetes-sigs/jobset pkg/controllers/jobset_controller.go @ v0.12.0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, object_at, text_at
from trainergen_controller.kinds import JOB_SET

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object
    from trainergen_controller.simulate.virtual import VirtualClock

ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
WAITING, SUSPENDED, PENDING, ACTIVE, READY, SUCCEEDED, FAILED = (
    "waiting",
    "suspended",
    "pending",
    "active",
    "ready",
    "succeeded",
    "failed",
)
_STARTED = (ACTIVE, READY, SUCCEEDED, FAILED)


@dataclass(frozen=True, slots=True)
class Script:
    """How long what takes, in seconds, and how it ends."""

    start: float = 1.0
    """Until the Pods of a job are there."""
    ready: float = 4.0
    """From there until they are ready."""
    initialize: float = 20.0
    """An initializer's work."""
    train: float = 60.0
    """The training itself; ``inf`` is a training that does not end."""
    fails: bool = False
    """The training fails instead of succeeding."""


@dataclass(slots=True)
class _Play:
    """What is remembered of one JobSet."""

    phases: dict[str, str] = field(default_factory=dict)
    due: dict[str, float] = field(default_factory=dict)


class JobSetPart:
    """Brings all JobSets up to date; remembers when what comes next."""

    def __init__(self, client: Client, clock: VirtualClock, script: Script) -> None:
        self._client = client
        self._clock = clock
        self._script = script
        self._plays: dict[str, _Play] = {}

    def step(self) -> None:
        """Does what is due, for every JobSet there is."""
        found = self._client.list(JOB_SET).items
        self._plays = {job_set["metadata"]["uid"]: self._play(job_set) for job_set in found}
        for job_set in found:
            if not _terminal(job_set):
                self._advance(job_set, self._play(job_set))

    def next_due(self) -> float | None:
        """When something happens next, in seconds of the clock."""
        return min((at for play in self._plays.values() for at in play.due.values()), default=None)

    def _play(self, job_set: Object) -> _Play:
        return self._plays.get(job_set["metadata"]["uid"]) or _Play()

    def _advance(self, job_set: Object, play: _Play) -> None:
        jobs = [object_at(job) for job in list_at(job_set, "spec", "replicatedJobs")]
        status: Object = dict(object_at(job_set, "status"))
        if object_at(job_set, "spec").get("suspend"):
            play.phases, play.due = {text_at(job, "name"): SUSPENDED for job in jobs}, {}
            self._turn(status, "Suspended", "True", "SuspendedJobs")
        else:
            if any(text_at(one, "type") == "Suspended" for one in list_at(status, "conditions")):
                self._turn(status, "Suspended", "False", "ResumeJobs")
            for job in jobs:
                self._move(job_set, job, play)
            self._conclude(job_set, status, play)
        status["replicatedJobsStatus"] = [_counted(job, play.phases.get(text_at(job, "name"), WAITING)) for job in jobs]
        if status != job_set.get("status"):
            metadata = job_set["metadata"]
            body = {"status": status}
            self._client.merge_patch(JOB_SET, metadata["name"], metadata["namespace"], body, subresource="status")

    def _move(self, job_set: Object, job: Object, play: _Play) -> None:
        """Takes one replicated job as far as the time allows."""
        name = text_at(job, "name")
        if play.phases.get(name, WAITING) in (WAITING, SUSPENDED):
            if not _may_start(job_set, job, play.phases):
                play.phases[name] = WAITING
                return
            play.phases[name], play.due[name] = PENDING, self._clock.seconds + self._script.start
        while name in play.due and play.due[name] <= self._clock.seconds:
            at = play.due.pop(name)
            match play.phases[name]:
                case "pending":
                    play.phases[name], play.due[name] = ACTIVE, at + self._script.ready
                case "active":
                    play.phases[name] = READY
                    play.due[name] = at + self._duration(job)
                case _:
                    play.phases[name] = FAILED if self._script.fails and _trains(job) else SUCCEEDED
        if play.due.get(name) == float("inf"):
            del play.due[name]

    def _duration(self, job: Object) -> float:
        step = text_at(job, "template", "metadata", "labels", ANCESTOR)
        return self._script.initialize if step.endswith("-initializer") else self._script.train

    def _conclude(self, job_set: Object, status: Object, play: _Play) -> None:
        if FAILED in play.phases.values():
            most = int(object_at(job_set, "spec", "failurePolicy").get("maxRestarts") or 0)  # type: ignore[arg-type]
            restarts = int(status.get("restarts") or 0)
            if restarts < most:
                status["restarts"] = restarts + 1
                play.phases, play.due = {}, {}
                for job in list_at(job_set, "spec", "replicatedJobs"):
                    self._move(job_set, object_at(job), play)
                return
            self._end(status, "Failed", "ReachedMaxRestarts" if most else "FailedJobs", play)
        elif _succeeds(job_set, play.phases):
            self._end(status, "Completed", "AllJobsCompleted", play)

    def _end(self, status: Object, kind: str, reason: str, play: _Play) -> None:
        self._turn(status, kind, "True", reason)
        status["terminalState"] = kind
        play.due = {}

    def _turn(self, status: Object, kind: str, value: str, reason: str) -> None:
        """Sets a condition, if it is not so already."""
        conditions = [object_at(one) for one in list_at(status, "conditions")]
        if any((one.get("type"), one.get("status")) == (kind, value) for one in conditions):
            return
        time = self._clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        new = {"type": kind, "status": value, "reason": reason, "message": _MESSAGES[reason]}
        others = [one for one in conditions if one.get("type") != kind]
        status["conditions"] = [*others, {**new, "lastTransitionTime": time}]


_MESSAGES = {
    "SuspendedJobs": "jobset is suspended",
    "ResumeJobs": "jobset is resumed",
    "AllJobsCompleted": "jobset completed successfully",
    "FailedJobs": "jobset failed: a job failed",
    "ReachedMaxRestarts": "jobset failed: no restart is left",
}


def _terminal(job_set: Object) -> bool:
    return bool(text_at(job_set, "status", "terminalState") or text_at(job_set, "metadata", "deletionTimestamp"))


def _may_start(job_set: Object, job: Object, phases: dict[str, str]) -> bool:
    """Has all happened that the job waits for?"""
    names = [text_at(other, "name") for other in list_at(job_set, "spec", "replicatedJobs")]
    before = names[: names.index(text_at(job, "name"))]
    if text_at(job_set, "spec", "startupPolicy", "startupPolicyOrder") == "InOrder":
        return all(phases.get(name) in (READY, SUCCEEDED) for name in before)
    for dependency in list_at(job, "dependsOn"):
        enough = (READY, SUCCEEDED) if text_at(dependency, "status") == "Ready" else (SUCCEEDED,)
        if phases.get(text_at(dependency, "name")) not in enough:
            return False
    return True


def _trains(job: Object) -> bool:
    """Is the job part of the training itself?"""
    return not text_at(job, "template", "metadata", "labels", ANCESTOR).endswith("-initializer")


def _succeeds(job_set: Object, phases: dict[str, str]) -> bool:
    policy = object_at(job_set, "spec", "successPolicy")
    names = [text_at(job, "name") for job in list_at(job_set, "spec", "replicatedJobs")]
    wanted: list[Any] = list_at(policy, "targetReplicatedJobs") or names
    ended = [phases.get(str(name)) == SUCCEEDED for name in wanted]
    return any(ended) if policy.get("operator") == "Any" else all(ended)


def _counted(job: Object, phase: str) -> Object:
    count = int(job.get("replicas", 1))
    return {
        "name": text_at(job, "name"),
        "active": count if phase in (ACTIVE, READY) else 0,
        "ready": count if phase == READY else 0,
        "succeeded": count if phase == SUCCEEDED else 0,
        "failed": count if phase == FAILED else 0,
        "suspended": count if phase == SUSPENDED else 0,
    }
