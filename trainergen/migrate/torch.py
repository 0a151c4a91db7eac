"""PyTorchJob, and the rendezvous that XGBoostJob shares with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import assemble, environment, roles, running
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import Plan
from trainergen.migrate.commands import Command, read_command, rewrite_torch
from trainergen.migrate.elastic import elastic_options, say_elastic
from trainergen.migrate.host_ranks import rewrite_host_ranks
from trainergen.migrate.launch import Launch, refers
from trainergen.migrate.pods import Pod, take_pod

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.migrate.work import Work

RUNTIME = "torch-distributed"
_PROCESSES = ("spec", "nprocPerNode")


def migrate(work: Work) -> list[JsonObject]:
    """The objects for a PyTorchJob."""
    job = work.job
    comparison = roles.compare(job, job.roles)
    say_elastic(work)
    if not comparison.same and not (comparison.only_resources and work.choices.merge_roles):
        from trainergen.migrate.two_roles import torch_roles

        return torch_roles(work, comparison)
    first = job.roles[0]
    pod = take_pod(work, first)
    if not comparison.same:
        pod.main["resources"] = roles.larger_resources(work, job.roles)
    roles.same_templates(work, first, job.roles[1:])
    processes = own_processes(work)
    environment.HostNames(work, _hosts(work)).apply(pod)
    rewrite_host_ranks(work, pod)
    pod_command = read_command(pod)
    launch = Launch(
        nodes=job.total, elastic=bool(object_at(job.spec, "elasticPolicy")), world_is_nodes=processes in (None, 1)
    )
    extra = elastic_options(work, pod_command, launch)
    rewritten = rewrite_torch(pod_command, launch, keep_module=work.choices.keep_launch_module, extra=extra)
    if rewritten is not None:
        write_back(work, pod, (pod_command, rewritten), launch)
    if launch.processes.isdecimal():
        processes = int(launch.processes)
    _environment(work, pod, launch, torchrun=rewritten is not None)
    _say_always(work, pod, rewritten is not None, processes)
    assemble.check_name(work, {"node": job.total})
    if job.role("Master") and job.role("Worker"):
        message = "the job succeeded with its Master, now with all nodes"
        running.say_success(work, message, severity=Severity.INFO)
    return assemble.one_job(work, pod, Plan("torch", job.total, RUNTIME, processes))


def _hosts(work: Work) -> dict[str, tuple[str, int]]:
    after = 1 if work.job.role("Master") else 0
    return {"master": ("node", 0), "worker": ("node", after)}


def own_processes(work: Work) -> int | None:
    """``nprocPerNode`` where it is a number."""
    spec = work.job.spec
    for path, value in (
        (_PROCESSES, text_at(spec, "nprocPerNode")),
        (("spec", "elasticPolicy", "nProcPerNode"), str(object_at(spec, "elasticPolicy").get("nProcPerNode", ""))),
    ):
        if value.isdecimal() and int(value) > 0:
            work.ledger.mapped(path, "TrainJob", ("spec", "trainer", "numProcPerNode"))
            return int(value)
    work.ledger.default(_PROCESSES)
    return None


def write_back(work: Work, pod: Pod, commands: tuple[Command, Command], launch: Launch) -> None:
    """Put the second command in the place of the first, and say what became of it."""
    old, new = commands
    had_args = "args" in pod.main
    pod.main["command"] = list(new.words[: new.split])
    if had_args or len(new.words) > new.split:
        pod.main["args"] = list(new.words[new.split :])
    where = (*pod.main_path, "command" if old.split > old.end or not had_args else "args")
    if new.words != old.words:
        removed = ", ".join(dict.fromkeys(launch.removed))
        work.say(
            c.LAUNCHER,
            where,
            "the launch command is rewritten" + (f", without {removed}: the Torch policy sets them" if removed else ""),
            remedy="Options of the command would win over the runtime's variables.",
        )
    if launch.was_launch and not launch.use_env and not work.choices.keep_launch_module:
        work.say(
            c.LOCAL_RANK,
            where,
            "torch.distributed.launch passed --local-rank to the script, which torchrun does not",
            remedy="Let the script read LOCAL_RANK, or use --keep-launch-module.",
        )
    if launch.etcd:
        work.say(c.LAUNCHER, where, "the rendezvous goes through etcd", remedy="Keep that etcd running.")
    spec_processes = own_processes(work)
    if launch.world_as_nodes and spec_processes is not None and spec_processes > 1:
        work.say(
            c.WORLD_SIZE,
            where,
            f"--nnodes was WORLD_SIZE, which counted processes, {work.job.total * spec_processes} of them",
            remedy="The legacy job waited for that many nodes; the Torch policy gives the right number.",
        )


def effective(work: Work, pod: Pod, processes: int | None) -> dict[str, str]:
    """What the Training Operator set in every container of a job with a Master."""
    if work.job.role("Master") is None:
        return {}
    name = work.job.name or "$JOB"
    return {
        "WORLD_SIZE": str(work.job.total * (processes or 1)),
        "RANK": "the number of the Pod",
        "MASTER_ADDR": f"{name}-master-0",
        "MASTER_PORT": str(work.job.port(pod.role)),
    }


def _environment(work: Work, pod: Pod, launch: Launch, *, torchrun: bool) -> None:
    own = own_processes(work)
    known = effective(work, pod, own)
    environment.drop_reserved(work, pod, environment.TORCH_RESERVED)
    environment.drop_overridden(work, pod, known)
    environment.judge_torch(work, pod, torchrun=torchrun)
    command = read_command(pod)
    added: list[JsonObject] = []
    world = work.job.total * (own or 1)
    # Without a Master the operator set none of these, so a script that works has its own way.
    wanted = not torchrun and bool(known)
    if wanted:
        added = environment.rendezvous(work.job.total, port=work.job.port(pod.role), world=world)
    elif launch.needs_world_size or any(refers(word) for word in command.words):
        added = [environment.literal("WORLD_SIZE", str(world))]
    if added:
        say_shim(work, world, own)
    if not torchrun and command.launcher in ("opaque", "shell", "deepspeed"):
        say_opaque(work, command)
    pod.env = environment.with_added(work, pod.env, added)


def say_shim(work: Work, world: int, processes: int | None) -> None:
    """Say that rendezvous variables are written out."""
    each = f" nodes with {processes} processes each" if processes and processes > 1 else " nodes"
    work.say(
        c.SHIM,
        (),
        f"MASTER_ADDR, MASTER_PORT, WORLD_SIZE and RANK are set by hand; WORLD_SIZE is {world}, for"
        f" {work.job.total}{each}",
        remedy="Keep WORLD_SIZE in step with numNodes, or launch the script by torchrun and remove them.",
    )


def say_opaque(work: Work, command: Command) -> None:
    """Say that the command may read variables unseen."""
    seen = f"'{command.words[0]}'" if command.words and command.split else "the entrypoint of the image"
    work.say(
        c.OPAQUE,
        (),
        f"{seen} cannot be looked into",
        remedy="Check it for variables and host names of the Training Operator.",
    )


def _say_always(work: Work, pod: Pod, torchrun: bool, processes: int | None) -> None:
    work.say(
        c.PORT,
        (),
        f"the rendezvous of the Torch policy is at port 29500, not {work.job.port(pod.role)}",
        remedy="Open the port in NetworkPolicies.",
    )
    if pod.fields.get("hostNetwork") is True:
        work.say(
            c.PORT,
            (*pod.spec_path, "hostNetwork"),
            "with hostNetwork, port 29500 is one of the host, so that two such jobs cannot share a node",
            remedy="Spread the jobs over nodes.",
            severity=Severity.WARNING,
        )
    if torchrun and processes is None and not pod.requests("gpu"):
        value = text_at(work.job.spec, "nprocPerNode") or "auto"
        work.say(
            c.PROCESSES,
            _PROCESSES if "nprocPerNode" in work.job.spec else (),
            f"nprocPerNode '{value}' without a GPU meant all visible CPUs, now it is the number of CPUs asked for",
            remedy="Set numProcPerNode to the number of processes that you want.",
        )
