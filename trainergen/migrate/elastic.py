"""The elastic policy of a PyTorchJob, of which only the restarts and the rendezvous survive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate import running

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.migrate.commands import Command
    from trainergen.migrate.launch import Launch
    from trainergen.migrate.work import Work

_WHERE: Path = ("spec", "elasticPolicy")
_SIZES = ("minReplicas", "maxReplicas")
_TARGET: Path = ("spec", "trainer", "args")


def say_elastic(work: Work) -> None:
    """Say what an elastic job loses."""
    policy = object_at(work.job.spec, "elasticPolicy")
    if not policy:
        work.ledger.default(_WHERE)
        return
    low, high = _range(work, policy)
    for key in [each for each in _SIZES if each in policy] or [""]:
        work.say(
            c.ELASTIC,
            (*_WHERE, key) if key else _WHERE,
            f"the size is fixed at {work.job.total} nodes: no release can grow or shrink a job within {low}:{high}",
            remedy=f"Accept it, or take numNodes: {high} with torchrun --nnodes={low}:{high}, which starts with {low} "
            "nodes but completes only with all.",
        )
    if "metrics" in policy:
        work.say(
            c.ELASTIC,
            (*_WHERE, "metrics"),
            f"{len(list_at(policy, 'metrics'))} metrics and their HorizontalPodAutoscaler are dropped",
            remedy="A TrainJob cannot be scaled.",
            severity=Severity.WARNING,
        )
    if work.job.role("Master") is None:
        running.say_success(work, "the job succeeded with any of its Workers, now with all nodes")


def _range(work: Work, policy: JsonObject) -> tuple[int, int]:
    worker = work.job.role("Worker")
    size = worker.replicas if worker else work.job.total
    low, high = integer_at(policy, "minReplicas"), integer_at(policy, "maxReplicas")
    return low or high or size, high or low or size


def elastic_options(work: Work, command: Command, launch: Launch) -> list[str]:
    """The options of torchrun that an elastic policy becomes; none where the command is no launcher."""
    policy = object_at(work.job.spec, "elasticPolicy")
    if not policy:
        return []
    if not command.is_torchrun and "torch.distributed" not in command.script and "torchrun" not in command.script:
        _say_unused(work, policy)
        return []
    launch.shell = command.launcher == "shell"
    backend = text_at(policy, "rdzvBackend") or "c10d"
    options = []
    if "maxRestarts" in policy:
        options.append(f"--max_restarts={policy['maxRestarts']}")
    options += [f"--rdzv_backend={backend}", f"--rdzv_id={text_at(policy, 'rdzvId') or work.job.name or 'rendezvous'}"]
    options.append(f"--rdzv_endpoint={_endpoint(work, policy, launch)}")
    pairs = [f"{text_at(each, 'key')}={text_at(each, 'value')}" for each in list_at(policy, "rdzvConf")]
    if pairs:
        options.append(f"--rdzv_conf={','.join(pairs)}")
    if policy.get("standalone") is True and work.job.total == 1:
        options = ["--standalone"]
    for key in ("maxRestarts", "rdzvBackend", "rdzvId", "rdzvConf", "rdzvHost", "rdzvPort", "standalone"):
        work.ledger.mapped((*_WHERE, key), "TrainJob", _TARGET)
    written = " ".join(command.words)
    return [each for each in options if each.partition("=")[0].lstrip("-") not in written.replace("-", "_")]


def _endpoint(work: Work, policy: JsonObject, launch: Launch) -> str:
    backend = text_at(policy, "rdzvBackend")
    host = text_at(policy, "rdzvHost")
    if backend.startswith("etcd") and host:
        work.say(
            c.LAUNCHER,
            (*_WHERE, "rdzvHost"),
            f"the rendezvous goes through etcd at '{host}'",
            remedy="Keep that etcd running.",
        )
        return f"{host}:{policy.get('rdzvPort', 2379)}"
    return launch.endpoint()


def _say_unused(work: Work, policy: JsonObject) -> None:
    for key in policy:
        if key not in (*_SIZES, "metrics", "nProcPerNode"):
            work.say(
                c.NOT_CARRIED,
                (*_WHERE, key),
                f"{key} of the elasticPolicy is dropped: the command is not seen to start torchrun",
                remedy="Pass it to torchrun as an option.",
            )
