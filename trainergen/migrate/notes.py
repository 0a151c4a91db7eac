"""What scripts, dashboards and policies that watch a migrated job must change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at, value_at
from trainergen.migrate import catalogue as c

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.migrate.work import Work

_LEADER = "jobset.sigs.k8s.io/replicatedjob-name={job},batch.kubernetes.io/job-completion-index=0"


def notes_of(work: Work, objects: list[JsonObject]) -> tuple[str, ...]:
    """The notes of a migrated job, and one warning that points to them."""
    if not objects:
        return ()
    kind = work.job.kind
    name = work.job.name or "NAME"
    leader = _leader(objects)
    old = f"{name}-{work.job.roles[0].name.lower()}" + ("" if kind.kind == "MPIJob" else "-0")
    plural = kind.kind.lower() + "s"
    work.say(
        c.SCRIPTS,
        (),
        "labels, conditions, Pod names and metrics change; the notes list them",
        remedy="Search scripts, dashboards, quotas, roles and network policies for the old names.",
    )
    found = [
        f"Condition Succeeded is Complete now: kubectl wait trainjob/{name} --for=condition=Complete --timeout=2h",
        "There is no condition Running, Created or Restarting, and no startTime or completionTime.",
        f"status.replicaStatuses is status.jobsStatus, where '{leader}' counts Jobs and not Pods.",
        f"Label training.kubeflow.org/job-name={name} of Pods is jobset.sigs.k8s.io/jobset-name={name}.",
        f"The leading Pod has the labels {_LEADER.format(job=leader)}.",
        f"Pod '{old}' is '{name}-{leader}-0-0-' and five random characters; its host name is '{name}-{leader}-0-0'.",
        f"Logs: kubectl logs -l jobset.sigs.k8s.io/jobset-name={name},{_LEADER.format(job=leader)} -c node",
        f"The headless Service is called '{name}': a Service of that name in the namespace collides with it.",
        f"Roles name {plural}.kubeflow.org, now trainjobs.trainer.kubeflow.org and jobsets.jobset.x-k8s.io.",
        f"Quotas count count/{plural}.kubeflow.org, now count/trainjobs.trainer.kubeflow.org.",
        "Metrics training_operator_jobs_* are gone: use those of Jobs and JobSets.",
    ]
    if kind.kind == "MPIJob":
        found.append(f"'{name}-config' is '{name}-mpi-hostfile', and the keys are in '{name}-mpi-ssh-auth'.")
    return tuple(found)


def _leader(objects: list[JsonObject]) -> str:
    """The replicated job whose first Pod leads."""
    runtime = next((each for each in objects if text_at(each, "kind") == "TrainingRuntime"), None)
    spec = value_at(runtime, "spec", "template", "spec")
    targets = list_at(spec, "successPolicy", "targetReplicatedJobs")
    names = [text_at(each, "name") for each in list_at(spec, "replicatedJobs")]
    return str(targets[0]) if targets else (names[0] if names else "node")
