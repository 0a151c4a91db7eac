"""The objects of a migration: a TrainJob, and the runtime it needs if no shipped one will do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.api.structural import API_VERSION, GROUP
from trainergen.migrate import catalogue as c
from trainergen.migrate import placing, running, scheduling
from trainergen.migrate.placing import ANCESTOR, JOB, RUNTIME, template_path
from trainergen.migrate.pods import NODE
from trainergen.migrate.target import FRAMEWORK

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.migrate.legacy import Role
    from trainergen.migrate.pods import Pod
    from trainergen.migrate.work import Work

_LONGEST = 63
_RANDOM = 6


@dataclass(frozen=True, slots=True)
class Plan:
    """What a framework wants: ``runtime`` is a shipped one, or empty for a plain runtime labelled ``framework``.

    ``first_decides``: the job succeeds with its node 0.
    """

    framework: str
    nodes: int
    runtime: str = ""
    processes: int | None = None
    first_decides: bool = False


@dataclass(slots=True)
class ReplicatedJob:
    """One job of a generated runtime."""

    name: str
    roles: tuple[Role, ...]
    pod: Pod
    count: int = 1
    container: str = NODE
    is_trainer: bool = False
    depends_on: tuple[tuple[str, str], ...] = ()
    extra: JsonObject = field(default_factory=dict)
    backoff: int | None = None


def one_job(work: Work, pod: Pod, plan: Plan) -> list[JsonObject]:
    """The objects for a job whose Pods are all alike."""
    roles = work.job.roles
    gang = scheduling.gang_of(work, pod)
    only_runtime = placing.needs_runtime(work, pod)
    exact = work.choices.exact_restart and any(role.restart_policy != "OnFailure" for role in roles)
    late = "activeDeadlineSeconds" in work.job.run_policy and not work.target.has_deadline
    wanted = only_runtime or gang is not None or exact or late or running.backoff_limit(work) is not None
    in_runtime = wanted or not plan.runtime
    running.say_restart(work, roles, in_runtime=in_runtime)
    trainer = _sizes(work, plan) | placing.trainer(work, pod)
    runtime: JsonObject | None = None
    spec: JsonObject = {}
    if in_runtime:
        # A runtime that nothing but the lack of a shipped one asks for stays free of what one job wants.
        runtime = _runtime_for(work, pod, plan, gang, own=wanted)
        spec = {} if wanted else placing.patches(work, pod)
    else:
        spec = placing.patches(work, pod)
    reference: JsonObject = {"kind": f"Cluster{RUNTIME}", "name": plan.runtime}
    if runtime is not None:
        reference = _to(runtime)
    job = _train_job(work, reference, {"trainer": trainer, **spec})
    return [job] if runtime is None else [runtime, job]


def _sizes(work: Work, plan: Plan) -> JsonObject:
    trainer: JsonObject = {"numNodes": plan.nodes}
    for role in work.job.roles:
        work.ledger.mapped((*role.path, "replicas"), JOB, ("spec", "trainer", "numNodes"))
    if plan.processes is not None:
        trainer["numProcPerNode"] = plan.processes
    return trainer


def _runtime_for(work: Work, pod: Pod, plan: Plan, gang: scheduling.Gang | None, *, own: bool) -> JsonObject:
    """A runtime with one job; with ``own`` everything of the Pod that a TrainJob does not say is in it."""
    policy: JsonObject = {"numNodes": 1}
    framework = plan.framework
    if plan.runtime:
        policy, framework = work.target.policy(plan.runtime)
    else:
        _say_plain(work, plan.framework)
    base = template_path(0)
    image = text_at(pod.main, "image")
    body = placing.template(work, pod, (RUNTIME, base)) if own else {}
    spec = body.setdefault("spec", {})
    assert isinstance(spec, dict)
    if gang is not None:
        body["spec"] = spec = {**gang.pod, **spec}
    if "containers" not in spec:
        spec["containers"] = [{"name": NODE}]
        _rename(work, pod)
    _give_image(spec["containers"], image)
    policy_name = running.strictest(work.job.roles)
    restart = running.restart(policy_name, NODE, running.backoff_limit(work))
    if restart.pod_policy != "OnFailure" or not plan.runtime:
        body["spec"] = {"restartPolicy": restart.pod_policy, **spec}
    job_spec: JsonObject = {**restart.job, **_late(work, base), "template": body}
    if plan.first_decides and not plan.runtime:
        job_spec = {"successPolicy": {"rules": [{"succeededIndexes": "0"}]}, **job_spec}
    if running.backoff_limit(work) is not None:
        work.ledger.mapped((*running.POLICY, "backoffLimit"), RUNTIME, (*base[:-1], "backoffLimit"))
    job: JsonObject = {"name": NODE, "template": {"metadata": ANCESTOR, "spec": job_spec}}
    out: JsonObject = {"replicatedJobs": [job]}
    return runtime_object(work, (framework, policy), out, gang)


def _rename(work: Work, pod: Pod) -> None:
    work.say(
        c.CONTAINER,
        (*pod.main_path, "name"),
        f"container '{text_at(pod.main, 'name')}' is called '{NODE}' now",
        remedy="Change 'kubectl logs -c', dashboards and whatever else names it.",
    )


def _give_image(containers: JsonValue, image: str) -> None:
    assert isinstance(containers, list)
    main = containers[0]
    assert isinstance(main, dict)
    rest = {key: value for key, value in main.items() if key not in ("name", "image")}
    containers[0] = {"name": main["name"], **({"image": image} if image else {}), **rest}


def _late(work: Work, base: Path) -> JsonObject:
    """The deadline, where TrainJobs have none."""
    deadline = work.job.run_policy.get("activeDeadlineSeconds")
    if deadline is None or work.target.has_deadline:
        return {}
    work.ledger.mapped((*running.POLICY, "activeDeadlineSeconds"), RUNTIME, (*base[:-1], "activeDeadlineSeconds"))
    return {"activeDeadlineSeconds": deadline}


def _say_plain(work: Work, framework: str) -> None:
    work.say(
        c.NO_FRAMEWORK,
        (),
        f"the runtime is a plain one: it sets no variables of {framework or 'a framework'}",
        remedy="What the script needs is set by hand.",
    )


def runtime_object(
    work: Work, about: tuple[str, JsonObject], spec: JsonObject, gang: scheduling.Gang | None = None
) -> JsonObject:
    """A TrainingRuntime around the spec of a JobSet; ``about`` is its framework and its ML policy."""
    framework, policy = about
    metadata: JsonObject = {"name": runtime_name(work)}
    namespace = text_at(work.job.obj, "metadata", "namespace")
    if namespace:
        metadata["namespace"] = namespace
    if framework:
        metadata["labels"] = {FRAMEWORK: framework}
    body: JsonObject = {"mlPolicy": policy}
    inner: JsonObject = {"spec": spec}
    if gang is not None:
        body["podGroupPolicy"] = gang.policy
        if gang.annotations:
            inner = {"metadata": {"annotations": gang.annotations}, **inner}
    body["template"] = inner
    work.say(
        c.RUNTIME_FIRST,
        (),
        f"the TrainingRuntime '{runtime_name(work)}' is generated, and must exist before the TrainJob",
        remedy="Apply it first, in Argo CD by an earlier sync wave.",
    )
    return {"apiVersion": API_VERSION, "kind": RUNTIME, "metadata": metadata, "spec": body}


def runtime_name(work: Work) -> str:
    """The name of a generated runtime."""
    metadata = work.job.obj.get("metadata")
    stem = work.job.name or text_at(metadata, "generateName").rstrip("-") or work.job.kind.kind.lower()
    return f"{stem}-runtime"


def _to(runtime: JsonObject) -> JsonObject:
    return {"kind": RUNTIME, "name": text_at(runtime, "metadata", "name")}


def many_jobs(
    work: Work, jobs: list[ReplicatedJob], *, framework: str, policy: JsonObject, trainer: JsonObject, **rest: JsonValue
) -> list[JsonObject]:
    """The objects for a job whose roles have replicated jobs of their own; ``rest`` goes into the JobSet's spec."""
    gang = scheduling.gang_of(work, jobs[0].pod)
    if not {"torch", "mpi"} & policy.keys():
        _say_plain(work, framework)
    roles = tuple(role for job in jobs for role in job.roles)
    running.say_restart(work, roles, in_runtime=True)
    items: list[JsonValue] = [_replicated(work, job, at, gang) for at, job in enumerate(jobs)]
    runtime = runtime_object(work, (framework, policy), {**rest, "replicatedJobs": items}, gang)
    job = _train_job(work, _to(runtime), {"trainer": trainer})
    return [runtime, job]


def _replicated(work: Work, job: ReplicatedJob, index: int, gang: scheduling.Gang | None) -> JsonObject:
    base = template_path(index)
    body = placing.template(work, job.pod, (RUNTIME, base), name=job.container, whole=True)
    spec = body["spec"]
    assert isinstance(spec, dict)
    if gang is not None:
        spec = {**gang.pod, **spec}
    restart = running.restart(running.strictest(job.roles), job.container, job.backoff)
    body["spec"] = {"restartPolicy": restart.pod_policy, **spec}
    counts: JsonObject = {} if job.count == 1 else {"parallelism": job.count, "completions": job.count}
    job_spec: JsonObject = {**counts, **job.extra, **restart.job, **_late(work, base), "template": body}
    out: JsonObject = {"name": job.name}
    if job.depends_on:
        out["dependsOn"] = [{"name": name, "status": status} for name, status in job.depends_on]
    out["template"] = {**({"metadata": ANCESTOR} if job.is_trainer else {}), "spec": job_spec}
    for role in job.roles:
        target = (*base[:-1], "parallelism") if job.count > 1 else ()
        work.ledger.mapped((*role.path, "replicas"), RUNTIME if target else "", target)
    if job.backoff is not None:
        work.ledger.mapped((*running.POLICY, "backoffLimit"), RUNTIME, (*base[:-1], "backoffLimit"))
    return out


def _train_job(work: Work, reference: JsonObject, spec: JsonObject) -> JsonObject:
    scheduling.say_kueue(work)
    head = running.settings(work)
    return {
        "apiVersion": API_VERSION,
        "kind": JOB,
        "metadata": running.metadata(work),
        "spec": {**head, "runtimeRef": {"apiGroup": GROUP, **reference}, **spec},
    }


def check_name(work: Work, jobs: dict[str, int]) -> None:
    """Say when Pods of these jobs, each with its number, get no names."""
    name = work.job.name
    for job, count in jobs.items():
        longest = _LONGEST - _RANDOM - len(f"-{job}-0-{max(count - 1, 0)}")
        if len(name) > longest:
            work.say(
                c.NAME,
                ("metadata", "name"),
                f"the name has {len(name)} characters, but Pods of the job '{job}' leave room for {longest}",
                remedy="Choose a shorter name before you migrate.",
            )
            return
