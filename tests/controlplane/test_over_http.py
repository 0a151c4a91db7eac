"""The in-process server over HTTP: how faults look on the wire, watches, and the documents that clients start with.

Needs no real API server.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.inprocess import InProcessServer, faults
from trainergen_controller.inprocess.http import HttpServer

from tests.controlplane.api import Api, NoAnswerError

if TYPE_CHECKING:
    from tests.controlplane.api import Answer

MAPS = "/api/v1/namespaces/team-a/configmaps"
NO_TLS: ssl.SSLContext | None = None


@pytest.fixture
def server() -> InProcessServer:
    return InProcessServer("2.3", bookmark_interval=0.2)


@pytest.fixture
def url(server: InProcessServer) -> Iterator[str]:
    with HttpServer(server) as http:
        yield http.url


@pytest.fixture
def client(url: str) -> Iterator[Api]:
    with Api(url, "", NO_TLS) as api:
        yield api


def config_map(name: str, **labels: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "team-a", "labels": labels}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "1"}}


def created(client: Api, name: str, **labels: str) -> Answer:
    answer = client.request("POST", MAPS, config_map(name, **labels))
    assert answer.code == 201
    return answer


def test_discovery_lists_what_is_served(client: Api) -> None:
    assert "trainer.kubeflow.org" in [one["name"] for one in client.request("GET", "/apis").body["groups"]]
    listed = client.request("GET", "/apis/trainer.kubeflow.org/v1alpha1").body["resources"]
    assert {"trainjobs", "trainjobs/status", "trainingruntimes"} <= {one["name"] for one in listed}
    assert client.request("GET", "/api/v1").body["groupVersion"] == "v1"
    assert client.request("GET", "/api").body["versions"] == ["v1"]
    assert client.request("GET", "/version").body["major"] == "1"
    assert client.request("GET", "/readyz").code == 200
    for path in ("/apis/nothing.example/v1", "/metrics", "/api/v1/pods", "/apis/jobset.x-k8s.io/v1alpha2/a/b/c/d/e"):
        assert client.request("GET", path).code == 404


def test_bodies_may_be_yaml_and_have_to_be_objects(client: Api, url: str) -> None:
    host, port = url.removeprefix("http://").split(":")
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\ndata: {a: '1'}\n"
    assert raw(host, port, "PATCH", f"{MAPS}/y?fieldManager=t&force=1", text).startswith("HTTP/1.1 201")
    assert raw(host, port, "PATCH", f"{MAPS}/y?fieldManager=t&force=1", "a: [").startswith("HTTP/1.1 400")
    assert raw(host, port, "PATCH", f"{MAPS}/y?fieldManager=t&force=1", "[]").startswith("HTTP/1.1 400")
    assert client.request("GET", f"{MAPS}/y").body["data"] == {"a": "1"}


def raw(host: str, port: str, method: str, target: str, body: str) -> str:
    """The beginning of an answer to a request with a YAML body."""
    head = f"{method} {target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/apply-patch+yaml\r\n"
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode())
        return connection.recv(100).decode()


def test_what_cannot_be_done_with_a_collection_is_refused(client: Api) -> None:
    assert client.request("DELETE", MAPS).code == 405
    assert client.request("PUT", f"{MAPS}/a", config_map("b")).code == 400
    assert client.request("PATCH", f"{MAPS}/a", {}, content_type="application/json-patch+json").code == 415
    assert client.request("GET", f"{MAPS}/a/scale").code == 404


def test_refusals_have_their_code_reason_and_time_to_wait(server: InProcessServer, client: Api) -> None:
    server.faults.plan(faults.Refuse(429, retry_after=3), verb="list")
    answer = client.request("GET", MAPS)
    assert (answer.code, answer.body["reason"], answer.headers["Retry-After"]) == (429, "TooManyRequests", "3")
    assert answer.body["details"]["retryAfterSeconds"] == 3
    server.faults.plan(faults.Refuse(503))
    assert client.request("GET", MAPS).body["reason"] == "ServiceUnavailable"
    assert client.request("GET", MAPS).ok


def test_a_connection_that_is_dropped_leaves_open_whether_the_write_was_done(
    server: InProcessServer, client: Api
) -> None:
    for after, code in ((False, 404), (True, 200)):
        server.faults.plan(faults.Drop(after=after), verb="create", name="map")
        with pytest.raises(NoAnswerError):
            client.request("POST", MAPS, config_map("map"))
        assert client.request("GET", f"{MAPS}/map").code == code


def test_answers_hang_are_late_or_are_no_json(server: InProcessServer, client: Api) -> None:
    server.faults.plan(faults.Hang(0.2), verb="list")
    started = time.monotonic()
    with pytest.raises(NoAnswerError):
        client.request("GET", MAPS)
    server.faults.plan(faults.Slow(0.2), verb="list")
    assert client.request("GET", MAPS).ok
    assert time.monotonic() - started >= 0.4
    server.faults.plan(faults.Garble(), verb="list")
    assert client.request("GET", MAPS)[:2] == (502, "<html>502 Bad Gateway</html>")


def test_a_lying_server_answers_from_the_past(server: InProcessServer, client: Api) -> None:
    before = created(client, "map").body
    client.merge_patch(f"{MAPS}/map", {"data": {"a": "2"}})
    server.faults.plan(faults.Stale(int(before["metadata"]["resourceVersion"])), times=2)
    assert client.request("GET", f"{MAPS}/map").body == before
    assert client.request("GET", MAPS).body["items"] == [before]
    assert client.request("GET", f"{MAPS}/map").body["data"] == {"a": "2"}


def test_a_watch_streams_events_and_bookmarks_until_its_time_is_over(client: Api, url: str) -> None:
    created(client, "a")
    with Api(url, "", NO_TLS) as watcher:
        events = list(watcher.watch(MAPS, resourceVersion="0", allowWatchBookmarks="true", timeoutSeconds="1"))
        assert [event["type"] for event in events][:2] == ["ADDED", "BOOKMARK"]
        silent = list(watcher.watch(MAPS, timeoutSeconds="0"))
        assert [event["type"] for event in silent] == ["ADDED"]


def test_a_watch_ends_with_the_server(server: InProcessServer) -> None:
    with HttpServer(server) as http, Api(http.url, "", NO_TLS) as watcher:
        events = watcher.watch(MAPS, allowWatchBookmarks="true", timeoutSeconds="600")
        assert next(events)["type"] == "BOOKMARK"
    assert [event for event in events if event["type"] != "BOOKMARK"] == []


@pytest.mark.parametrize("expired", [False, True])
def test_a_watch_breaks_off_with_and_without_a_word(server: InProcessServer, client: Api, *, expired: bool) -> None:
    created(client, "a")
    server.faults.plan(faults.CutWatch(after=1, expired=expired), verb="watch")
    events = client.watch(MAPS, resourceVersion="0")
    assert next(events)["type"] == "ADDED"
    told = [(event["type"], event["object"]["code"]) for event in events]
    assert told == ([("ERROR", 410)] if expired else [])
    assert client.request("GET", MAPS).ok


def test_a_version_that_is_forgotten_is_told_in_the_stream(server: InProcessServer, client: Api) -> None:
    created(client, "a")
    created(client, "b")
    server.compact()
    (only,) = client.watch(MAPS, resourceVersion="1")
    assert (only["type"], only["object"]["reason"]) == ("ERROR", "Expired")
