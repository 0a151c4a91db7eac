"""Watches of the in-process server show what those of a real API server show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.inprocess.http import HttpServer

from tests.controlplane.api import Api

if TYPE_CHECKING:
    from tests.controlplane.server import ControlPlane

NAMESPACE = "watching"
MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"


@pytest.fixture
def own() -> Iterator[Api]:
    with HttpServer(InProcessServer("2.3", implicit_namespaces=False)) as http, Api(http.url, "", None) as api:
        yield api


def config_map(name: str, **labels: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": NAMESPACE, "labels": labels}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "1"}}


def seen(api: Api, **query: str) -> list[tuple[str, str, Any]]:
    """Type, name and labels of the events of a short life, from its beginning on."""
    api.request(
        "POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    )
    start = api.request("GET", MAPS).body["metadata"]["resourceVersion"]
    api.request("POST", MAPS, config_map("a", x="1"))
    api.request("POST", MAPS, config_map("b", x="2"))
    api.merge_patch(f"{MAPS}/a", {"data": {"a": "2"}})
    api.merge_patch(f"{MAPS}/a", {"metadata": {"labels": {"x": "2"}}})
    api.merge_patch(f"{MAPS}/b", {"metadata": {"labels": {"x": "1"}}})
    api.merge_patch(f"{MAPS}/b", {"data": {"a": "1"}})
    api.merge_patch(f"{MAPS}/b", {"metadata": {"finalizers": ["a.b/c"]}})
    api.request("DELETE", f"{MAPS}/b")
    api.merge_patch(f"{MAPS}/b", {"metadata": {"finalizers": None}})
    api.request("DELETE", f"{MAPS}/a")
    api.request("POST", MAPS, config_map("a", x="1"))
    api.request("DELETE", f"{MAPS}/a")
    events = api.watch(MAPS, resourceVersion=start, timeoutSeconds="2", **query)
    told = [(event["type"], event["object"]["metadata"]) for event in events]
    return [
        (kind, metadata["name"], metadata.get("labels")) for kind, metadata in told if metadata["name"] in ("a", "b")
    ]


@pytest.mark.parametrize("query", [{}, {"labelSelector": "x=1"}, {"labelSelector": "x!=1"}])
def test_both_servers_tell_the_same_events(control_plane: ControlPlane, own: Api, query: dict[str, str]) -> None:
    with control_plane.api() as real:
        assert seen(own, **query) == seen(real, **query)
