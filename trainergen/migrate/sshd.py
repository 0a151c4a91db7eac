"""How MPI ranks get at each other: where the keys are mounted, who may read them, and what runs sshd."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.mpirun import PROGRAMS

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.pods import Pod
    from trainergen.migrate.work import Work

_ROOT = "/root/.ssh"
_COPY_FROM = "/mnt/mpi-ssh"
_COPY = f"install -d -m 700 {_ROOT} && install -m 600 {_COPY_FROM}/* {_ROOT}/ &&"
_PORTS = {True: 22, False: 2222}


class Keys(NamedTuple):
    """Where the SSH keys are mounted; ``copied`` when root gets private copies of them."""

    mount: str
    copied: bool
    user: int | None = None


def keys_of(work: Work, launcher: Pod, worker: Pod) -> Keys:
    """How the keys become readable for the job's user, and for nobody else."""
    where = ("spec", "sshAuthMountPath")
    asked = text_at(work.job.spec, "sshAuthMountPath")
    user = _user(launcher) if _user(launcher) is not None else _user(worker)
    mount = asked or (_ROOT if not user else "/home/mpiuser/.ssh")
    work.ledger.mapped(where, "TrainingRuntime", ("spec", "mlPolicy", "mpi", "sshAuthMountPath"))
    if mount == _ROOT:
        work.say(
            c.SSH_KEYS,
            where if asked else (),
            f"keys mounted at {_ROOT} are refused by ssh for their mode, so they are copied from {_COPY_FROM}",
            remedy="Better run as another user with fsGroup, as the shipped runtimes do.",
        )
        return Keys(_COPY_FROM, copied=True)
    if user is None:
        work.say(
            c.SSH_KEYS,
            where if asked else (),
            f"the user who reads the keys in {mount} is not known",
            remedy="Set runAsUser, and an fsGroup that lets it read them.",
        )
    return Keys(mount, copied=False, user=user)


def _user(pod: Pod) -> int | None:
    own = integer_at(object_at(pod.main, "securityContext"), "runAsUser")
    return own if own is not None else integer_at(object_at(pod.fields, "securityContext"), "runAsUser")


def worker_setup(work: Work, pod: Pod, keys: Keys) -> None:
    """Let a worker run sshd, and tell when it does."""
    command = [*pod.texts("command"), *pod.texts("args")]
    runs_sshd = any("sshd" in word for word in command)
    if not runs_sshd:
        command = ["/usr/sbin/sshd", "-De"]
    if keys.copied:
        pod.main["command"] = ["/bin/sh", "-c"]
        pod.main["args"] = [f"{_COPY} exec {shlex.join(command)}"]
    elif not runs_sshd:
        pod.main["command"] = ["/usr/sbin/sshd"]
        pod.main["args"] = ["-De"]
    for key in [] if runs_sshd else [key for key in ("command", "args") if key in _written(work, pod)]:
        work.say(
            c.SSH,
            (*pod.main_path, key),
            f"the {key} of the workers is replaced by sshd",
            remedy="What else the workers did must be started beside it.",
        )
    port = _PORTS[keys.copied or (not runs_sshd and not keys.user)]
    if not keys.copied:
        work.say(
            c.SSHD_PORT,
            (),
            f"sshd is taken to listen on port {port} for the readiness probe",
            remedy="Check its configuration.",
        )
    if "readinessProbe" not in pod.main:
        pod.main["readinessProbe"] = {"tcpSocket": {"port": port}, "initialDelaySeconds": 5}
    _group(work, pod, keys)


def _written(work: Work, pod: Pod) -> JsonObject:
    """The training container as the manifest has it."""
    containers = list_at(pod.role.template, "spec", "containers")
    main = containers[work.job.main_index(pod.role)] if containers else None
    return main if isinstance(main, dict) else {}


def launcher_setup(work: Work, pod: Pod, keys: Keys) -> None:
    """Let the launcher's ssh find its keys."""
    _group(work, pod, keys)
    if not keys.copied:
        return
    command, args = pod.texts("command"), pod.texts("args")
    words = [*command, *args]
    rest: list[JsonValue]
    if command and command[0].rsplit("/", 1)[-1] in PROGRAMS:
        rest = [f"{_COPY} exec {shlex.join(words)}"]
    elif command:
        rest = [f'{_COPY} exec "$@"', "sh", *words]
    else:
        work.say(
            c.OPAQUE,
            pod.main_path,
            "the entrypoint of the launcher's image is not seen, so the keys are not copied for it",
            remedy=f"Begin it with: {_COPY} …",
        )
        return
    pod.main["command"] = ["/bin/sh", "-c"]
    pod.main["args"] = rest


def _group(work: Work, pod: Pod, keys: Keys) -> None:
    if not keys.user:
        return
    context = object_at(pod.fields, "securityContext")
    if "fsGroup" not in context:
        pod.fields["securityContext"] = {**context, "fsGroup": keys.user}
        work.say(
            c.SSH_KEYS,
            (),
            f"fsGroup {keys.user} is added to the Pods, so that the user can read the SSH keys",
            remedy="Keep it.",
            severity=Severity.INFO,
        )
