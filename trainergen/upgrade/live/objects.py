"""The runtimes and TrainJobs in a cluster: which are whose, in which phase, and what holds them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at, value_at
from trainergen.finding import Severity
from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.upgrade.live import checks
from trainergen.upgrade.live.owners import owners
from trainergen.upgrade.live.reader import CLUSTER_RUNTIMES, RUNTIMES, TRAIN_JOBS
from trainergen.upgrade.live.report import LiveRuntime
from trainergen.upgrade.live.shipped import shipped_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import JsonObject
    from trainergen.upgrade.live.look import Look
    from trainergen.upgrade.live.reader import Resource

IN_USE = "trainer.kubeflow.org/resource-in-use"
_SUPPORT = "trainer.kubeflow.org/support"
FINISHED = ("Complete", "Failed")
_RUNTIME_KINDS = {one.kind: one for one in (CLUSTER_RUNTIMES, RUNTIMES)}
_NAMED = 5


def read_runtimes(look: Look) -> tuple[tuple[LiveRuntime, ...], tuple[JsonObject, ...] | None]:
    """The runtimes, and what of them is the cluster's own; None for the latter when some could not be read."""
    found: list[LiveRuntime] = []
    own: list[JsonObject] = []
    complete = True
    for resource in (CLUSTER_RUNTIMES, RUNTIMES):
        objects = look.served(f"the {resource.kind}s", resource)
        complete = complete and objects is not None
        for obj in objects or ():
            runtime = _runtime(obj, resource, look)
            found.append(runtime)
            if not runtime.shipped or runtime.changed:
                own.append(plain(obj, resource))
            _judge(look, resource, runtime)
    _held(look, found)
    return tuple(found), tuple(own) if complete else None


def _runtime(obj: JsonObject, resource: Resource, look: Look) -> LiveRuntime:
    namespace, name = checks.name_of(obj)
    release, same = "", False
    if resource is CLUSTER_RUNTIMES and any(name in shipped_runtimes(one.name) for one in RELEASES):
        release, same = shipped_by(plain(obj, resource), first=look.old)
    return LiveRuntime(
        kind=resource.kind,
        namespace=namespace,
        name=name,
        shipped=release,
        changed=bool(release) and not same,
        deprecated=text_at(obj, "metadata", "labels", _SUPPORT) == "deprecated",
        in_use=IN_USE in list_at(obj, "metadata", "finalizers"),
        deleting=bool(text_at(obj, "metadata", "deletionTimestamp")),
        owners=owners(obj),
    )


def _judge(look: Look, resource: Resource, one: LiveRuntime) -> None:
    if one.deleting and one.in_use:
        finding = checks.STUCK.at(
            ("metadata", "finalizers"),
            f"the {one.kind} '{one.name}' is being deleted and held by the finalizer {IN_USE}",
            help="Delete the TrainJobs that use it while the controller runs; without one, take the finalizer off.",
        )
        look.say_of(finding, resource, (one.namespace, one.name))
    if one.deprecated:
        finding = checks.DEPRECATED.at(
            ("metadata", "labels"),
            f"the {one.kind} '{one.name}' is labelled as deprecated",
            help="Move its TrainJobs to another runtime before a release leaves it out.",
        )
        look.say_of(finding, resource, (one.namespace, one.name))


def _held(look: Look, runtimes: Iterable[LiveRuntime]) -> None:
    found = list(runtimes)
    names = ["/".join(part for part in (one.namespace, one.name) if part) for one in found if one.in_use]
    if not names:
        return
    finding = checks.IN_USE.at(
        (),
        f"the finalizer {IN_USE} is on {len(names)} of {len(found)} runtimes: {listed(names)}",
        help="Trainer 2.3 takes it off all runtimes once it runs; do not go past 2.3 before none has it any more.",
    )
    if look.old.reconciling.runtime_held:
        # The controller that runs puts it there.
        finding = replace(finding, severity=Severity.INFO)
    look.say(finding)


def read_jobs(look: Look) -> tuple[tuple[tuple[str, int], ...], list[tuple[str, JsonObject]] | None]:
    """How many TrainJobs are in which phase, and each with its phase; None when they could not be read."""
    objects = look.served("the TrainJobs", TRAIN_JOBS)
    if objects is None:
        return (), None
    found = [(phase_of(obj), obj) for obj in objects]
    for phase, obj in found:
        _stored(look, obj, phase)
    counts = Counter(phase for phase, _ in found)
    return tuple(sorted(counts.items())), found


def phase_of(job: JsonObject) -> str:
    """``Complete``, ``Failed``, ``Deleting``, ``Suspended``, ``Running``, or ``Created`` when nothing runs yet."""
    true = {text_at(one, "type") for one in list_at(job, "status", "conditions") if text_at(one, "status") == "True"}
    ended = next((phase for phase in FINISHED if phase in true), "")
    if ended:
        return ended
    if text_at(job, "metadata", "deletionTimestamp"):
        return "Deleting"
    if "Suspended" in true or value_at(job, "spec", "suspend") is True:
        return "Suspended"
    return "Running" if list_at(job, "status", "jobsStatus") or true else "Created"


def _stored(look: Look, job: JsonObject, phase: str) -> None:
    """A text where the target has a number: what is stored is not converted, and its controller reads all TrainJobs."""
    old, new = look.old.behaviours, look.new.behaviours
    words = value_at(job, "spec", "trainer", "numProcPerNode")
    if isinstance(words, str) and old.num_proc_per_node_words and not new.num_proc_per_node_words:
        finding = checks.UNDECODABLE.at(
            ("spec", "trainer", "numProcPerNode"),
            f"the TrainJob is {phase} and stored with numProcPerNode '{words}', a text, which the controller of "
            f"{look.new.name} cannot decode",
            help="Delete it before the upgrade; apply it again with a number, or without.",
        )
        look.say_of(finding, TRAIN_JOBS, job)


def demand_runtimes(look: Look, runtimes: Iterable[LiveRuntime], jobs: Iterable[JsonObject]) -> None:
    """Say which unfinished TrainJobs use a runtime that is not there."""
    there = {(one.kind, one.namespace, one.name) for one in runtimes}
    for job in jobs:
        kind = text_at(job, "spec", "runtimeRef", "kind") or CLUSTER_RUNTIMES.kind
        name = text_at(job, "spec", "runtimeRef", "name")
        namespace = text_at(job, "metadata", "namespace") if kind == RUNTIMES.kind else ""
        if kind in _RUNTIME_KINDS and (kind, namespace, name) not in there:
            finding = checks.RUNTIME_MISSING.at(
                ("spec", "runtimeRef"),
                f"the TrainJob uses the {kind} '{name}', which is not in the cluster",
                help="Apply the runtime first: until then every update of the TrainJob is refused.",
            )
            look.say_of(finding, TRAIN_JOBS, job)


def plain(obj: JsonObject, resource: Resource) -> JsonObject:
    """An object as a manifest would say it: what the server and clients add for themselves is left out."""
    metadata = object_at(obj, "metadata")
    kept: JsonObject = {key: metadata[key] for key in ("name", "namespace", "labels") if key in metadata}
    annotations = {
        key: value
        for key, value in object_at(metadata, "annotations").items()
        if key != "kubectl.kubernetes.io/last-applied-configuration"
    }
    if annotations:
        kept["annotations"] = annotations
    spec = dict(object_at(obj, "spec"))
    patches = [
        {key: value for key, value in one.items() if key != "time"} if isinstance(one, dict) else one
        for one in list_at(spec, "runtimePatches")
    ]
    if patches:
        # The mutating webhook stamps them with a time, which is no part of what was meant.
        spec["runtimePatches"] = list(patches)
    return {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": kept, "spec": spec}


def listed(names: list[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
