"""JAXJob."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.migrate import assemble, environment, torch
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import Plan
from trainergen.migrate.commands import read_command
from trainergen.migrate.environment import literal
from trainergen.migrate.pods import NODE, take_pod

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.migrate.work import Work

RUNTIME = "jax-distributed"


def migrate(work: Work) -> list[JsonObject]:
    """The objects for a JAXJob."""
    job = work.job
    role = job.roles[0]
    pod = take_pod(work, role)
    environment.HostNames(work, {"worker": (NODE, 0)}).apply(pod)
    port = job.port(role)
    known = {
        "COORDINATOR_ADDRESS": f"{job.name}-worker-0",
        "COORDINATOR_PORT": str(port),
        "NUM_PROCESSES": str(job.total),
        "PROCESS_ID": "the number of the Pod",
    }
    environment.drop_overridden(work, pod, known)
    ships = work.target.ships(RUNTIME)
    added = [
        environment.jobset_name(),
        literal("COORDINATOR_ADDRESS", environment.host(NODE, 0)),
        literal("COORDINATOR_PORT", str(port)),
    ]
    if ships:
        added += [literal("NUM_PROCESSES", "$(JAX_NUM_PROCESSES)"), literal("PROCESS_ID", "$(JAX_PROCESS_ID)")]
    else:
        added += [literal("NUM_PROCESSES", str(job.total)), environment.completion_index("PROCESS_ID")]
        work.say(
            c.NOT_SHIPPED,
            (),
            f"Trainer {work.target.release} ships no {RUNTIME}, so a plain runtime is generated",
            remedy="Choose a newer target, or accept a runtime without a policy.",
        )
    work.say(
        c.JAX,
        (),
        "COORDINATOR_ADDRESS, COORDINATOR_PORT, NUM_PROCESSES and PROCESS_ID are set by hand",
        remedy="Let the script read JAX_COORDINATOR_ADDRESS, which holds the port too, JAX_NUM_PROCESSES and "
        "JAX_PROCESS_ID, and remove the four.",
    )
    command = read_command(pod)
    if command.launcher in ("opaque", "shell"):
        torch.say_opaque(work, command)
    pod.env = environment.with_added(work, pod.env, added)
    assemble.check_name(work, {NODE: job.total})
    return assemble.one_job(work, pod, Plan("jax", job.total, RUNTIME if ships else ""))
