"""The snapshot of a runtime: a ConfigMap written at the first reconcile and read at every later one.

Source: kubeflow/trainer pkg/runtime/core/snapshot.go @ v2.3.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.decode import plain
from trainergen.render.cluster import api_group
from trainergen.render.companion import framed
from trainergen.render.errors import RenderError

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.cluster import Cluster
    from trainergen.render.model import TrainJob
    from trainergen.render.provenance import Origin, Trace

MAKER = "snapshot"
KEY = "runtime"
_DELETE = "Delete the ConfigMap; the controller then takes a new snapshot of the runtime as it is."


def snapshot_name(job: TrainJob) -> str:
    """The name of the ConfigMap."""
    return f"{job.name}-runtime-snapshot"


def snapshot_of(runtime: JsonObject, job: TrainJob, trace: Trace, origin: Origin) -> JsonObject:
    """The ConfigMap that keeps ``runtime``."""
    from trainergen.render.snapshot_text import yaml_text

    made = framed(job, trace, MAKER, kind=("v1", "ConfigMap"), name=snapshot_name(job))
    data: JsonObject = {KEY: yaml_text(runtime)}
    trace.field(data, KEY, origin)
    made["data"] = data
    return made


def kept_runtime(cluster: Cluster, job: TrainJob) -> Mapping[str, Any] | None:
    """The runtime that the TrainJob's snapshot holds, None without a snapshot; raises RenderError if it is unusable."""
    found = cluster.get("", "ConfigMap", snapshot_name(job), job.namespace)
    if found is None:
        return None
    snapshot = plain(found)
    name = snapshot_name(job)
    owners = [owner for owner in list_at(snapshot, "metadata", "ownerReferences") if object_at(owner).get("controller")]
    owner = text_at(owners[0], "uid") if owners else ""
    if owner != job.uid:
        raise RenderError(
            f"the ConfigMap '{name}' is not owned by this TrainJob, so the controller refuses to use or replace it",
            help="Delete the ConfigMap, or wait until that of an earlier TrainJob of this name is gone.",
        )
    if KEY not in object_at(snapshot, "data"):
        raise RenderError(f"the snapshot '{name}' has no key '{KEY}'", help=_DELETE)
    runtime = _parsed(text_at(snapshot, "data", KEY))
    if runtime is None:
        raise RenderError(f"the snapshot '{name}' is no runtime in YAML", help=_DELETE)
    _check_reference(runtime, job, name)
    return runtime


@lru_cache(maxsize=256)
def _parsed(text: str) -> JsonObject | None:
    """Jobs that were created under the same version of a runtime keep the same text; nobody changes what is read."""
    # Only a snapshot in the cluster is text, so YAML is loaded for it alone.
    from trainergen.source.reader import read_documents

    result = read_documents(text.encode(), file="")
    values = [document.value for document in result.documents]
    return values[0] if len(values) == 1 and isinstance(values[0], dict) and not result.failures else None


def _check_reference(runtime: JsonObject, job: TrainJob, name: str) -> None:
    reference = object_at(job.spec, "runtimeRef")
    kept = (text_at(runtime, "kind"), api_group(text_at(runtime, "apiVersion")), text_at(runtime, "metadata", "name"))
    wanted = (text_at(reference, "kind"), text_at(reference, "apiGroup"), text_at(reference, "name"))
    if kept != wanted:
        raise RenderError(
            f"the snapshot '{name}' holds {_words(kept)}, but the TrainJob refers to {_words(wanted)}", help=_DELETE
        )


def _words(reference: tuple[str, str, str]) -> str:
    kind, group, name = reference
    return f"{kind}.{group} '{name}'"
