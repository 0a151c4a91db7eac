"""The client that training code copies, against the status server over TLS, with what the renderer puts into Pods."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from trainergen_controller.clocks import SystemClock
from trainergen_controller.kinds import TOKEN_REVIEW, TRAIN_JOB, ApiKind
from trainergen_controller.serving.https import Certificates, HttpsServer
from trainergen_controller.serving.issuing import issue
from trainergen_controller.statusserver import LIMIT, TokenReviews, audience, status_route
from trainergen_controller.statusserver.routes import Rates

from trainergen.releases import get_release

pytestmark = pytest.mark.enable_socket

EXAMPLE = Path(__file__).parents[2] / "examples" / "report_progress.py"


class ApiServer:
    """Reviews the token ``good``, and keeps what is applied."""

    def __init__(self) -> None:
        self.applied: list[Any] = []

    def create(self, kind: ApiKind, body: Any, namespace: str = "", **options: Any) -> Any:
        assert kind == TOKEN_REVIEW
        wanted = audience("team-a", "job")
        user = {"username": "system:serviceaccount:team-a:default"}
        good = body["spec"] == {"token": "good", "audiences": [wanted]}
        return {"status": {"authenticated": good, "audiences": [wanted], "user": user}}

    def apply(self, kind: ApiKind, body: Any, **options: Any) -> Any:
        assert kind == TRAIN_JOB
        self.applied.append(body["status"]["trainerStatus"])
        return body


@pytest.fixture
def api() -> ApiServer:
    return ApiServer()


@pytest.fixture
def pod(api: ApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The environment and files of a Pod of the TrainJob; gives the file with the token."""
    clock = SystemClock()
    issued = issue(["localhost"], clock.now())
    for name, data in (("tls.crt", issued.chain), ("tls.key", issued.key), ("ca.crt", issued.authorities)):
        (tmp_path / name).write_bytes(data)
    token = tmp_path / "token"
    token.write_text("good")
    route = status_route(api, TokenReviews(api, clock), get_release("2.3"), Rates(clock))  # type: ignore[arg-type]
    certificates = Certificates(tmp_path / "tls.crt", tmp_path / "tls.key")
    server = HttpsServer(("127.0.0.1", 0), route, LIMIT, "status", certificates)
    server.start()
    path = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/job/status"
    monkeypatch.setenv("KUBEFLOW_TRAINER_SERVER_URL", f"https://localhost:{server.port}{path}")
    monkeypatch.setenv("KUBEFLOW_TRAINER_SERVER_CA_CERT", str(tmp_path / "ca.crt"))
    monkeypatch.setenv("KUBEFLOW_TRAINER_SERVER_TOKEN", str(token))
    yield token
    server.close()


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("report_progress", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_report_arrives_in_the_status(pod: Path, api: ApiServer, example: ModuleType) -> None:
    assert example.report(42.7, remaining_seconds=600, loss=0.31) is True
    (status,) = api.applied
    assert status.pop("lastUpdatedTime").endswith("Z")
    assert status == {
        "progressPercentage": 42,
        "estimatedRemainingSeconds": 600,
        "metrics": [{"name": "loss", "value": "0.31"}],
    }


def test_numbers_out_of_range_are_brought_into_it(pod: Path, api: ApiServer, example: ModuleType) -> None:
    assert example.report(104, remaining_seconds=-3)
    assert (api.applied[0]["progressPercentage"], api.applied[0]["estimatedRemainingSeconds"]) == (100, 0)


def test_a_token_that_was_renewed_is_read_again(pod: Path, example: ModuleType) -> None:
    pod.write_text("bad")
    assert example.report(1) is False
    pod.write_text("good\n")
    assert example.report(1) is True


def test_training_goes_on_whatever_is_wrong(
    pod: Path, example: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (
        ("KUBEFLOW_TRAINER_SERVER_URL", "https://localhost:1/"),
        ("KUBEFLOW_TRAINER_SERVER_CA_CERT", "/not/there"),
        ("KUBEFLOW_TRAINER_SERVER_TOKEN", "/not/there"),
    ):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            assert example.report(1) is False
        assert "progress not reported" in capsys.readouterr().out
    monkeypatch.delenv("KUBEFLOW_TRAINER_SERVER_TOKEN")
    assert example.report(1) is False


def test_elsewhere_it_says_and_does_nothing(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KUBEFLOW_TRAINER_SERVER_URL", raising=False)
    before = threading.active_count()
    assert example.report(1) is False
    assert (capsys.readouterr().out, threading.active_count()) == ("", before)


def test_it_takes_the_variables_that_the_renderer_sets() -> None:
    from trainergen.render import trainjobstatus

    text = EXAMPLE.read_text()
    source = Path(trainjobstatus.__file__).read_text()
    for name in ("SERVER_URL", "SERVER_CA_CERT", "SERVER_TOKEN"):
        assert f"KUBEFLOW_TRAINER_{name}" in text
        assert f"KUBEFLOW_TRAINER_{name}" in source
