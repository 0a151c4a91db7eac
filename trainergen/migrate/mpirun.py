"""The command of an MPI launcher: hosts and slots come from the Trainer, variables have to be forwarded."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.migrate import catalogue as c

if TYPE_CHECKING:
    from trainergen.migrate.pods import Env, Pod
    from trainergen.migrate.work import Work

HOSTFILE = "/etc/mpi/hostfile"
_HOSTFILE_OPTIONS = frozenset({"--hostfile", "-hostfile", "--machinefile", "-machinefile"})
_COUNTS = frozenset({"-np", "-n", "--np", "-c", "--n"})
_ONE_VALUE = frozenset(
    {"-x", "--bind-to", "-bind-to", "--map-by", "-map-by", "-H", "--host", "-host", "-wdir", "--wdir"}
)
_TWO_VALUES = frozenset({"--mca", "-mca", "--gmca", "-gmca"})
PROGRAMS = frozenset({"mpirun", "mpiexec", "orterun", "prterun"})
_SCRIPT_MPIRUN = re.compile(r"\b(mpirun|mpiexec|orterun)\b(?=\s)")


@dataclass(slots=True)
class Mpirun:
    """What the number of processes is by nodes and slots, and which variables the ranks need."""

    processes: int
    forward: list[Env] = field(default_factory=list)


def rewrite_mpi(work: Work, pod: Pod, mpirun: Mpirun) -> None:
    """Rewrite the launcher's command where it is ``mpirun``; say so where it is something else."""
    command, args = pod.texts("command"), pod.texts("args")
    words = [*command, *args]
    where = (*pod.main_path, "args" if args else "command")
    if any("discover_hosts" in word for word in words):
        work.say(
            c.HOROVOD,
            where,
            "elastic Horovod asks for hosts by a script that nothing provides",
            remedy="Accept a fixed size, and start the script with mpirun.",
        )
    at = next((at for at, word in enumerate(words) if word.rsplit("/", 1)[-1] in PROGRAMS), None)
    if at is None:
        _in_script(work, pod, where)
        return
    options = _Options(work, where, mpirun)
    rewritten = [*words[: at + 1], *options.rewrite(words[at + 1 :])]
    split = min(len(command), at + 1) if command else 0
    if len(command) > at + 1 and not args:
        split = len(rewritten)
    pod.main["command"] = list(rewritten[:split])
    pod.main["args"] = list(rewritten[split:])


def _in_script(work: Work, pod: Pod, where: tuple[str | int, ...]) -> None:
    for key in ("command", "args"):
        words = pod.texts(key)
        for at, word in enumerate(words):
            if _SCRIPT_MPIRUN.search(word) and "hostfile" not in word:
                words[at] = _SCRIPT_MPIRUN.sub(rf"\1 --hostfile {HOSTFILE}", word)
                _say_hostfile(work, where)
                pod.main[key] = list(words)
    work.say(
        c.OPAQUE,
        where,
        "the launcher does not start mpirun directly, so its options stay as they are",
        remedy="Check -np, -x and host names in it; the host file is /etc/mpi/hostfile.",
    )


def _say_hostfile(work: Work, where: tuple[str | int, ...]) -> None:
    work.say(
        c.HOSTFILE,
        where,
        f"--hostfile {HOSTFILE} is added: Open MPI 5 ignores the variable that names it",
        remedy="Keep it, or mpirun runs everything on one node without a word.",
    )


class _Options:
    """The options of ``mpirun`` up to the program."""

    def __init__(self, work: Work, where: tuple[str | int, ...], mpirun: Mpirun) -> None:
        self._work = work
        self._where = where
        self._mpirun = mpirun
        self._kept: list[str] = []
        self._at = 0
        self._forward_at: int | None = None
        self._has_hostfile = False
        self._forwarded: set[str] = set()

    def rewrite(self, words: list[str]) -> list[str]:
        """The words behind ``mpirun``."""
        at = 0
        while at < len(words) and words[at].startswith("-"):
            size = 3 if words[at] in _TWO_VALUES else 2 if _takes_value(words[at]) else 1
            self._option(words[at], words[at : at + size])
            at += size
        self._finish()
        return [*self._kept, *words[at:]]

    def _option(self, name: str, words: list[str]) -> None:
        if name in _COUNTS:
            self._count(words)
            return
        if name in _TWO_VALUES and len(words) > 2 and words[1] == "plm_rsh_agent" and "kubexec" in words[2]:
            self._work.say(c.SSH, self._where, "the agent kubexec.sh is taken out of mpirun", remedy="SSH is used.")
            return
        self._has_hostfile = self._has_hostfile or name in _HOSTFILE_OPTIONS
        self._kept += words
        if name == "-x":
            self._forward_at = len(self._kept)
            self._forwarded.add(words[-1].partition("=")[0])
        if name == "--allow-run-as-root" and self._at == len(self._kept) - 1:
            self._at = len(self._kept)

    def _count(self, words: list[str]) -> None:
        asked = words[-1]
        self._at = len(self._kept)
        if asked == str(self._mpirun.processes):
            message = f"{words[0]} {asked} is taken out: it is the number of slots, which is the default"
            self._work.say(c.SLOTS, self._where, message, remedy="Change nodes and slots only.")
            return
        self._kept += words
        message = f"{words[0]} {asked} stays, though nodes and slots make {self._mpirun.processes}"
        self._work.say(c.SLOTS, self._where, message, remedy="Change it together with the nodes.")

    def _finish(self) -> None:
        forwarded: list[str] = []
        for each in self._mpirun.forward:
            name = text_at(each.entry, "name")
            if name in self._forwarded:
                continue
            value = each.entry.get("value")
            forwarded += ["-x", f"{name}={value}"] if isinstance(value, str) else []
            self._say_forwarded(name, isinstance(value, str))
        place = self._forward_at if self._forward_at is not None else self._at
        self._kept[place:place] = forwarded
        if not self._has_hostfile:
            self._kept[self._at : self._at] = ["--hostfile", HOSTFILE]
            _say_hostfile(self._work, self._where)

    def _say_forwarded(self, name: str, known: bool) -> None:
        did = "is forwarded with -x" if known else "is not forwarded, since its value is a reference"
        self._work.say(
            c.FORWARDED,
            self._where,
            f"{name} of the worker container {did}: ranks started over SSH do not inherit it",
            remedy="Forward with -x what ranks need." if known else "Give it to the launcher too, and forward it.",
        )


def _takes_value(name: str) -> bool:
    return name in _ONE_VALUE or name in _COUNTS or name in _HOSTFILE_OPTIONS
