"""The command line: what goes together, and what is said of the rest."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trainergen_controller import cli
from trainergen_controller.lease import NotLeadingError
from trainergen_controller.process import Process
from trainergen_controller.settings import OIDC, Serving

from tests.controller.scripted import StoredClient


class Client(StoredClient):
    """No cluster is asked anything before the process runs."""

    def raw(self, path: str) -> Any:
        raise AssertionError(path)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Invokes a command up to where the process would run; gives the process with the result."""
    made: list[Process] = []
    monkeypatch.setattr(cli, "_connector", lambda kubeconfig, context: lambda seconds: Client())
    monkeypatch.setattr(cli, "_stop_on_signal", lambda stop: None)

    def remember(self: Process) -> None:
        made.append(self)

    monkeypatch.setattr(Process, "run", remember)

    def invoke(*arguments: str) -> Any:
        result = CliRunner().invoke(cli.main, [*arguments, "--health-address", "127.0.0.1:0"])
        return (made[-1] if made else None), result

    return invoke


@pytest.mark.enable_socket
def test_by_default_nothing_is_served_but_health(run: Any) -> None:
    process, result = run("audit")
    assert result.exit_code == 0, result.output
    assert process.settings.serving == Serving()
    assert not process.services.asked


@pytest.mark.enable_socket
def test_everything_that_is_served_can_be_set(run: Any, tmp_path: Path) -> None:
    process, result = run(
        "reconcile",
        "--webhook-address=:9443",
        "--status-address=[::1]:10443",
        "--status-tokens=oidc",
        "--feature-gate=TrainJobStatus=true",
        f"--tls-cert-file={tmp_path / 'a'}",
        f"--tls-key-file={tmp_path / 'b'}",
        "--tls-secret=mine",
        "--service-name=one",
        "--service-name=two",
        "--webhook-configuration=",
        "--drain-seconds=1",
    )
    assert result.exit_code == 0, result.output
    assert process.settings.serving == Serving(
        webhook=("0.0.0.0", 9443),
        status=("::1", 10443),
        tokens=OIDC,
        files=(tmp_path / "a", tmp_path / "b"),
        secret="mine",
        services=("one", "two"),
        configuration="",
        drain_seconds=1.0,
    )


WRONG = {
    "half a certificate": (["--tls-cert-file=a"], "--tls-cert-file and --tls-key-file go together"),
    "an address without port": (["--webhook-address=here"], "'here' is no address"),
    "a port that is none": (["--status-address=:70000"], "':70000' is no address"),
    "a status server without its gate": (["--status-address=:1"], "needs the feature gate TrainJobStatus"),
    "a gate that says nothing": (["--feature-gate=TrainJobStatus"], "'TrainJobStatus' is no feature gate"),
}


@pytest.mark.parametrize(("options", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_does_not_go_together_is_a_usage_error(run: Any, options: list[str], said: str) -> None:
    _, result = run("audit", *options)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.enable_socket
def test_a_taken_port_is_said_in_words(run: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(cli.main, ["audit", "--health-address", f"127.0.0.1:{port}"])
    assert result.exit_code == 2
    assert f"health cannot be served at 127.0.0.1:{port}" in result.output


@pytest.mark.enable_socket
def test_options_can_come_from_the_environment(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAINERGEN_CONTROLLER_AUDIT_WEBHOOK_ADDRESS", "127.0.0.1:9443")
    process, _ = run("audit")
    assert process.settings.serving.webhook == ("127.0.0.1", 9443)


def test_a_single_pass_that_may_not_write_is_told_from_one_that_finds_something(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Process) -> dict[str, str]:
        raise NotLeadingError("lease a/b is held by 'c'")

    monkeypatch.setattr(Process, "once", refused)
    result = CliRunner().invoke(cli.main, ["once", "reconcile"])
    assert (result.exit_code, result.output) == (2, "Error: not done, since lease a/b is held by 'c'\n")
    monkeypatch.setattr(Process, "once", lambda self: {"TrainJob a/b": "wrong"})
    result = CliRunner().invoke(cli.main, ["once", "reconcile"])
    assert (result.exit_code, result.output) == (1, "TrainJob a/b: wrong\n")
    monkeypatch.setattr(Process, "once", lambda self: {})
    assert CliRunner().invoke(cli.main, ["once", "reconcile"]).exit_code == 0
