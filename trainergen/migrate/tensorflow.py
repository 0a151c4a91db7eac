"""TFJob: a plain runtime, with TF_CONFIG written out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.finding import Severity
from trainergen.migrate import assemble, environment, roles, running
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import Plan, ReplicatedJob
from trainergen.migrate.environment import literal
from trainergen.migrate.pods import NODE, Pod, take_pod

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.migrate.legacy import Role
    from trainergen.migrate.work import Work

_INDEX = "$(TF_TASK_INDEX)"
_TYPE = "$(TF_TASK_TYPE)"
_RULE = ("spec", "successPolicy")


def migrate(work: Work) -> list[JsonObject]:
    """The objects for a TFJob."""
    job = work.job
    work.say(
        c.TENSORFLOW,
        (),
        "no release has a policy for TensorFlow: a runtime is generated, whose image and sizes change there only",
        remedy="Share one runtime among jobs of the same shape.",
    )
    if job.spec.get("enableDynamicWorker") is True:
        work.say(
            c.DYNAMIC,
            ("spec", "enableDynamicWorker"),
            "enableDynamicWorker has no counterpart: the number of workers is fixed",
            remedy="Accept it if the script does with the full list of workers.",
        )
    work.ledger.default(("spec", "enableDynamicWorker"))
    work.ledger.default(_RULE)
    if job.total > 1:
        work.say(
            c.TF_CONFIG,
            (),
            f"TF_CONFIG lists its {job.total} hosts one by one",
            remedy="Change it together with the number of nodes.",
        )
    if len(job.roles) == 1:
        return _one_role(work, job.roles[0])
    return _many_roles(work)


def _take(work: Work, role: Role, hosts: dict[str, tuple[str, int]]) -> Pod:
    pod = take_pod(work, role)
    environment.HostNames(work, hosts).apply(pod)
    if work.job.total > 1:
        environment.drop_overridden(work, pod, {"TF_CONFIG": "made by the operator"})
    return pod


def _one_role(work: Work, role: Role) -> list[JsonObject]:
    name = role.name.lower()
    pod = _take(work, role, {name: (NODE, 0)})
    added: list[JsonObject] = []
    if work.job.total > 1:
        config = _config(work, {name: NODE}, name)
        index = environment.completion_index("TF_TASK_INDEX")
        added = [environment.jobset_name(), index, literal("TF_CONFIG", config)]
    # The operator set no PYTHONUNBUFFERED for TensorFlow.
    pod.env = environment.with_added(work, pod.env, added, unbuffered=False)
    first_decides = role.name == "Worker" and work.job.total > 1 and not _all_workers(work)
    if role.name == "Worker" and work.job.total > 1:
        work.say(
            c.TENSORFLOW,
            (),
            "worker 0 plays the chief, as it did before",
            remedy="Nothing to do.",
            severity=Severity.INFO,
        )
    roles.same_templates(work, role, ())
    assemble.check_name(work, {NODE: work.job.total})
    return assemble.one_job(work, pod, Plan("tensorflow", work.job.total, first_decides=first_decides))


def _all_workers(work: Work) -> bool:
    return text_at(work.job.spec, "successPolicy") == "AllWorkers"


def _config(work: Work, jobs: dict[str, str], task: str) -> str:
    """The text of TF_CONFIG; ``jobs`` gives the replicated job of each role in lower case."""
    cluster: dict[str, list[str]] = {}
    for role in work.job.roles:
        name, port = role.name.lower(), work.job.port(role)
        cluster[name] = [f"{environment.host(jobs[name], index)}:{port}" for index in range(role.replicas)]
    # The index is a number, which only the expanded variable makes it.
    value = {"cluster": cluster, "task": {"type": task, "index": _INDEX}, "environment": "cloud"}
    return json.dumps(value, separators=(",", ":")).replace(f'"{_INDEX}"', _INDEX)


def _many_roles(work: Work) -> list[JsonObject]:
    job = work.job
    names = {role.name.lower(): role.name.lower() for role in job.roles}
    trainer = job.role("Worker", "Chief", "Master") or job.roles[0]
    config = _config(work, names, _TYPE)
    jobs = []
    for role in job.roles:
        pod = _take(work, role, {name: (name, 0) for name in names})
        added = [
            environment.jobset_name(),
            environment.from_field("TF_TASK_TYPE", "metadata.labels['jobset.sigs.k8s.io/replicatedjob-name']"),
            environment.completion_index("TF_TASK_INDEX"),
            literal("TF_CONFIG", config),
        ]
        pod.env = environment.with_added(work, pod.env, added, unbuffered=False)
        jobs.append(
            ReplicatedJob(
                role.name.lower(),
                (role,),
                pod,
                count=1 if role is trainer else role.replicas,
                container=NODE if role is trainer else job.kind.container,
                is_trainer=role is trainer,
                extra=_first_decides(work, role),
                backoff=running.backoff_limit(work),
            )
        )
    _say_evaluator(work)
    assemble.check_name(work, {role.name.lower(): role.replicas for role in job.roles})
    sizes: JsonObject = {"numNodes": trainer.replicas}
    target = _decides(work)
    return assemble.many_jobs(
        work,
        jobs,
        framework="tensorflow",
        policy=dict(sizes),
        trainer=sizes,
        successPolicy={"operator": "All", "targetReplicatedJobs": [target]},
    )


def _decides(work: Work) -> str:
    role = work.job.role("Chief", "Master", "Worker") or work.job.roles[0]
    return role.name.lower()


def _first_decides(work: Work, role: Role) -> JsonObject:
    """Without a chief, the job was done with its first Worker."""
    is_decisive = role.name == "Worker" and work.job.role("Chief", "Master") is None and role.replicas > 1
    return {"successPolicy": {"rules": [{"succeededIndexes": "0"}]}} if is_decisive and not _all_workers(work) else {}


def _say_evaluator(work: Work) -> None:
    evaluator = work.job.role("Evaluator")
    if evaluator is not None:
        work.say(
            c.TENSORFLOW,
            evaluator.path,
            f"the Evaluator is stopped when the job '{_decides(work)}' is done",
            remedy="Evaluate the last checkpoint in a job of its own if that is too early.",
        )
