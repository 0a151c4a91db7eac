"""Objects and servers that the tests of this folder share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from trainergen_controller.inprocess import InProcessServer

if TYPE_CHECKING:
    from trainergen_controller.client import Object

NAMESPACE = "team-a"
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def server(release: str = "2.3", **options: Any) -> InProcessServer:
    """A server whose clock stands still."""
    return InProcessServer(release, clock=lambda: MOMENT, **options)


def train_job(name: str = "job", **spec: Any) -> Object:
    """A TrainJob."""
    metadata = {"name": name, "namespace": NAMESPACE}
    body = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": metadata}
    return {**body, "spec": {"runtimeRef": {"name": "torch-distributed"}, **spec}}


def config_map(name: str = "map", *, owners: tuple[Object, ...] = (), **data: str) -> Object:
    """A ConfigMap that belongs to some objects."""
    references = [
        {
            "apiVersion": owner["apiVersion"],
            "kind": owner["kind"],
            "name": owner["metadata"]["name"],
            "uid": owner["metadata"]["uid"],
            "blockOwnerDeletion": True,
        }
        for owner in owners
    ]
    metadata: Object = {"name": name, "namespace": NAMESPACE}
    if references:
        metadata["ownerReferences"] = references
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
