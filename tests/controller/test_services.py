"""Webhook and status server in one process: over TLS with certificates of our own, in time, and ended in order."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from trainergen_controller.caches import Caches
from trainergen_controller.clocks import SystemClock
from trainergen_controller.errors import UnavailableError
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, SECRET, TOKEN_REVIEW, TRAIN_JOB, ApiKind
from trainergen_controller.metrics import Metrics
from trainergen_controller.services import Services, ServingError
from trainergen_controller.serving.issuing import issue
from trainergen_controller.settings import OIDC, Serving, Settings
from trainergen_controller.statusserver import audience

from tests.controller.scripted import StoredClient

pytestmark = pytest.mark.enable_socket

ANY = ("127.0.0.1", 0)
NAME = "trainergen-controller.kubeflow-system.svc"
VALIDATE = "/validate-trainer-kubeflow-org-v1alpha1-trainjob"
REPORT = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/job/status"
GATE = {"TrainJobStatus": True}


class Server(StoredClient):
    """Reviews tokens, of which ``good`` is, and takes applied status."""

    def __init__(self) -> None:
        super().__init__()
        self.reported: list[Any] = []

    def create(self, kind: ApiKind, body: Any, namespace: str = "", **options: Any) -> Any:
        if kind != TOKEN_REVIEW:
            return super().create(kind, body, namespace)
        wanted = audience("team-a", "job")
        good = body["spec"] == {"token": "good", "audiences": [wanted]}
        user = {"username": "system:serviceaccount:team-a:default"}
        return {"status": {"authenticated": good, "audiences": [wanted], "user": user}}

    def apply(self, kind: ApiKind, body: Any, **options: Any) -> Any:
        assert kind == TRAIN_JOB
        self.reported.append(body["status"])
        return body


def caches(*, synced: bool = True) -> Caches:
    made = Caches(StoredClient(), lambda kind, change: None)  # type: ignore[arg-type]
    if synced:
        for reflector in made.reflectors:
            reflector.synced.set()
    return made


def services(server: Server | None = None, **serving: Any) -> Services:
    settings = Settings(features=GATE, serving=Serving(**{"drain_seconds": 0.0, **serving}))
    known = caches()
    return Services(settings, known, server or Server(), SystemClock(), Metrics())  # type: ignore[arg-type]


@contextmanager
def running(made: Services) -> Iterator[Services]:
    stop = threading.Event()
    made.start(stop)
    try:
        until(lambda: not made.not_ready or stop.is_set())
        yield made
    finally:
        made.close()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def post(port: int, authority: bytes, path: str, body: Any, *, token: str = "") -> tuple[int, Any]:
    """As an API server or training code would: by the Service's name, with trust in one authority only."""
    context = ssl.create_default_context(cadata=authority.decode())
    connection = http.client.HTTPSConnection(NAME, port, timeout=10, context=context)
    connection._create_connection = lambda *args, **kw: __import__("socket").create_connection(  # type: ignore[attr-defined]
        ("127.0.0.1", port), timeout=10
    )
    connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer


def authority(server: Server) -> bytes:
    return b64decode(server.get(SECRET, "trainergen-controller-cert", "kubeflow-system")["data"]["ca.crt"])


def review(runtime: str) -> Any:
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "job", "namespace": "team-a"},
        "spec": {
            "runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime", "name": runtime},
            "suspend": False,
        },
    }
    request = {"uid": "1", "kind": {"kind": "TrainJob"}, "operation": "CREATE", "object": job}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


def test_both_answer_over_tls_with_a_certificate_of_our_own() -> None:
    server = Server()
    with running(services(server, webhook=ANY, status=ANY)) as made:
        webhook, status = (each.port for each in made.servers)
        code, answer = post(webhook, authority(server), VALIDATE, review("missing"))
        assert (code, answer["response"]["allowed"]) == (200, False)
        told = {"trainerStatus": {"progressPercentage": 7, "lastUpdatedTime": "2026-01-02T03:04:05Z"}}
        assert post(status, authority(server), REPORT, told, token="good") == (200, told)
        assert post(status, authority(server), REPORT, told, token="bad")[0] == 403
        assert server.reported == [told]
        text = made.metrics.text().decode()
    assert 'trainergen_admissions_total{kind="TrainJob",operation="CREATE",verdict="refused"} 1.0' in text
    assert 'trainergen_status_reports_total{code="200"} 1.0' in text
    assert "trainergen_certificate_expiry_seconds 1." in text


def test_a_runtime_that_the_cache_has_not_seen_is_asked_for() -> None:
    server = Server()
    server._store(
        CLUSTER_TRAINING_RUNTIME,
        "",
        {
            "apiVersion": "trainer.kubeflow.org/v1alpha1",
            "kind": "ClusterTrainingRuntime",
            "metadata": {"name": "fresh"},
            "spec": {"template": {"spec": {"replicatedJobs": []}}},
        },
        "create",
    )
    with running(services(server, webhook=ANY)) as made:
        _, answer = post(made.servers[0].port, authority(server), VALIDATE, review("fresh"))
    assert answer["response"]["allowed"] is True


def test_the_webhook_fails_while_the_cache_is_not_read() -> None:
    server = Server()
    settings = Settings(serving=Serving(webhook=ANY, drain_seconds=0))
    made = Services(settings, caches(synced=False), server, SystemClock(), Metrics())  # type: ignore[arg-type]
    with running(made):
        assert post(made.servers[0].port, authority(server), VALIDATE, review("any"))[0] == 503


def test_nothing_is_ready_before_there_is_a_certificate_and_then_all_is() -> None:
    server = Server()
    server.failing = UnavailableError("no API server yet")
    made = services(server, webhook=ANY)
    stop = threading.Event()
    made.start(stop)
    assert made.not_ready == "no certificate yet"
    assert made.not_alive == ""
    server.failing = None
    until(lambda: not made.not_ready)
    assert made.servers[0].is_alive
    made.close()


def test_the_end_comes_while_a_certificate_is_waited_for() -> None:
    server = Server()
    server.failing = UnavailableError("no API server")
    made = services(server, webhook=ANY)
    stop = threading.Event()
    made.start(stop)
    stop.set()
    made.close()
    assert made.servers == []


def test_files_of_somebody_else_are_served_from_and_no_secret_is_touched(tmp_path: Path) -> None:
    issued = issue([NAME], SystemClock().now())
    chain, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    chain.write_bytes(issued.chain)
    key.write_bytes(issued.key)
    server = Server()
    with running(services(server, webhook=ANY, files=(chain, key))) as made:
        assert post(made.servers[0].port, issued.authorities, VALIDATE, review("missing"))[0] == 200
    assert server.objects == {}


def test_files_that_are_not_there_end_the_process(tmp_path: Path) -> None:
    made = services(webhook=ANY, files=(tmp_path / "tls.crt", tmp_path / "tls.key"))
    stop = threading.Event()
    made.start(stop)
    assert stop.wait(10)
    assert "No such file" in made.failure
    assert made.not_alive == made.failure
    made.close()


def test_an_address_that_is_taken_ends_the_process() -> None:
    with running(services(webhook=ANY)) as first:
        second = services(webhook=("127.0.0.1", first.servers[0].port))
        stop = threading.Event()
        second.start(stop)
        assert stop.wait(10)
        assert "address already in use" in second.failure
        second.close()


def test_a_server_that_died_is_told_to_the_kubelet() -> None:
    with running(services(webhook=ANY)) as made:
        made.servers[0].close()
        assert made.not_alive == "ended: webhook"


def test_answers_go_on_for_a_while_after_the_end_was_asked_for() -> None:
    server = Server()
    made = services(server, webhook=ANY, drain_seconds=0.5)
    stop = threading.Event()
    made.start(stop)
    until(lambda: not made.not_ready)
    port = made.servers[0].port
    closing = threading.Thread(target=made.close)
    closing.start()
    assert post(port, authority(server), VALIDATE, review("missing"))[0] == 200
    closing.join()
    with pytest.raises(OSError):
        post(port, authority(server), VALIDATE, review("missing"))


def test_without_addresses_nothing_is_served() -> None:
    server = Server()
    made = services(server)
    made.start(threading.Event())
    assert (made.asked, made.not_ready, made.not_alive) == (False, "", "")
    made.close()
    assert server.objects == {}


def test_the_status_server_needs_its_feature_gate() -> None:
    settings = Settings(serving=Serving(status=ANY))
    with pytest.raises(ServingError, match="TrainJobStatus, which is off"):
        Services(settings, caches(), Server(), SystemClock(), Metrics())  # type: ignore[arg-type]


def test_the_status_server_needs_a_release_that_has_it() -> None:
    settings = Settings(release="2.1", features=GATE, serving=Serving(status=ANY))
    with pytest.raises(ServingError, match=r"2\.1 has no TrainJobStatus"):
        Services(settings, caches(), Server(), SystemClock(), Metrics())  # type: ignore[arg-type]


def test_tokens_cannot_be_judged_by_keys_that_nobody_reads() -> None:
    made = services(status=ANY, tokens=OIDC)
    stop = threading.Event()
    made.start(stop)
    assert stop.wait(10)
    assert made.failure == "this client cannot read the public keys of the API server"
    made.close()


def test_a_service_account_is_needed_to_know_whose_keys_count() -> None:
    made = services(status=ANY, tokens=OIDC)
    made.fetch = lambda path: {}
    stop = threading.Event()
    made.start(stop)
    assert stop.wait(10)
    assert "takes the token of a service account" in made.failure
    made.close()
