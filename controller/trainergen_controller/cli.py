"""``trainergen-controller``: the command line of the controller."""

from __future__ import annotations

import gc
import os
import platform
import signal
import sys
import threading
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainergen.errors import TrainergenError
from trainergen.releases import NEWEST, RELEASES
from trainergen_controller.logs import set_up
from trainergen_controller.serving_options import Address, serving_options, take_serving
from trainergen_controller.settings import AUDIT, RECONCILE, Settings

if TYPE_CHECKING:
    from trainergen_controller.kubernetes_client import KubernetesClient
    from trainergen_controller.process import Process

_F = TypeVar("_F", bound=Callable[..., Any])
EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE = 0, 1, 2
_FETCH_SECONDS = 5.0
_SWITCH_SECONDS = 0.0005


class _UnableError(click.ClickException):
    """It cannot be done, whatever the cluster holds."""

    exit_code = EXIT_USAGE


class _Gate(click.ParamType):  # type: ignore[type-arg]
    name = "name=true|false"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, bool]:
        if isinstance(value, tuple):
            return value
        gate, _, said = str(value).partition("=")
        if said.lower() not in ("true", "false"):
            self.fail(f"'{value}' is no feature gate; write for example TrainJobStatus=true", param, ctx)
        return gate, said.lower() == "true"


def _cluster_options(command: _F) -> _F:
    options = [
        click.option(
            "--kubeconfig", type=click.Path(dir_okay=False), help="Else the Pod's service account, else the usual file."
        ),
        click.option("--context", help="Context of the kubeconfig."),
        click.option(
            "--release", type=click.Choice([one.name for one in RELEASES]), default=NEWEST.name, show_default=True
        ),
        click.option("--namespace", default="", help="Look at this namespace only."),
        click.option("--selector", default="", help="Label selector of the TrainJobs of this shard."),
        click.option("--profile", default="recommended", show_default=True, help="Rules of audit."),
        click.option("--feature-gate", "gates", type=_Gate(), multiple=True, help="For example TrainJobStatus=true."),
        click.option(
            "--qps", type=click.FloatRange(0), default=50.0, show_default=True, help="Requests a second; 0: no limit."
        ),
        click.option("--burst", type=click.IntRange(1), default=100, show_default=True),
        click.option("--system-namespace", default="kubeflow-system", show_default=True, help="Where the Leases lie."),
        click.option(
            "--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="info", show_default=True
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _service_options(command: _F) -> _F:
    options = [
        click.option("--workers", type=click.IntRange(1), default=5, show_default=True),
        click.option(
            "--health-address",
            type=Address(),
            default="0.0.0.0:8081",
            show_default=True,
            help="/healthz, /readyz and /metrics.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group(context_settings={"auto_envvar_prefix": "TRAINERGEN_CONTROLLER", "help_option_names": ["-h", "--help"]})
def main() -> None:
    """Kubeflow Trainer objects in a living cluster: audited, or reconciled in place of the Trainer's own controller.

    Each option can also be set by an environment variable, such as TRAINERGEN_CONTROLLER_AUDIT_QPS.
    """


@main.command()
@_cluster_options
@_service_options
@serving_options
def audit(**options: Any) -> None:
    """Judge what is in the cluster, and change none of it: findings and drift as Events, PolicyReports and metrics."""
    _serve(AUDIT, options)


@main.command()
@_cluster_options
@_service_options
@serving_options
def reconcile(**options: Any) -> None:
    """Play the part of the Trainer's controller. Waits while the Trainer's own controller holds its Lease."""
    _serve(RECONCILE, options)


@main.command()
@click.argument("mode", type=click.Choice([AUDIT, RECONCILE]))
@_cluster_options
def once(mode: str, **options: Any) -> None:
    """A single pass over everything, for CI. Exit code 1 when something is wrong, 2 when it cannot be done."""
    from trainergen_controller.lease import NotLeadingError

    process = _process(mode, options)
    try:
        wrong = process.once()
    except NotLeadingError as error:
        raise _UnableError(f"not done, since {error}") from error
    for name, text in sorted(wrong.items()):
        click.echo(f"{name}: {text}")
    sys.exit(EXIT_FINDINGS if wrong else EXIT_CLEAN)


def _serve(mode: str, options: dict[str, Any]) -> None:
    from trainergen_controller.health import HealthServer

    address, serving = options.pop("health_address"), take_serving(options)
    process = _process(mode, {**options, "serving": serving})
    try:
        health = HealthServer(
            address,
            live={"workers": lambda: process.not_alive, "services": lambda: process.services.not_alive},
            ready={"cache": lambda: process.not_ready, "services": lambda: process.services.not_ready},
            metrics=process.metrics.text,
        )
    except OSError as error:
        raise _UnableError(f"health cannot be served at {address[0]}:{address[1]}: {error}") from error
    _stop_on_signal(process.stop)
    _tune()
    health.start()
    try:
        process.run()
    except TrainergenError as error:
        raise _UnableError(str(error)) from error
    finally:
        health.close()


def _tune() -> None:
    """For many threads that mostly wait, each of which soon gets its turn when an answer is there.

    And what was loaded to stay is not searched for garbage again and again.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()


def _process(mode: str, options: dict[str, Any]) -> Process:
    set_up(options.pop("log_level"))
    connect = _connector(options.pop("kubeconfig"), options.pop("context"))
    # only now, when what the extra brings is known to be there
    from trainergen_controller.process import Process
    from trainergen_controller.ssh_keys import new_ssh_keys

    gates = dict(options.pop("gates"))
    settings = Settings(mode=mode, features=gates, identity=_identity(), **options)
    try:
        return Process(settings, connect, new_ssh_keys, fetch=connect(_FETCH_SECONDS).raw)
    except TrainergenError as error:
        raise click.UsageError(str(error)) from error


def _connector(kubeconfig: str | None, context: str | None) -> Callable[[float], KubernetesClient]:
    try:
        from trainergen_controller import kubernetes_client
    except ImportError as error:
        raise _UnableError(
            f"the cluster client is not installed ({error.name}); install trainergen[controller]"
        ) from error
    try:
        configuration = kubernetes_client.configuration(kubeconfig=kubeconfig, context=context)
    except kubernetes_client.ConfigurationError as error:
        raise click.UsageError(f"no cluster: {error}") from error
    return lambda seconds: kubernetes_client.KubernetesClient(configuration, timeout=seconds)


def _identity() -> str:
    """The Pod's name, and something that no restart has in common with the one before."""
    return f"{os.environ.get('POD_NAME') or platform.node()}_{uuid.uuid4().hex[:12]}"


def _stop_on_signal(stop: threading.Event) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
