"""Why an upgrade changes what is rendered: the facts of the releases, told by where a change is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from trainergen.diff.change import Impact, Kind

if TYPE_CHECKING:
    from trainergen.diff.change import Change
    from trainergen.finding import ObjectRef
    from trainergen.releases import Release

MERGED = "resourcesPerNode is laid over the runtime's resources instead of replacing them"


class _Fact(NamedTuple):
    """``differs`` tells whether the two releases differ in this, ``fits`` whether a change is of this kind."""

    text: str
    differs: Callable[[Release, Release], bool]
    fits: Callable[[ObjectRef, Change], bool]


def _has(*steps: str) -> Callable[[ObjectRef, Change], bool]:
    return lambda _, change: any(step in change.path for step in steps)


def _named(kind: str, suffix: str) -> Callable[[ObjectRef, Change], bool]:
    return lambda ref, _: ref.kind == kind and ref.name.endswith(suffix)


def _flips(name: str) -> Callable[[Release, Release], bool]:
    return lambda old, new: getattr(old.rendering, name) != getattr(new.rendering, name)


_FACTS = (
    _Fact(
        "the runtime is kept in a ConfigMap at the first reconcile",
        _flips("runtime_snapshot"),
        _named("ConfigMap", "-runtime-snapshot"),
    ),
    _Fact(MERGED, _flips("resources_merged"), _has("resources")),
    _Fact(
        "PodGroups count resources differently", _flips("pod_group_resources"), lambda ref, _: ref.kind == "PodGroup"
    ),
    _Fact(
        "the number of processes is counted by other rules",
        _flips("torch_policy_has_processes"),
        _has("PET_NPROC_PER_NODE"),
    ),
    _Fact(
        "the number of processes is counted by other rules",
        _flips("torch_asks_requests_last"),
        _has("PET_NPROC_PER_NODE"),
    ),
    _Fact("the SSH keys get file modes", _flips("mpi_key_modes"), _has("defaultMode", "mode", "mpi-ssh-auth")),
    _Fact("slots are counted from GPUs", _flips("mpi_slots_from_gpus"), _named("ConfigMap", "-mpi-hostfile")),
    _Fact("the host file lists every replica", _flips("endpoints_of_replicas"), _named("ConfigMap", "-mpi-hostfile")),
    _Fact(
        "workers of MPI get the environment and resources of the trainer",
        _flips("mpi_workers_take_trainer"),
        _has("env", "resources"),
    ),
    _Fact(
        "Flux gets shared memory and another resource file",
        _flips("flux_shared_memory"),
        _named("ConfigMap", "-flux-entrypoint"),
    ),
    _Fact(
        "Flux gets shared memory and another resource file",
        _flips("flux_shared_memory"),
        _has("shared-memory", "/dev/shm"),
    ),
    _Fact(
        "an empty podGroupPolicy no longer labels the Pods",
        _flips("coscheduling_label_always"),
        _has("scheduling.x-k8s.io/pod-group"),
    ),
    _Fact(
        "node counts are written to every trainer job, or by name",
        _flips("count_for_every_trainer"),
        _has("parallelism", "completions"),
    ),
)


def reason_of(ref: ObjectRef, change: Change, old: Release, new: Release) -> str:
    """Why a change comes with the upgrade; the words of the comparison where no fact of the releases fits."""
    for fact in _FACTS:
        if fact.differs(old, new) and fact.fits(ref, change):
            return fact.text
    if change.impact is Impact.COSMETIC:
        return change.reason
    if change.origin.startswith(("ClusterTrainingRuntime", "TrainingRuntime", "runtime")):
        return f"it comes from the {change.origin}"
    if change.kind is Kind.ORDER:
        return "the order is another one"
    return change.reason
