"""What JobSet, Job or scheduler would refuse or never finish, seen from the Pods alone.

Source: kubernetes-sigs/jobset pkg/webhooks/jobset_webhook.go ValidateCreate @ v0.12.0;
kubernetes/kubernetes pkg/apis/batch/validation/validation.go @ v1.35.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.render.pods.scheduling import DEFAULT_SCHEDULER
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.pods.model import JobPods, PodKind

MOST_PODS_OF_INDEXED_JOB = 100_000
MOST_PODS_OF_REPLICATED_JOB = 2**31 - 1
LONGEST_NAME = 63
_SUFFIX = len("-abcde")


def warnings_about(pods: JobPods, spec: JsonObject) -> JobPods:
    """``pods`` with what is wrong with them; ``spec`` is the JobSet's."""
    found = [text for kind in pods.kinds for text in (*_counts(kind), *_names(kind), *_trials(kind), *_processes(kind))]
    return replace(pods, warnings=(*found, *_references(spec), *_gang(pods)))


def _counts(kind: PodKind) -> Iterator[str]:
    if kind.pods_per_job < 0:
        yield f"job '{kind.name}' gets {kind.pods_per_job} nodes, so the API server refuses its Job"
    elif kind.count == 0:
        yield f"job '{kind.name}' gets no Pods: its Jobs are complete at once, and nothing runs"
    elif kind.count > MOST_PODS_OF_REPLICATED_JOB:
        yield f"job '{kind.name}' gets {kind.count} Pods, but JobSet allows {MOST_PODS_OF_REPLICATED_JOB}"
    elif kind.indexed and kind.pods_per_job > MOST_PODS_OF_INDEXED_JOB:
        yield (
            f"job '{kind.name}' gets {kind.pods_per_job} nodes, but an indexed Job allows {MOST_PODS_OF_INDEXED_JOB}, "
            "so the API server refuses it"
        )


def _names(kind: PodKind) -> Iterator[str]:
    if kind.count <= 0:
        return
    job = kind.job_name(kind.replicas - 1)
    longest = len(f"{job}-{kind.pods_per_job - 1}") + _SUFFIX if kind.indexed else len(job)
    if longest > LONGEST_NAME:
        yield (
            f"names of Pods of job '{kind.name}' have up to {longest} characters, but JobSet allows {LONGEST_NAME}; "
            f"shorten the TrainJob's by {longest - LONGEST_NAME}"
        )


def _trials(kind: PodKind) -> Iterator[str]:
    if kind.limits.restart_policy == "Always":
        yield f"restartPolicy of job '{kind.name}' is 'Always', but a Job takes only OnFailure and Never"
    elif kind.limits.failure_rules and kind.limits.restart_policy != "Never":
        yield (
            f"job '{kind.name}' has a podFailurePolicy, which needs restartPolicy Never, but it is "
            f"'{kind.limits.restart_policy}', so the API server refuses the Job"
        )


def _processes(kind: PodKind) -> Iterator[str]:
    for name, amount in kind.requests.items():
        if "/" in name and name not in kind.bounds and not amount.is_zero:
            yield f"job '{kind.name}' requests {name} without a limit, so the API server refuses its Pods"
    if isinstance(kind.processes, int) and 0 < kind.processes < kind.gpus:
        yield (
            f"each Pod of job '{kind.name}' has {kind.gpus} GPUs but starts {kind.processes} "
            f"process{'' if kind.processes == 1 else 'es'}; set spec.trainer.numProcPerNode"
        )


def _references(spec: JsonObject) -> Iterator[str]:
    jobs = [object_at(job) for job in list_at(spec, "replicatedJobs")]
    names = [text_at(job, "name") for job in jobs]
    for target in list_at(spec, "successPolicy", "targetReplicatedJobs"):
        if target not in names:
            near = did_you_mean(str(target), names)
            yield f"the success policy waits for job '{target}', which there is not{near}, so JobSet refuses it"
    ordered = text_at(spec, "startupPolicy", "startupPolicyOrder") == "InOrder"
    for number, job in enumerate(jobs):
        for item in list_at(job, "dependsOn"):
            other = text_at(item, "name")
            if other not in names[:number]:
                near = did_you_mean(other, names[:number])
                yield f"job '{names[number]}' depends on '{other}', which is no job before it{near}; JobSet refuses it"
        if ordered and list_at(job, "dependsOn"):
            yield f"job '{names[number]}' has dependsOn, but the startup policy is InOrder; JobSet refuses the two"


def _gang(pods: JobPods) -> Iterator[str]:
    gang = pods.gang
    if gang is None:
        return
    idle = [kind.name for kind in pods.kinds if kind.scheduling.scheduler == DEFAULT_SCHEDULER]
    if idle:
        yield (
            f"there is a PodGroup for {gang.scheduler}, but no schedulerName in job {', '.join(map(repr, idle))}: Pods "
            "start one by one unless the default scheduler has that plugin"
        )
    missing = [name for name in pods.requests if name not in gang.min_resources]
    if missing:
        yield f"the PodGroup reserves no {', '.join(missing)}, for only requests count and these are limits"
