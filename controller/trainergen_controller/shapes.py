"""What of each object the cache keeps, and by what it is found: the rest would only cost memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.api.structural import GROUP
from trainergen.render.runtime import CLUSTER_RUNTIME
from trainergen.render.trainjobstatus import CA_SECRET
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAIN_JOB

if TYPE_CHECKING:
    from trainergen_controller.client import Object

OWNER, RUNTIME = "owner", "runtime"
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


def runtime_term(kind: str, namespace: str, name: str) -> str:
    """How a runtime is named in the index of TrainJobs."""
    return f"{kind}/{'' if kind == CLUSTER_TRAINING_RUNTIME.kind else namespace}/{name}"


def by_runtime(job: Object) -> Iterator[str]:
    """The runtime a TrainJob refers to."""
    reference = (job.get("spec") or {}).get("runtimeRef") or {}
    kind, name = str(reference.get("kind") or CLUSTER_RUNTIME), str(reference.get("name") or "")
    yield runtime_term(kind, job["metadata"].get("namespace", ""), name)
