"""Options of the command line on the webhook, the status server and their certificates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from trainergen_controller.serving.address import address_of
from trainergen_controller.settings import OIDC, REVIEW, Serving

_F = TypeVar("_F", bound=Callable[..., Any])


class Address(click.ParamType):  # type: ignore[type-arg]
    """``host:port`` as a pair."""

    name = "host:port"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        if isinstance(value, tuple):
            return value
        try:
            return address_of(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def serving_options(command: _F) -> _F:
    """Adds the options that ``take_serving`` reads."""
    defaults = Serving()
    file = click.Path(dir_okay=False, path_type=Path)
    options = [
        click.option("--webhook-address", type=Address(), help="Answer admission reviews there, as 0.0.0.0:9443."),
        click.option("--status-address", type=Address(), help="Take reports of training code, as 0.0.0.0:10443."),
        click.option(
            "--status-tokens",
            type=click.Choice([REVIEW, OIDC]),
            default=REVIEW,
            show_default=True,
            help="Let the API server judge each token, or judge them by its public keys.",
        ),
        click.option("--tls-cert-file", type=file, help="Certificate chain that somebody else renews."),
        click.option("--tls-key-file", type=file, help="Its key."),
        click.option(
            "--tls-secret",
            default=defaults.secret,
            show_default=True,
            help="Else certificates are made here, and kept in this Secret of the system namespace.",
        ),
        click.option(
            "--service-name",
            "service_names",
            multiple=True,
            default=defaults.services,
            show_default=True,
            help="Service that the certificate is made for; may be given again.",
        ),
        click.option(
            "--webhook-configuration",
            default=defaults.configuration,
            show_default=True,
            help="Webhook configurations that the authority of our own certificates is put into; empty: none.",
        ),
        click.option(
            "--drain-seconds",
            type=click.FloatRange(0),
            default=defaults.drain_seconds,
            show_default=True,
            help="Still answer so long at the end.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def take_serving(options: dict[str, Any]) -> Serving:
    """Takes the options out; ``click.UsageError`` where they do not go together."""
    chain, key = options.pop("tls_cert_file"), options.pop("tls_key_file")
    if (chain is None) != (key is None):
        raise click.UsageError("--tls-cert-file and --tls-key-file go together")
    return Serving(
        webhook=options.pop("webhook_address"),
        status=options.pop("status_address"),
        tokens=options.pop("status_tokens"),
        files=None if chain is None else (chain, key),
        secret=options.pop("tls_secret"),
        services=tuple(options.pop("service_names")),
        configuration=options.pop("webhook_configuration"),
        drain_seconds=options.pop("drain_seconds"),
    )
