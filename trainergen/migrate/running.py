"""How a job runs and ends: run policy, restart policies, success."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import integer_at, object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject, Path
    from trainergen.migrate.legacy import Role
    from trainergen.migrate.work import Work

POLICY: Path = ("spec", "runPolicy")
_PERMANENT = range(1, 128)
_OWN_MANAGERS = frozenset({"kubeflow.org/training-operator", "kubeflow.org/mpi-operator"})
_STRICTEST = ("Never", "ExitCode", "OnFailure", "Always")


class Restart(NamedTuple):
    """What a replicated job's Job and its Pods are given to restart as before."""

    job: JsonObject
    pod_policy: str


def restart(policy: str, container: str, backoff: int | None) -> Restart:
    """The fields for a legacy restart policy; ``backoff`` is the legacy limit."""
    limit: JsonObject = {} if backoff is None else {"backoffLimit": backoff}
    if policy == "Never":
        return Restart({"backoffLimit": 0}, "Never")
    if policy == "ExitCode":
        failure: JsonObject = {
            "rules": [
                {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
                {
                    "action": "FailJob",
                    "onExitCodes": {"containerName": container, "operator": "In", "values": list(_PERMANENT)},
                },
            ]
        }
        return Restart({**limit, "podFailurePolicy": failure}, "Never")
    return Restart(limit, "OnFailure")


def strictest(roles: Iterable[Role]) -> str:
    """The restart policy of nodes that came from several roles."""
    return min((role.restart_policy for role in roles), key=_order)


def _order(policy: str) -> int:
    return _STRICTEST.index(policy) if policy in _STRICTEST else len(_STRICTEST)


def backoff_limit(work: Work) -> int | None:
    """``runPolicy.backoffLimit``."""
    return integer_at(work.job.run_policy, "backoffLimit")


def say_restart(work: Work, roles: tuple[Role, ...], *, in_runtime: bool) -> None:
    """Say what restart policies and the backoff limit become."""
    for role in roles:
        where: Path = (*role.path, "restartPolicy")
        work.ledger.default(where)
        if role.restart_policy in ("Never", "Always"):
            _say_fixed(work, role, in_runtime=in_runtime)
        elif role.restart_policy == "ExitCode":
            done = "is emulated by a podFailurePolicy: 1 to 127 fail the job, 128 and above are retried"
            work.say(
                c.EXIT_CODES,
                where,
                f"ExitCode of the {role.name} " + (done if in_runtime else "is dropped: Pods restart up to 6 times"),
                remedy="Only the Pod that failed is replaced; the others keep running."
                if in_runtime
                else "Use --exact-restart for a runtime that emulates it.",
            )
    _say_retries(work, roles)


def _say_fixed(work: Work, role: Role, *, in_runtime: bool) -> None:
    where: Path = (*role.path, "restartPolicy")
    if in_runtime and role.restart_policy == "Never":
        message = f"Never of the {role.name} is written as restartPolicy Never with backoffLimit 0"
        work.say(c.RESTART, where, message, remedy="One failed Pod fails the job.", severity=Severity.INFO)
        return
    becomes = "OnFailure, since a Job knows no Always" if role.restart_policy == "Always" else "OnFailure"
    work.say(
        c.RESTART,
        where,
        f"{role.restart_policy} of the {role.name} becomes {becomes}, with up to 6 retries",
        remedy="" if in_runtime else "Use --exact-restart for a runtime that says it exactly.",
    )


def _say_retries(work: Work, roles: tuple[Role, ...]) -> None:
    limit = backoff_limit(work)
    where: Path = (*POLICY, "backoffLimit")
    if limit is None:
        if any(role.restart_policy in ("OnFailure", "Always") for role in roles):
            work.say(
                c.RETRIES,
                (),
                "backoffLimit was unset, which meant no limit; now it is 6 for each replicated job",
                remedy="Write backoffLimit into a runtime for another limit.",
            )
    elif work.job.kind.version == "v2beta1":
        work.ledger.default(where)
    else:
        work.say(
            c.RETRIES,
            where,
            f"backoffLimit {limit} counted restarts in running Pods; a Job counts failed Pods and restarts",
            remedy="Choose the limit anew.",
        )


def settings(work: Work) -> JsonObject:
    """The fields of the TrainJob's spec that come from the run policy; says what the others become."""
    policy = work.job.run_policy
    out: JsonObject = {}
    work.ledger.default((*POLICY, "suspend"))
    if policy.get("suspend") is True:
        out["suspend"] = True
        work.ledger.mapped((*POLICY, "suspend"), "TrainJob", ("spec", "suspend"))
    manager = text_at(policy, "managedBy")
    if manager in _OWN_MANAGERS:
        work.say(
            c.MANAGER,
            (*POLICY, "managedBy"),
            f"managedBy '{manager}' is dropped: it names the controller of the legacy kind",
            remedy="Nothing to do: the Trainer's controller is the default.",
        )
    elif manager:
        out["managedBy"] = manager
        work.ledger.mapped((*POLICY, "managedBy"), "TrainJob", ("spec", "managedBy"))
    deadline = integer_at(policy, "activeDeadlineSeconds")
    if deadline is not None:
        _deadline(work, deadline, out)
    _clean_up(work)
    if not policy:
        work.ledger.default(POLICY)
    return out


def _deadline(work: Work, deadline: int, out: JsonObject) -> None:
    where: Path = (*POLICY, "activeDeadlineSeconds")
    place = "the TrainJob" if work.target.has_deadline else "the Jobs of the runtime"
    work.say(
        c.DEADLINE,
        where,
        f"activeDeadlineSeconds {deadline} moves to {place}: at the deadline the Pods are deleted with their logs",
        remedy="Ship logs elsewhere; the field cannot be changed later.",
    )
    if work.target.has_deadline:
        out["activeDeadlineSeconds"] = deadline
        work.ledger.mapped(where, "TrainJob", ("spec", "activeDeadlineSeconds"))


def _clean_up(work: Work) -> None:
    policy = text_at(work.job.run_policy, "cleanPodPolicy") or text_at(work.job.spec, "cleanPodPolicy")
    work.ledger.default(("spec", "cleanPodPolicy"))
    meaning = {
        "All": "All deleted every Pod; now finished Pods stay until the TrainJob is deleted",
        "Running": "Running is what a JobSet does: running Pods are stopped, finished ones stay",
    }.get(policy, "None left running Pods alone; now they are stopped when the job ends")
    work.say(
        c.CLEAN,
        (*POLICY, "cleanPodPolicy") if "cleanPodPolicy" in work.job.run_policy else (),
        f"cleanPodPolicy {meaning}",
        remedy="Delete the TrainJob to delete its Pods.",
        severity=None if policy in ("None", "All") else Severity.INFO,
    )
    if "ttlSecondsAfterFinished" in work.job.run_policy:
        ttl = work.job.run_policy["ttlSecondsAfterFinished"]
        work.say(
            c.TTL,
            (*POLICY, "ttlSecondsAfterFinished"),
            f"ttlSecondsAfterFinished {ttl} is dropped: a JobSet's would let a failed TrainJob run again",
            remedy="Delete finished TrainJobs by a CronJob or in the pipeline.",
        )


def say_success(work: Work, message: str, *, severity: Severity | None = None) -> None:
    """Say that another rule decides about success."""
    work.say(
        c.SUCCESS,
        (),
        message,
        remedy="A runtime can say so with a successPolicy of the Job for index 0.",
        severity=severity,
    )


def metadata(work: Work) -> JsonObject:
    """The metadata of the TrainJob: that of the job without what the server wrote."""
    found = object_at(work.job.obj, "metadata")
    out: JsonObject = {}
    for key in ("name", "generateName", "namespace", "labels", "annotations", "finalizers", "ownerReferences"):
        if key in found:
            out[key] = found[key]
            work.ledger.mapped(("metadata", key), "TrainJob", ("metadata", key))
    annotations = object_at(out, "annotations")
    applied = "kubectl.kubernetes.io/last-applied-configuration"
    if applied in annotations:
        out["annotations"] = {key: value for key, value in annotations.items() if key != applied}
        work.ledger.default(("metadata", "annotations", applied))
    for key in ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"):
        work.ledger.default(("metadata", key))
    work.ledger.default(("status",))
    return out
