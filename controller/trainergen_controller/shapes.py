"""What of each object the cache keeps, and by what it is found: the rest would only cost memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen.api.structural import GROUP
from trainergen.render.runtime import CLUSTER_RUNTIME
from trainergen.render.trainjobstatus import CA_SECRET
from trainergen_controller.cache.store import Key
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAIN_JOB, TRAINING_RUNTIME

if TYPE_CHECKING:
    from trainergen_controller.cache.store import Change
    from trainergen_controller.client import Object
    from trainergen_controller.kinds import ApiKind

RUNTIME, OWNER = "runtime", "owner"
RUNTIMES = (TRAINING_RUNTIME, CLUSTER_TRAINING_RUNTIME)
SNAPSHOT, HOSTFILE, FLUX_SCRIPTS, AUTHORITY = "-runtime-snapshot", "-mpi-hostfile", "-flux-entrypoint", "-tls-config"
SSH_KEYS, FLUX_CURVE = "-mpi-ssh-auth", "-flux-curve"
CONFIG_MAPS = (SNAPSHOT, HOSTFILE, FLUX_SCRIPTS, AUTHORITY)
SECRETS = (SSH_KEYS, FLUX_CURVE)
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def plain_object(found: Object) -> Object:
    """Without who manages which field and what kubectl once applied."""
    metadata = {key: value for key, value in found["metadata"].items() if key != "managedFields"}
    if _LAST_APPLIED in (metadata.get("annotations") or {}):
        metadata["annotations"] = {k: v for k, v in metadata["annotations"].items() if k != _LAST_APPLIED}
    return {**found, "metadata": metadata}


def managed_object(found: Object) -> Object:
    """With its managed fields: an apply that would change nothing is known by them, and so is drift."""
    return found


def config_map(found: Object) -> Object | None:
    """Only what belongs to a TrainJob, or lies where something of one belongs."""
    return found if owner_of(found) or found["metadata"]["name"].endswith(CONFIG_MAPS) else None


def secret(found: Object) -> Object | None:
    """Of others' Secrets at the places of ours only that they exist; none but those is kept."""
    name = found["metadata"]["name"]
    if name == CA_SECRET or (owner_of(found) and not name.endswith(SSH_KEYS)):
        return found
    if owner_of(found) or name.endswith(SECRETS):
        return {key: value for key, value in found.items() if key not in ("data", "stringData")}
    return None


def owner_of(found: Object) -> str:
    """The name of the TrainJob that controls an object, empty if none does."""
    for reference in found["metadata"].get("ownerReferences") or ():
        group = str(reference.get("apiVersion", "")).partition("/")[0]
        if reference.get("controller") and (group, reference.get("kind")) == (GROUP, TRAIN_JOB.kind):
            return str(reference.get("name", ""))
    return ""


def by_owner(found: Object) -> Iterator[str]:
    """The TrainJob that controls an object."""
    if owner := owner_of(found):
        yield owner


def owners_of(change: Change) -> list[Key]:
    """The TrainJobs that control an object, before and after it changed."""
    return [Key(change.key.namespace, owner) for owner in sorted(change.terms(OWNER))]


def runtime_place(job: Object) -> tuple[ApiKind, Key] | None:
    """Kind and place of the runtime that a TrainJob refers to; None if it is of no kind of the Trainer."""
    reference = object_at(job, "spec", "runtimeRef")
    name, wanted = text_at(reference, "name"), text_at(reference, "kind") or CLUSTER_RUNTIME
    if not name or reference.get("apiGroup", GROUP) != GROUP:
        return None
    for kind in RUNTIMES:
        if kind.kind == wanted:
            return kind, Key(text_at(job, "metadata", "namespace") if kind.namespaced else "", name)
    return None


def runtime_term(kind: ApiKind, key: Key) -> str:
    """How a runtime is named in the index of TrainJobs."""
    return f"{kind.kind}/{key.namespace}/{key.name}"


def by_runtime(job: Object) -> Iterator[str]:
    """The runtime a TrainJob refers to."""
    if (place := runtime_place(job)) is not None:
        yield runtime_term(*place)
