"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def release_option(function: Decorated) -> Decorated:
    """``--release``, a name such as ``2.3``; whoever uses it checks it, so that the message can list the known ones."""
    option = click.option(
        "--release",
        metavar="RELEASE",
        help="Trainer release, e.g. 2.3; by default the configured one, what the repository pins, or the newest.",
    )
    return option(function)
