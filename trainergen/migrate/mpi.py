"""MPIJob of both operators: a runtime with a launcher and its workers, over SSH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import assemble, environment, roles, running
from trainergen.migrate import catalogue as c
from trainergen.migrate.assemble import Plan, ReplicatedJob
from trainergen.migrate.mpirun import Mpirun, rewrite_mpi
from trainergen.migrate.pods import NODE, Pod, take_pod
from trainergen.migrate.sshd import Keys, keys_of, launcher_setup, worker_setup

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.migrate.work import Work

_HOSTS = {"worker": (NODE, 0), "launcher": ("launcher", 0)}
_SLOTS: Path = ("spec", "slotsPerWorker")


def migrate(work: Work) -> list[JsonObject]:
    """The objects for an MPIJob."""
    job = work.job
    launcher, worker = job.role("Launcher"), job.role("Worker")
    if launcher is None:
        return []
    _say_fields(work)
    if worker is None:
        pod = take_pod(work, launcher)
        for key in ("slotsPerWorker", "sshAuthMountPath", "runLauncherAsWorker", "launcherCreationPolicy"):
            work.ledger.default(("spec", key))
        roles.same_templates(work, launcher, ())
        return assemble.one_job(work, pod, Plan("mpi", 1))
    as_node = job.spec.get("runLauncherAsWorker") is True
    slots = integer_at(job.spec, "slotsPerWorker") or 1
    launcher_pod, worker_pod = take_pod(work, launcher), take_pod(work, worker)
    keys = keys_of(work, launcher_pod, worker_pod)
    for pod in (launcher_pod, worker_pod):
        environment.HostNames(work, _HOSTS).apply(pod)
    count = worker.replicas + (1 if as_node else 0)
    forward = worker_pod.env if job.kind.version == "v1" else []
    rewrite_mpi(work, launcher_pod, Mpirun(processes=count * slots, forward=forward))
    _hide_gpus(work, launcher_pod, as_node=as_node)
    command = _trainer_command(work, launcher_pod, keys)
    worker_setup(work, worker_pod, keys)
    _say_runtime(work, worker_pod, as_node=as_node)
    assemble.check_name(work, {"launcher": 1, NODE: worker.replicas})
    trainer: JsonObject = {"numNodes": count, **({"numProcPerNode": slots} if slots == 1 else {}), **command}
    work.ledger.mapped(_SLOTS, "TrainingRuntime", ("spec", "mlPolicy", "mpi", "numProcPerNode"))
    work.ledger.mapped(
        ("spec", "runLauncherAsWorker"), "TrainingRuntime", ("spec", "mlPolicy", "mpi", "runLauncherAsNode")
    )
    return assemble.many_jobs(
        work,
        _jobs(work, launcher_pod, worker_pod),
        framework=_framework(launcher_pod),
        policy=_policy(keys, slots, as_node=as_node),
        trainer=trainer,
        network={"publishNotReadyAddresses": True},
        successPolicy={"operator": "All", "targetReplicatedJobs": ["launcher"]},
    )


def _policy(keys: Keys, slots: int, *, as_node: bool) -> JsonObject:
    # The policy counts launchers, of which there is one; the nodes are the TrainJob's.
    return {
        "numNodes": 1,
        "mpi": {
            "mpiImplementation": "OpenMPI",
            "numProcPerNode": slots,
            "sshAuthMountPath": keys.mount,
            "runLauncherAsNode": as_node,
        },
    }


def _jobs(work: Work, launcher: Pod, worker: Pod) -> list[ReplicatedJob]:
    backoff = running.backoff_limit(work)
    return [
        ReplicatedJob(NODE, (worker.role,), worker),
        ReplicatedJob(
            "launcher",
            (launcher.role,),
            launcher,
            is_trainer=True,
            depends_on=((NODE, "Ready"),),
            backoff=backoff,
        ),
    ]


def _framework(launcher: Pod) -> str:
    words = " ".join([text_at(launcher.main, "image"), *launcher.texts("command"), *launcher.texts("args")])
    return "deepspeed" if "deepspeed" in words else "mpi"


def _trainer_command(work: Work, launcher: Pod, keys: Keys) -> JsonObject:
    """Command and arguments of the launcher, which the TrainJob gives."""
    launcher_setup(work, launcher, keys)
    out: JsonObject = {}
    for key in ("command", "args"):
        words: list[JsonValue] = list_at(launcher.main, key)
        launcher.main.pop(key, None)
        if words:
            out[key] = words
        work.ledger.mapped((*launcher.main_path, key), "TrainJob", ("spec", "trainer", key))
    return out


def _hide_gpus(work: Work, launcher: Pod, *, as_node: bool) -> None:
    if as_node or launcher.requests("gpu"):
        return
    hidden = [environment.literal(f"NVIDIA_{name}", "") for name in ("VISIBLE_DEVICES", "DRIVER_CAPABILITIES")]
    launcher.env = environment.with_added(work, launcher.env, hidden, unbuffered=False)
    work.say(
        c.BLANKED,
        (),
        "GPUs stay hidden from the launcher, now by variables in the runtime",
        remedy="Remove them if the launcher shall see GPUs.",
    )


def _say_fields(work: Work) -> None:
    spec = work.job.spec
    if text_at(spec, "mpiImplementation") in ("Intel", "MPICH"):
        work.say(
            c.IMPLEMENTATION,
            ("spec", "mpiImplementation"),
            f"mpiImplementation is '{spec['mpiImplementation']}', but the Trainer knows OpenMPI only",
            remedy="Build the image with Open MPI.",
        )
    work.ledger.mapped(
        ("spec", "mpiImplementation"), "TrainingRuntime", ("spec", "mlPolicy", "mpi", "mpiImplementation")
    )
    if "mainContainer" in spec:
        work.say(
            c.SSH,
            ("spec", "mainContainer"),
            f"mainContainer '{spec['mainContainer']}' is dropped: SSH lands in the container that runs sshd",
            remedy="Run sshd in the training container.",
        )
    if "launcherCreationPolicy" in spec:
        work.ledger.mapped(("spec", "launcherCreationPolicy"), "TrainingRuntime", ("spec", "template", "spec"))
    if work.job.kind.version == "v1":
        work.say(
            c.SSH,
            (),
            "ranks were started with kubectl exec, now over SSH: the image needs sshd with host keys, and an ssh that"
            " does not ask about unknown hosts",
            remedy="Install openssh-server and set StrictHostKeyChecking no.",
        )
        work.say(
            c.SSH,
            (),
            "the launcher needs no rights on Pods any more",
            remedy="Remove the Role and RoleBinding that were made for it by hand.",
            severity=Severity.INFO,
        )


def _say_runtime(work: Work, worker: Pod, *, as_node: bool) -> None:
    if not as_node and object_at(worker.main, "resources"):
        work.say(
            c.WORKERS,
            (*worker.main_path, "resources"),
            "resources of the workers live in the runtime: resourcesPerNode would go to the launcher",
            remedy="Change them in the runtime.",
        )
    work.say(
        c.WORKERS,
        (),
        "the image of a TrainJob reaches the launcher only, so the runtime carries that of the workers",
        remedy="Change both together.",
    )
