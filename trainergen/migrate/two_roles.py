"""Master and Workers that differ: a runtime with a replicated job for each, and the rendezvous by hand."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.migrate import assemble, environment, running
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import ReplicatedJob
from trainergen.migrate.commands import read_command, rewrite_torch
from trainergen.migrate.environment import literal
from trainergen.migrate.launch import Launch
from trainergen.migrate.pods import NODE, Pod, take_pod

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.roles import Comparison
    from trainergen.migrate.work import Work

HOSTS = {"master": (NODE, 0), "worker": ("worker", 0)}


def torch_roles(work: Work, comparison: Comparison) -> list[JsonObject]:
    """The objects for a PyTorchJob whose roles differ."""
    from trainergen.migrate import torch

    processes = torch.own_processes(work)
    pods = []
    for role in work.job.roles:
        pod = take_pod(work, role)
        environment.HostNames(work, HOSTS).apply(pod)
        command = read_command(pod)
        launch = Launch(nodes=work.job.total, world_is_nodes=processes in (None, 1))
        rewritten = rewrite_torch(command, launch, keep_module=work.choices.keep_launch_module, extra=[])
        if rewritten is not None:
            torch.write_back(work, pod, (command, rewritten), launch)
        found = int(launch.processes) if launch.processes.isdecimal() else processes
        environment.drop_overridden(work, pod, torch.effective(work, pod, processes))
        environment.judge_torch(work, pod, torchrun=rewritten is not None)
        _torch_variables(work, pod, torchrun=rewritten is not None, processes=found)
        pods.append(pod)
    return finish(work, pods, comparison, framework="torch")


def _torch_variables(work: Work, pod: Pod, *, torchrun: bool, processes: int | None) -> None:
    port = work.job.port(work.job.roles[0])
    prefix = "PET_" if torchrun else ""
    added: list[JsonObject] = [
        environment.jobset_name(),
        literal(f"{prefix}MASTER_ADDR", environment.host(NODE, 0)),
        literal(f"{prefix}MASTER_PORT", str(port)),
    ]
    if torchrun:
        environment.drop_reserved(work, pod, environment.TORCH_RESERVED)
        added += [
            literal("PET_NNODES", str(work.job.total)),
            literal("PET_NPROC_PER_NODE", str(processes or "auto")),
        ]
    else:
        added.append(literal("WORLD_SIZE", str(work.job.total * (processes or 1))))
    set_rank(work, pod, "PET_NODE_RANK" if torchrun else "RANK", added)


def set_rank(work: Work, pod: Pod, name: str, added: list[JsonObject]) -> None:
    """Give a Pod its rank, the Master 0 and the Workers the numbers that follow, and the other variables."""
    if pod.role.name == "Master":
        added.append(literal(name, "0"))
    elif pod.role.replicas == 1:
        added.append(literal(name, "1"))
    else:
        _count_on(work, pod, name)
    pod.env = environment.with_added(work, pod.env, added)


def _count_on(work: Work, pod: Pod, name: str) -> None:
    """Kubernetes cannot add within a variable, so a shell does."""
    command, args = pod.texts("command"), pod.texts("args")
    if not command:
        work.say(
            c.OPAQUE,
            pod.main_path,
            f"{name} of the Workers cannot be set: the entrypoint of the image is not seen",
            remedy=f"Write the command out; a shell must export {name}=$((JOB_COMPLETION_INDEX+1)) before it.",
            severity=Severity.ERROR,
        )
        return
    line = f'export {name}=$((JOB_COMPLETION_INDEX+1)); exec {shlex.join(command)} "$@"'
    pod.main["command"] = ["/bin/sh", "-c"]
    rest: list[JsonValue] = [line, "sh", *args]
    pod.main["args"] = rest
    work.ledger.mapped((*pod.main_path, "command"), "TrainingRuntime", ())


def finish(work: Work, pods: list[Pod], comparison: Comparison, *, framework: str) -> list[JsonObject]:
    """The runtime with the jobs ``node`` and ``worker``, and the TrainJob that starts it."""
    master, workers = work.job.roles
    differing = ", ".join(comparison.differing)
    work.say(
        c.ROLES,
        workers.path,
        f"Master and Workers differ in {differing}, so that each gets a job in the runtime",
        remedy="Make them alike if they can be; then the TrainJob scales them.",
    )
    work.say(
        c.COUNTS,
        (*workers.path, "replicas"),
        f"the number of Workers, {workers.replicas}, is written as parallelism, completions and in variables",
        remedy="Change all of them together; numNodes of the TrainJob counts Masters only.",
    )
    assemble.check_name(work, {NODE: master.replicas, "worker": workers.replicas})
    jobs = [
        ReplicatedJob(NODE, (master,), pods[0], is_trainer=True, backoff=running.backoff_limit(work)),
        ReplicatedJob(
            "worker",
            (workers,),
            pods[1],
            count=workers.replicas,
            container=work.job.kind.container,
            backoff=running.backoff_limit(work),
        ),
    ]
    return assemble.many_jobs(
        work,
        jobs,
        framework=framework,
        policy={"numNodes": master.replicas},
        trainer={"numNodes": master.replicas},
        successPolicy={"operator": "All", "targetReplicatedJobs": [NODE]},
    )
