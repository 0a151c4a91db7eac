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

PLACEHOLDER_UID = "11111111-2222-4333-8444-555555555555"
"""The uid of a TrainJob that has none because it never was in a cluster."""


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
    trace.field(metadata, "name", Origin("trainjob", ("metadata", "name")))
    trace.field(metadata, "namespace", Origin("trainjob", ("metadata", "namespace")))
    trace.whole(owner, Origin("controller", (), "owner"))
    trace.field(owner, "name", Origin("trainjob", ("metadata", "name")))
    trace.field(owner, "uid", Origin("trainjob", ("metadata", "uid")))
    return made
