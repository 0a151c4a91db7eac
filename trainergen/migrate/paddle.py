"""PaddleJob: collective jobs with a small shell in front of the command, jobs with parameter servers with two roles."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from trainergen.api.access import object_at
from trainergen.migrate import assemble, environment, roles, torch, two_roles
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import Plan
from trainergen.migrate.commands import read_command
from trainergen.migrate.environment import literal
from trainergen.migrate.pods import NODE, Pod, take_pod
from trainergen.migrate.roles import Comparison

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.legacy import Role
    from trainergen.migrate.work import Work


def migrate(work: Work) -> list[JsonObject]:
    """The objects for a PaddleJob."""
    job = work.job
    work.say(
        c.PADDLE,
        (),
        "no release has a policy for Paddle: a plain runtime is generated, and variables are set by hand",
        remedy="Share one runtime among Paddle jobs.",
    )
    if "elasticPolicy" in job.spec:
        for key in object_at(job.spec, "elasticPolicy") or {"": None}:
            where = ("spec", "elasticPolicy", key) if key else ("spec", "elasticPolicy")
            work.say(c.NOT_CARRIED, where, "the elasticPolicy is dropped: no code was behind it", remedy="Remove it.")
    if job.role("Master") and job.role("Worker"):
        return _servers(work)
    role = job.roles[0]
    pod = _pod(work, role, {role.name.lower(): (NODE, 0)})
    _master(work, pod)
    work.say(
        c.COUNTS,
        (*role.path, "replicas"),
        f"the number of nodes, {job.total}, is written in PADDLE_NNODES too",
        remedy="Change it together with numNodes.",
    )
    roles.same_templates(work, role, ())
    assemble.check_name(work, {NODE: job.total})
    return assemble.one_job(work, pod, Plan("paddle", job.total))


def _pod(work: Work, role: Role, hosts: dict[str, tuple[str, int]]) -> Pod:
    pod = take_pod(work, role)
    environment.HostNames(work, hosts).apply(pod)
    known = {
        "PADDLE_JOB_ID": work.job.name,
        "PADDLE_NNODES": str(work.job.total),
        "PADDLE_MASTER": "the address of the first Pod",
    }
    environment.drop_overridden(work, pod, known)
    return pod


def _shared(work: Work) -> list[JsonObject]:
    return [
        environment.jobset_name(),
        environment.from_field("POD_IP", "status.podIP"),
        literal("PADDLE_JOB_ID", environment.JOBSET),
        literal("PADDLE_NNODES", str(work.job.total)),
    ]


def _master(work: Work, pod: Pod) -> None:
    """The first node listens on its own address, the others look it up."""
    port = work.job.port(pod.role)
    added = _shared(work)
    command, args = pod.texts("command"), pod.texts("args")
    if command:
        lines = [
            'if [ "$JOB_COMPLETION_INDEX" = "0" ]; then',
            f'  export PADDLE_MASTER="$POD_IP:{port}"',
            "else",
            f'  export PADDLE_MASTER="$JOBSET_NAME-{NODE}-0-0.$JOBSET_NAME:{port}"',
            "fi",
            f'exec {shlex.join(command)} "$@"',
            "",
        ]
        rest: list[JsonValue] = ["\n".join(lines), "sh", *args]
        pod.main["command"] = ["/bin/sh", "-c"]
        pod.main["args"] = rest
        work.ledger.mapped((*pod.main_path, "command"), "TrainJob", ("spec", "trainer", "args"))
    else:
        torch.say_opaque(work, read_command(pod))
        added.append(literal("PADDLE_MASTER", f"{environment.host(NODE, 0)}:{port}"))
    pod.env = environment.with_added(work, pod.env, added)


def _servers(work: Work) -> list[JsonObject]:
    comparison = roles.compare(work.job, work.job.roles)
    port = work.job.port(work.job.roles[0])
    pods = []
    for role in work.job.roles:
        pod = _pod(work, role, two_roles.HOSTS)
        is_server = role.name == "Master"
        address = "$(POD_IP)" if is_server and role.replicas == 1 else environment.host(NODE, 0)
        added = [
            *_shared(work),
            literal("PADDLE_MASTER", f"{address}:{port}"),
            literal("PADDLE_SERVER_NUM" if is_server else "PADDLE_TRAINER_NUM", "1"),
        ]
        pod.env = environment.with_added(work, pod.env, added)
        pods.append(pod)
    differing = Comparison((*comparison.differing, "PADDLE_SERVER_NUM and PADDLE_TRAINER_NUM"))
    return two_roles.finish(work, pods, differing, framework="paddle")
