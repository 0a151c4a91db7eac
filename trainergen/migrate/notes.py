"""What scripts, dashboards and policies that watch a migrated job must change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at, value_at
from trainergen.migrate import catalogue as c
from trainergen.migrate.places import places_in
from trainergen.migrate.pods import NODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.work import Work

_LEADER = "jobset.sigs.k8s.io/replicatedjob-name={job},batch.kubernetes.io/job-completion-index=0"


def notes_of(work: Work, objects: list[JsonObject]) -> tuple[str, ...]:
    """The notes of a migrated job, and one warning that points to them."""
    if not objects:
        return ()
    work.say(
        c.SCRIPTS,
        (),
        "labels, conditions, Pod names and metrics change; the notes list them",
        remedy="Search scripts, dashboards, quotas, roles and network policies for the old names.",
    )
    name = work.job.name or "NAME"
    runtime = next((each for each in objects if text_at(each, "kind") == "TrainingRuntime"), None)
    return (
        *_status(name, _leader(runtime)),
        *_pods(work, objects, name),
        *_logs(name, _leader(runtime), _container(runtime)),
        *_around(work, name, runtime),
    )


def _status(name: str, leader: str) -> Iterator[str]:
    yield f"Condition Succeeded is Complete now: kubectl wait trainjob/{name} --for=condition=Complete --timeout=2h"
    yield (
        "Condition Failed stays, with reasons such as FailedJobs in place of the kind's; a TrainJob whose Pods cannot "
        "be made has no condition but events, so that waiting needs a timeout."
    )
    yield (
        "There is no condition Running, Created or Restarting, and no startTime or completionTime: a job runs while "
        "status.jobsStatus has something active, and it ended at the lastTransitionTime of its condition."
    )
    yield f"status.replicaStatuses is status.jobsStatus, where '{leader}' counts Jobs and not Pods."


def _pods(work: Work, objects: list[JsonObject], name: str) -> Iterator[str]:
    yield f"Label training.kubeflow.org/job-name={name} of Pods is jobset.sigs.k8s.io/jobset-name={name}."
    for role, place in places_in(work.job, objects).items():
        is_only = work.job.kind.kind == "MPIJob" and role == "launcher"
        old = f"{name}-{role}" + ("" if is_only else "-I")
        at = "0" if is_only else f"I+{place.first}" if place.first else "I"
        host = f"{name}-{place.job}-0-{at}"
        yield (
            f"Pod '{old}' is '{host}-' and five random characters, with the address '{host}.{name}' and the labels "
            f"jobset.sigs.k8s.io/replicatedjob-name={place.job}, batch.kubernetes.io/job-completion-index={at}."
        )
    yield (
        f"The headless Service is called '{name}' and has no ports: a Service of that name in the namespace collides "
        "with it."
    )


def _logs(name: str, leader: str, container: str) -> Iterator[str]:
    labels = _LEADER.format(job=leader)
    yield f"The leading Pod has the labels {labels}."
    yield f"Logs: kubectl logs -l jobset.sigs.k8s.io/jobset-name={name},{labels} -c {container}"
    yield (
        f"kubectl exec needs the Pod's name, looked up by these labels; kubectl logs job/{name}-{leader}-0 takes one "
        "of the job's Pods. Pipelines that go by names of Pods must go by labels."
    )
    yield "In the SDK, get_job_logs of TrainingClient is get_job_logs of TrainerClient."


def _around(work: Work, name: str, runtime: JsonObject | None) -> Iterator[str]:
    kind = work.job.kind
    plural = kind.kind.lower() + "s"
    yield f"Roles name {plural}.kubeflow.org, now trainjobs.trainer.kubeflow.org and jobsets.jobset.x-k8s.io."
    yield (
        f"Quotas count count/{plural}.kubeflow.org, now count/trainjobs.trainer.kubeflow.org; "
        "each TrainJob also makes a JobSet, Jobs, and ConfigMaps or Secrets that may be counted."
    )
    if kind.kind == "MPIJob":
        yield "NetworkPolicies must let the launcher through to the port of sshd on the nodes."
    else:
        yield (
            f"NetworkPolicies open port {kind.port}; policies of the Trainer meet at 29500, variables written by hand "
            "at the port that is in them."
        )
    yield "Metrics training_operator_jobs_* are gone: use those of Jobs and JobSets."
    if kind.kind == "MPIJob":
        yield f"'{name}-config' is '{name}-mpi-hostfile', and the keys are in '{name}-mpi-ssh-auth'."
    yield (
        "A finished TrainJob stays, and Argo CD and Flux do not start it again; what it trains cannot be changed in "
        "place, so that another run needs another name."
    )
    if runtime is not None:
        own = text_at(runtime, "metadata", "name")
        yield f"The runtime '{own}' is to be applied before the job, and deleted after it."


def _leader(runtime: JsonObject | None) -> str:
    """The replicated job whose first Pod leads."""
    spec = value_at(runtime, "spec", "template", "spec")
    targets = list_at(spec, "successPolicy", "targetReplicatedJobs")
    names = [text_at(each, "name") for each in list_at(spec, "replicatedJobs")]
    return str(targets[0]) if targets else (names[0] if names else NODE)


def _container(runtime: JsonObject | None) -> str:
    """The name of the training container in the leading Pod."""
    leader = _leader(runtime)
    jobs: list[JsonValue] = list_at(runtime, "spec", "template", "spec", "replicatedJobs")
    job = next((each for each in jobs if text_at(each, "name") == leader), None)
    containers = list_at(job, "template", "spec", "template", "spec", "containers")
    return text_at(containers[0], "name") if containers else NODE
