"""Gang scheduling and queues: Volcano, the scheduler plugins, Kueue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.running import POLICY

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.migrate.pods import Pod
    from trainergen.migrate.work import Work

QUEUE = "scheduling.volcano.sh/queue-name"
_KUEUE = "kueue.x-k8s.io/queue-name"
_WHERE: Path = (*POLICY, "schedulingPolicy")
_SIZES = ("minAvailable", "minResources")


class Gang(NamedTuple):
    """What a runtime gets for gang scheduling: its policy, annotations of the JobSet, fields of the Pods."""

    policy: JsonObject
    annotations: JsonObject
    pod: JsonObject


def gang_of(work: Work, pod: Pod) -> Gang | None:
    """The gang scheduling of a job, None when it had none; says what is assumed and what is lost."""
    policy = object_at(work.job.run_policy, "schedulingPolicy")
    scheduler = text_at(pod.fields, "schedulerName")
    if not policy and "schedulingPolicy" in work.job.run_policy:
        work.ledger.default(_WHERE)
    chosen = work.choices.gang if work.choices.gang != "auto" else _guess(policy, scheduler)
    if not policy and chosen != "volcano":
        return None
    if chosen == "none":
        work.say(
            c.GANG_UNKNOWN,
            _WHERE,
            "schedulingPolicy is taken to have been ignored: nothing tells of a gang scheduler",
            remedy="Use --gang volcano or --gang coscheduling if the operator ran with --gang-scheduler-name.",
        )
        return None
    _say_assumed(work, chosen, scheduler)
    gang = _volcano(work, policy) if chosen == "volcano" else _coscheduling(work, policy)
    if "annotations" in object_at(work.job.obj, "metadata"):
        work.say(
            c.GANG,
            (),
            "annotations of the job were copied to its PodGroup, those of a TrainJob are not",
            remedy="Annotate the template of the runtime.",
        )
    _priority(work, policy, gang, text_at(pod.fields, "priorityClassName"))
    return gang


def _priority(work: Work, policy: JsonObject, gang: Gang, own: str) -> None:
    wanted = text_at(policy, "priorityClass")
    if not wanted:
        return
    if not own:
        gang.pod["priorityClassName"] = wanted
    work.say(
        c.PRIORITY,
        (*_WHERE, "priorityClass"),
        f"priorityClass '{wanted}' "
        + (f"gives way to priorityClassName '{own}' of the Pods" if own else "becomes priorityClassName of the Pods"),
        remedy="It counts for preemption now, and the PriorityClass must exist before the TrainJob.",
    )


def _guess(policy: JsonObject, scheduler: str) -> str:
    if scheduler == "volcano" or (not scheduler and policy.get("queue")):
        return "volcano"
    return "coscheduling" if scheduler and policy else "none"


def _say_assumed(work: Work, chosen: str, scheduler: str) -> None:
    if not scheduler:
        work.say(
            c.GANG_UNKNOWN,
            _WHERE if object_at(work.job.run_policy, "schedulingPolicy") else (),
            f"{chosen} is assumed as gang scheduler, since the Pods name none",
            remedy="Use --gang to say which scheduler the operator ran with, or none.",
        )
    work.say(
        c.RUNTIME_FIELDS,
        (),
        f"schedulerName '{scheduler or _DEFAULT[chosen]}' stands in the runtime: the Trainer does not set it",
        remedy="Keep it there.",
        severity=Severity.INFO,
    )


_DEFAULT = {"volcano": "volcano", "coscheduling": "scheduler-plugins-scheduler"}


def _volcano(work: Work, policy: JsonObject) -> Gang:
    annotations: JsonObject = {}
    if policy.get("queue"):
        annotations[QUEUE] = policy["queue"]
        work.ledger.mapped(
            (*_WHERE, "queue"), "TrainingRuntime", ("spec", "template", "metadata", "annotations", QUEUE)
        )
    _say_lost(work, policy, _SIZES, f"minMember is always the number of Pods, now {work.job.total}")
    _say_lost(work, policy, ("scheduleTimeoutSeconds",), "Volcano knows no such time")
    return Gang({"volcano": {}}, annotations, {"schedulerName": "volcano"})


def _coscheduling(work: Work, policy: JsonObject) -> Gang:
    own: JsonObject = {}
    if "scheduleTimeoutSeconds" in policy:
        own["scheduleTimeoutSeconds"] = policy["scheduleTimeoutSeconds"]
        work.ledger.mapped(
            (*_WHERE, "scheduleTimeoutSeconds"),
            "TrainingRuntime",
            ("spec", "podGroupPolicy", "coscheduling", "scheduleTimeoutSeconds"),
        )
    _say_lost(work, policy, _SIZES, f"minMember is always the number of Pods, now {work.job.total}")
    _say_lost(work, policy, ("queue",), "coscheduling knows no queues")
    return Gang({"coscheduling": own}, {}, {"schedulerName": _DEFAULT["coscheduling"]})


def _say_lost(work: Work, policy: JsonObject, keys: tuple[str, ...], why: str) -> None:
    for key in keys:
        if key in policy:
            work.say(
                c.GANG,
                (*_WHERE, key),
                f"{key} of the schedulingPolicy is dropped: {why}",
                remedy="Check that the whole job fits at once.",
            )


def say_kueue(work: Work) -> None:
    """Say what Kueue needs when the job is queued by it."""
    queue = text_at(work.job.obj, "metadata", "labels", _KUEUE)
    if queue:
        # Kueue 0.17 began to write runtimePatches, which older releases of the Trainer drop.
        versions = "0.17 or newer" if work.target.by_manager else "a version before 0.17"
        work.say(
            c.KUEUE,
            ("metadata", "labels", _KUEUE),
            f"the job waits in the queue '{queue}' of Kueue, now as a TrainJob, whose Pods count as one set",
            remedy=f"Enable the integration trainer.kubeflow.org/trainjob in Kueue, {versions}.",
        )
