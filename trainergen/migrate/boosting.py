"""XGBoostJob, which LightGBM runs on too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.migrate import assemble, environment, roles, running, torch, two_roles
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import Plan
from trainergen.migrate.commands import read_command
from trainergen.migrate.environment import literal
from trainergen.migrate.host_ranks import rewrite_host_ranks
from trainergen.migrate.pods import NODE, Pod, take_pod

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.migrate.legacy import Role
    from trainergen.migrate.work import Work

RUNTIME = "xgboost-distributed"


def migrate(work: Work) -> list[JsonObject]:
    """The objects for an XGBoostJob."""
    job = work.job
    comparison = roles.compare(job, job.roles)
    merged = comparison.only_resources and work.choices.merge_roles
    ships = work.target.ships(RUNTIME)
    _say(work, ships=ships)
    if not comparison.same and not merged:
        pods = [_pod(work, each, NODE if each.name == "Master" else "worker") for each in job.roles]
        return two_roles.finish(work, [_split(work, pod) for pod in pods], comparison, framework="xgboost")
    first = job.roles[0]
    pod = _pod(work, first, NODE)
    rewrite_host_ranks(work, pod)
    if merged:
        pod.main["resources"] = roles.larger_resources(work, job.roles)
    roles.same_templates(work, first, job.roles[1:])
    port = job.port(first)
    added = environment.rendezvous(job.total, port=port, world=job.total)
    if job.total > 1:
        added += _worker_addresses(work, port, NODE, 1)
    torch.say_shim(work, job.total, None)
    pod.env = environment.with_added(work, pod.env, added)
    assemble.check_name(work, {NODE: job.total})
    return assemble.one_job(work, pod, Plan("xgboost", job.total, RUNTIME if ships else ""))


def _say(work: Work, *, ships: bool) -> None:
    work.say(
        c.XGBOOST,
        (),
        "the XGBoost policy sets DMLC variables and expects node 0 to run the tracker; the script goes on with those"
        " that the Training Operator set",
        remedy="Let the script use the DMLC variables, and remove the others.",
    )
    if not ships:
        work.say(
            c.NOT_SHIPPED,
            (),
            f"Trainer {work.target.release} ships no {RUNTIME}, so a plain runtime is generated",
            remedy="Choose a newer target, or accept a runtime without a policy.",
        )
    if work.job.role("Worker"):
        running.say_success(work, "the job succeeded with its Master, now with all nodes")
        work.say(
            c.XGBOOST,
            (),
            "WORKER_PORT and WORKER_ADDRS are read by LightGBM only",
            remedy="Remove them from an XGBoost job.",
            severity=Severity.INFO,
        )


def _pod(work: Work, role: Role, worker_job: str) -> Pod:
    pod = take_pod(work, role)
    hosts = {"master": (NODE, 0), "worker": (worker_job, 1 if worker_job == NODE else 0)}
    if work.job.role("Worker"):
        environment.HostNames(work, hosts).apply(pod)
    environment.drop_reserved(work, pod, environment.XGBOOST_RESERVED)
    known = torch.effective(work, pod, None)
    if work.job.total > 1:
        known |= {"WORKER_PORT": str(work.job.port(role)), "WORKER_ADDRS": "the addresses of the Workers"}
    environment.drop_overridden(work, pod, known)
    command = read_command(pod)
    if command.launcher in ("opaque", "shell"):
        torch.say_opaque(work, command)
    return pod


def _split(work: Work, pod: Pod) -> Pod:
    """The variables of a Pod whose role has a job of its own."""
    port = work.job.port(work.job.roles[0])
    added = [
        environment.jobset_name(),
        literal("MASTER_ADDR", environment.host(NODE, 0)),
        literal("MASTER_PORT", str(port)),
        literal("WORLD_SIZE", str(work.job.total)),
        *_worker_addresses(work, port, "worker", 0),
    ]
    two_roles.set_rank(work, pod, "RANK", added)
    return pod


def _worker_addresses(work: Work, port: int, job: str, first: int) -> list[JsonObject]:
    worker = work.job.role("Worker")
    count = worker.replicas if worker else 0
    hosts = ",".join(environment.host(job, first + at) for at in range(count))
    return [literal("WORKER_PORT", str(port)), literal("WORKER_ADDRS", hosts)]
