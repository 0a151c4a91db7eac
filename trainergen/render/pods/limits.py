"""How often Pods and Jobs are tried again, for how long, and what the end of a Job means for the whole.

Source: kubernetes/kubernetes pkg/apis/batch/v1/defaults.go @ v1.35.0; kubernetes-sigs/jobset
pkg/controllers/failure_policy.go, success_policy.go @ v0.12.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.render.pods.model import Limits

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

BACKOFF_LIMIT = 6
ENDLESS = 2**31 - 1
GRACE_SECONDS = 30


def limits_of(job_spec: JsonObject) -> Limits:
    """The limits that one Job of a replicated job sets, with the defaults of JobSet and Job."""
    pod = object_at(job_spec, "template", "spec")
    per_index = integer_at(job_spec, "backoffLimitPerIndex")
    backoff = integer_at(job_spec, "backoffLimit")
    default = BACKOFF_LIMIT if per_index is None else ENDLESS
    grace = integer_at(pod, "terminationGracePeriodSeconds")
    return Limits(
        # JobSet sets it, for a Job itself has no default.
        restart_policy=text_at(pod, "restartPolicy") or "OnFailure",
        backoff_limit=default if backoff is None else backoff,
        backoff_limit_is_default=backoff is None,
        backoff_limit_per_index=per_index,
        max_failed_indexes=integer_at(job_spec, "maxFailedIndexes"),
        active_deadline_seconds=integer_at(job_spec, "activeDeadlineSeconds"),
        ttl_seconds_after_finished=integer_at(job_spec, "ttlSecondsAfterFinished"),
        failure_rules=tuple(_pod_rule(rule) for rule in list_at(job_spec, "podFailurePolicy", "rules")),
        termination_grace_period_seconds=GRACE_SECONDS if grace is None else grace,
    )


def restarts(spec: JsonObject) -> str:
    """What a failed Job means for the JobSet with that spec."""
    if "failurePolicy" not in spec:
        return "the first Job that fails ends the TrainJob (no failurePolicy)"
    policy = object_at(spec, "failurePolicy")
    most = integer_at(policy, "maxRestarts") or 0
    words = [f"all Jobs are made anew at most {most} times" if most else "no Job is made anew (maxRestarts 0)"]
    if text_at(policy, "restartStrategy") not in ("", "Recreate"):
        words.append(f"strategy {text_at(policy, 'restartStrategy')}")
    words += [_rule(rule) for rule in list_at(policy, "rules")]
    return "; ".join(words)


def success(spec: JsonObject) -> str:
    """When the JobSet with that spec is complete."""
    policy = object_at(spec, "successPolicy")
    every = text_at(policy, "operator") in ("", "All")
    targets = [str(name) for name in list_at(policy, "targetReplicatedJobs")]
    where = f" of {', '.join(targets)}" if targets else ""
    return f"{'all Jobs' if every else 'one Job'}{where} succeeded"


def _rule(rule: JsonValue) -> str:
    action = text_at(rule, "action")
    targets = ", ".join(str(name) for name in list_at(rule, "targetReplicatedJobs"))
    reasons = ", ".join(str(reason) for reason in list_at(rule, "onJobFailureReasons"))
    return f"{action}{f' for {targets}' if targets else ''}{f' on {reasons}' if reasons else ''}"


def _pod_rule(rule: JsonValue) -> str:
    action, codes = text_at(rule, "action"), object_at(rule, "onExitCodes")
    if codes:
        values = ", ".join(str(code) for code in list_at(codes, "values"))
        words = "exit codes" if text_at(codes, "operator") == "In" else "exit codes other than"
        where = f" of {text_at(codes, 'containerName')}" if text_at(codes, "containerName") else ""
        return f"{action} on {words} {values}{where}"
    conditions = [text_at(item, "type") for item in list_at(rule, "onPodConditions")]
    return f"{action} on {', '.join(conditions) or 'nothing'}"
