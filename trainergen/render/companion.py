"""The frame of every object that is rendered: name, namespace, and the TrainJob as its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.structural import API_VERSION
from trainergen.render.model import plugin_origin
from trainergen.render.provenance import Origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import TrainJob
    from trainergen.render.provenance import Trace


def framed(job: TrainJob, trace: Trace, maker: str, *, kind: tuple[str, str], name: str) -> JsonObject:
    """An object of ``kind`` (API version and kind) that the plugin ``maker`` makes for ``job``, without content yet."""
    owner: JsonObject = {
        "apiVersion": API_VERSION,
        "blockOwnerDeletion": True,
        "controller": True,
        "kind": "TrainJob",
        "name": job.name,
        "uid": job.uid,
    }
    metadata: JsonObject = {"name": name, "namespace": job.namespace, "ownerReferences": [owner]}
    made: JsonObject = {"apiVersion": kind[0], "kind": kind[1], "metadata": metadata}
    trace.whole(made, plugin_origin(maker))
    own_name = Origin("trainjob", ("metadata", "name"))
    trace.field(metadata, "name", own_name if name == job.name else plugin_origin(maker, "metadata", "name"))
    trace.field(metadata, "namespace", job.metadata_origin("namespace"))
    trace.whole(owner, Origin("controller", (), "owner"))
    trace.field(owner, "name", own_name)
    trace.field(owner, "uid", job.metadata_origin("uid"))
    return made
