"""The client for real servers: answers, refusals and broken connections become values and errors of ours."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import kubernetes.client
import pytest
from trainergen_controller.errors import (
    AlreadyExistsError,
    ApiError,
    ConflictError,
    GoneError,
    NotFoundError,
    TooManyRequestsError,
    UnavailableError,
)
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, CONFIG_MAP, JOB_SET
from trainergen_controller.kubernetes_client import KubernetesClient

from tests.controller.scripted import thing

pytestmark = pytest.mark.enable_socket


class Server:
    """Answers every request with what the test last said, and keeps the requests."""

    def __init__(self) -> None:
        self.code = 200
        self.headers: dict[str, str] = {}
        self.chunks: list[bytes | float] = [b"{}"]
        self.whole = True
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 10

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.requests.append((self.command, self.path, dict(self.headers), body))
                self.send_response(outer.code)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for chunk in outer.chunks:
                    if isinstance(chunk, float):
                        time.sleep(chunk)
                    else:
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                        self.wfile.flush()
                if outer.whole:
                    self.wfile.write(b"0\r\n\r\n")
                self.close_connection = not outer.whole

            def log_message(self, *args: object) -> None:
                pass

        for verb in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            setattr(Handler, f"do_{verb}", Handler.handle_any)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def says(self, *chunks: Any, code: int = 200, **headers: str) -> None:
        self.code, self.headers = code, headers
        self.chunks = [chunk if isinstance(chunk, bytes | float) else json.dumps(chunk).encode() for chunk in chunks]

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def client(self, timeout: float = 5.0) -> KubernetesClient:
        configuration = kubernetes.client.Configuration()
        configuration.host = self.url
        configuration.api_key = {"authorization": "Bearer secret-token"}
        return KubernetesClient(configuration, timeout=timeout)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def status(code: int, reason: str, **details: Any) -> dict[str, Any]:
    return {"kind": "Status", "code": code, "reason": reason, "message": f"because of {reason}", "details": details}


def test_an_object_is_asked_for_at_its_path_with_the_token(server: Server) -> None:
    server.says(thing("one", 1))
    assert server.client().get(CONFIG_MAP, "one", "team-a") == thing("one", 1)
    method, path, headers, _ = server.requests[0]
    assert (method, path) == ("GET", "/api/v1/namespaces/team-a/configmaps/one")
    assert headers["authorization"] == "Bearer secret-token"


def test_an_apply_names_its_manager_and_its_force(server: Server) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one", "namespace": "team-a"}}
    server.client().apply(CONFIG_MAP, body, manager="trainer", force=True, dry_run=True)
    method, path, headers, sent = server.requests[0]
    assert (method, path) == (
        "PATCH",
        "/api/v1/namespaces/team-a/configmaps/one?fieldManager=trainer&force=true&dryRun=All",
    )
    assert headers["Content-Type"] == "application/apply-patch+yaml"
    assert json.loads(sent) == body


def test_a_status_is_patched_at_its_subresource(server: Server) -> None:
    server.client().merge_patch(JOB_SET, "one", "team-a", {"status": {}}, subresource="status")
    method, path, headers, _ = server.requests[0]
    assert (method, path) == ("PATCH", "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets/one/status")
    assert headers["Content-Type"] == "application/merge-patch+json"


def test_a_deletion_of_one_very_object_names_its_uid(server: Server) -> None:
    server.client().delete(CLUSTER_TRAINING_RUNTIME, "torch", uid="u-1")
    method, path, _, sent = server.requests[0]
    assert (method, path) == ("DELETE", "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/torch")
    assert json.loads(sent)["preconditions"] == {"uid": "u-1"}


def test_a_list_gives_its_items_their_kind_and_its_token(server: Server) -> None:
    server.says({"metadata": {"resourceVersion": "7", "continue": "more"}, "items": [{"metadata": {"name": "a"}}]})
    page = server.client().list(JOB_SET, limit=1)
    assert page.items == [{"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "a"}}]
    assert (page.resource_version, page.continue_token) == ("7", "more")


def test_a_list_without_items_is_empty(server: Server) -> None:
    server.says({"metadata": {"resourceVersion": "7"}, "items": None})
    assert server.client().list(JOB_SET).items == []


@pytest.mark.parametrize(
    ("code", "reason", "error"),
    [
        (404, "NotFound", NotFoundError),
        (409, "AlreadyExists", AlreadyExistsError),
        (409, "Conflict", ConflictError),
        (410, "Expired", GoneError),
        (500, "InternalError", ApiError),
    ],
)
def test_refusals_are_told_apart(server: Server, code: int, reason: str, error: type[ApiError]) -> None:
    server.says(status(code, reason), code=code)
    with pytest.raises(error, match=f"because of {reason}") as raised:
        server.client().get(CONFIG_MAP, "one", "team-a")
    assert (raised.value.code, raised.value.reason) == (code, reason)


def test_a_busy_server_says_how_long_to_wait(server: Server) -> None:
    server.says(status(429, "TooManyRequests"), code=429, **{"Retry-After": "13"})
    with pytest.raises(TooManyRequestsError) as raised:
        server.client().get(CONFIG_MAP, "one", "team-a")
    assert raised.value.retry_after == 13.0


def test_a_refusal_that_is_no_status_is_one_all_the_same(server: Server) -> None:
    server.says(b"<html>bad gateway</html>", code=502)
    with pytest.raises(ApiError, match="status code 502"):
        server.client().get(CONFIG_MAP, "one", "team-a")


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b""])
def test_an_answer_that_is_no_object_is_no_answer(server: Server, answer: bytes) -> None:
    server.says(answer)
    server.chunks = [chunk for chunk in server.chunks if chunk]
    with pytest.raises(UnavailableError):
        server.client().get(CONFIG_MAP, "one", "team-a")


def test_a_server_that_does_not_answer_in_time_is_no_answer(server: Server) -> None:
    server.says(1.0, thing("one", 1))
    with pytest.raises(UnavailableError):
        server.client(timeout=0.2).get(CONFIG_MAP, "one", "team-a")


def test_nobody_listening_is_no_answer() -> None:
    configuration = kubernetes.client.Configuration()
    configuration.host = "http://127.0.0.1:9"
    with pytest.raises(UnavailableError):
        KubernetesClient(configuration, timeout=1.0).get(CONFIG_MAP, "one", "team-a")


def event(kind: str, name: str, version: int) -> bytes:
    return json.dumps({"type": kind, "object": thing(name, version)}).encode() + b"\n"


def watched(client: KubernetesClient) -> Iterator[tuple[str, str]]:
    for each in client.watch(CONFIG_MAP, "team-a", resource_version="5", timeout=2.0):
        yield each.type, each.object["metadata"].get("name", "")


def test_a_watch_asks_from_a_version_with_bookmarks(server: Server) -> None:
    server.says(event("ADDED", "a", 6))
    assert list(watched(server.client())) == [("ADDED", "a")]
    query = server.requests[0][1].partition("?")[2]
    assert query == "watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=2"


def test_an_event_may_come_in_pieces_and_several_in_one(server: Server) -> None:
    first, rest = event("ADDED", "a", 6)[:20], event("ADDED", "a", 6)[20:]
    server.says(first, rest + event("MODIFIED", "a", 7) + event("DELETED", "a", 8))
    assert [kind for kind, _ in watched(server.client())] == ["ADDED", "MODIFIED", "DELETED"]


def test_an_event_that_is_cut_off_is_none_and_the_watch_was_cut(server: Server) -> None:
    server.says(event("ADDED", "a", 6), event("MODIFIED", "a", 7)[:30])
    server.whole = False
    watch = watched(server.client())
    assert next(watch) == ("ADDED", "a")
    with pytest.raises(UnavailableError):
        next(watch)


def test_an_error_in_the_stream_is_raised(server: Server) -> None:
    gone = {"type": "ERROR", "object": status(410, "Expired")}
    server.says(event("ADDED", "a", 6), json.dumps(gone).encode() + b"\n")
    watch = watched(server.client())
    assert next(watch) == ("ADDED", "a")
    with pytest.raises(GoneError):
        next(watch)


def test_closing_ends_a_watch_that_waits(server: Server) -> None:
    server.says(event("ADDED", "a", 6), 20.0)
    client = server.client()
    watch = watched(client)
    assert next(watch) == ("ADDED", "a")
    threading.Timer(0.2, client.close).start()
    began = time.monotonic()
    with pytest.raises((UnavailableError, StopIteration)):
        next(watch)
    assert time.monotonic() - began < 10


def test_a_rotated_token_is_used_at_once_after_the_old_one_was_refused(server: Server) -> None:
    configuration = kubernetes.client.Configuration()
    configuration.host = server.url
    configuration.api_key = {"authorization": "Bearer old"}
    client = KubernetesClient(configuration)
    server.says(thing("one", 1))
    client.get(CONFIG_MAP, "one", "team-a")
    configuration.api_key = {"authorization": "Bearer new"}
    client.get(CONFIG_MAP, "one", "team-a")
    server.says(status(401, "Unauthorized"), code=401)
    with pytest.raises(ApiError):
        client.get(CONFIG_MAP, "one", "team-a")
    server.says(thing("one", 1))
    client.get(CONFIG_MAP, "one", "team-a")
    used = [request[2]["authorization"] for request in server.requests]
    assert used == ["Bearer old", "Bearer old", "Bearer old", "Bearer new"]


def test_a_name_is_one_step_of_the_path_whatever_it_is(server: Server) -> None:
    client = server.client()
    for name in ("../namespaces/other/trainingruntimes/rt", "..", "a?b=c#d"):
        client.get(CLUSTER_TRAINING_RUNTIME, name)
    collection = "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/"
    assert [path.removeprefix(collection) for _, path, _, _ in server.requests] == [
        "..%2Fnamespaces%2Fother%2Ftrainingruntimes%2Frt",
        "%2E%2E",
        "a%3Fb%3Dc%23d",
    ]
