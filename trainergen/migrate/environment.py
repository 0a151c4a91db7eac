"""Environment variables: those of the user that had no effect or would have another, and those that scripts miss."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trainergen.api.access import text_at
from trainergen.migrate import catalogue as c
from trainergen.migrate.pods import Env

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from trainergen.finding import JsonObject
    from trainergen.migrate.pods import Pod
    from trainergen.migrate.work import Work

JOBSET: Final = "$(JOBSET_NAME)"
_INDEX: Final = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
TORCH_RESERVED: Final = frozenset(
    {"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"}
)
XGBOOST_RESERVED: Final = frozenset({"DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"})
_LOCAL: Final = frozenset({"LOCAL_RANK", "LOCAL_WORLD_SIZE", "NODE_RANK", "GROUP_RANK"})
_LATER = re.compile(r"\$\((MASTER_ADDR|MASTER_PORT|RANK|WORLD_SIZE|PET_[A-Z_]+)\)")


def literal(name: str, value: str) -> JsonObject:
    """A variable with a value."""
    return {"name": name, "value": value}


def from_field(name: str, path: str) -> JsonObject:
    """A variable whose value is a field of the Pod."""
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}


def jobset_name() -> JsonObject:
    """The name of the JobSet, which host names start with; known only in the cluster where names are generated."""
    return from_field("JOBSET_NAME", "metadata.labels['jobset.sigs.k8s.io/jobset-name']")


def completion_index(name: str) -> JsonObject:
    """The index of the node."""
    return from_field(name, _INDEX)


def host(job: str, index: int) -> str:
    """The address of a node of a replicated job."""
    return f"{JOBSET}-{job}-0-{index}.{JOBSET}"


def rendezvous(nodes: int, *, port: int, world: int, rank: JsonObject | None = None) -> list[JsonObject]:
    """What the Training Operator gave a script that reads ``MASTER_ADDR``, ``RANK`` and the like."""
    if nodes == 1:
        return [
            literal("MASTER_ADDR", "localhost"),
            literal("MASTER_PORT", str(port)),
            literal("WORLD_SIZE", str(world)),
            literal("RANK", "0"),
        ]
    return [
        jobset_name(),
        literal("MASTER_ADDR", host("node", 0)),
        literal("MASTER_PORT", str(port)),
        literal("WORLD_SIZE", str(world)),
        rank or completion_index("RANK"),
    ]


def with_added(work: Work, env: Iterable[Env], added: Iterable[JsonObject], *, unbuffered: bool = True) -> list[Env]:
    """The user's variables, then those of the migration; what is to replace a variable takes its name away first."""
    extra = list(added)
    names = {str(entry["name"]) for entry in extra}
    kept = [each for each in env if text_at(each.entry, "name") not in names]
    out = [*kept, *(Env(entry) for entry in extra)]
    if unbuffered and not any(text_at(each.entry, "name") == "PYTHONUNBUFFERED" for each in out):
        out.append(Env(literal("PYTHONUNBUFFERED", "1")))
        work.say(
            c.UNBUFFERED,
            (),
            "PYTHONUNBUFFERED=1 is added, as the Training Operator did",
            remedy="Leave it: without it the logs come late.",
        )
    return out


def _drop(pod: Pod, wanted: Callable[[str], bool], report: Callable[[Env, str], None]) -> None:
    """Take variables out of a Pod's environment and report each."""
    kept: list[Env] = []
    for each in pod.env:
        name = text_at(each.entry, "name")
        if wanted(name):
            report(each, name)
        else:
            kept.append(each)
    pod.env = kept


def drop_reserved(work: Work, pod: Pod, names: frozenset[str]) -> None:
    """Take out what the target's webhook refuses."""

    def report(each: Env, name: str) -> None:
        value = text_at(each.entry, "value")
        work.say(
            c.RESERVED,
            each.source or (),
            f"{name}='{value}' is removed: the runtime sets it, and the webhook refuses it",
            remedy="Use numNodes and numProcPerNode.",
        )

    _drop(pod, names.__contains__, report)


def drop_overridden(work: Work, pod: Pod, effective: Mapping[str, str]) -> None:
    """Take out what the Training Operator replaced by the ``effective`` values anyway."""

    def report(each: Env, name: str) -> None:
        value = text_at(each.entry, "value") or "a reference"
        was = effective[name]
        also = "" if value == was else f"; it really was {was}"
        work.say(
            c.OVERRIDDEN,
            each.source or (),
            f"{name}='{value}' is removed: the Training Operator replaced it{also}",
            remedy="Check what reads it.",
        )

    _drop(pod, effective.__contains__, report)


def judge_torch(work: Work, pod: Pod, *, torchrun: bool) -> None:
    """Variables of torchrun that were set by hand, and values that were never expanded."""
    for each in list(pod.env):
        name, value = text_at(each.entry, "name"), text_at(each.entry, "value")
        source = each.source or ()
        if name in _LOCAL:
            if torchrun:
                pod.env.remove(each)
            what = "is removed: torchrun sets it" if torchrun else "is kept, and nothing else sets it"
            work.say(c.LOCAL_RANK, source, f"{name}='{value}' {what}", remedy="Check what reads it.")
        elif _LATER.search(value):
            work.say(
                c.NEVER_EXPANDED,
                source,
                f"{name} is '{value}', whose variables are set after it, so that they are never expanded",
                remedy="Compose the value in the script.",
            )


class HostNames:
    """Finds host names of the legacy job in texts and writes those of the JobSet.

    ``jobs`` gives for each role in lower case the replicated job and the index of the role's first Pod in it.
    """

    def __init__(self, work: Work, jobs: Mapping[str, tuple[str, int]]) -> None:
        self._work = work
        self._jobs = jobs
        name = re.escape(work.job.name)
        roles = "|".join(jobs)
        self._pattern = (
            re.compile(rf"(?<![\w.-]){name}-({roles})-([0-9]+)(?:\.{name}(?![\w-]))?(?![\w-])")
            if (name and roles)
            else None
        )
        self._bare = re.compile(rf"(?<![\w.-]){name}-launcher(?![\w-])") if name and "launcher" in jobs else None

    def rewrite(self, text: str, source: tuple[str | int, ...]) -> str:
        """The text with host names of the JobSet."""
        if self._pattern is None:
            return text
        new = self._pattern.sub(self._address, text)
        if self._bare is not None:
            name = self._work.job.name
            new = self._bare.sub(f"{name}-launcher-0-0.{name}", new)
        if new != text:
            self._work.say(
                c.HOST_NAME,
                source,
                f"'{text}' names a host of the legacy job, and becomes '{new}'",
                remedy="The name is good for this job's name only; compose it from JOBSET_NAME where names vary.",
            )
        return new

    def _address(self, match: re.Match[str]) -> str:
        job, offset = self._jobs[match[1]]
        name = self._work.job.name
        return f"{name}-{job}-0-{offset + int(match[2])}.{name}"

    def apply(self, pod: Pod) -> None:
        """Rewrite variables, command and arguments of a Pod's training container."""
        for each in pod.env:
            value = each.entry.get("value")
            if isinstance(value, str):
                each.entry["value"] = self.rewrite(value, each.source or ())
        for key in ("command", "args"):
            words = pod.main.get(key)
            if isinstance(words, list):
                pod.main[key] = [
                    self.rewrite(word, (*pod.main_path, key, at)) if isinstance(word, str) else word
                    for at, word in enumerate(words)
                ]
