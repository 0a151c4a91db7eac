"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from trainergen.errors import TrainergenError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def release_option(function: Decorated) -> Decorated:
    """``--release``, a name such as ``2.3``; whoever uses it checks it, so that the message can list the known ones."""
    option = click.option(
        "--release",
        metavar="RELEASE",
        help="Trainer release, e.g. 2.3; by default the configured one, what the repository pins, or the newest.",
    )
    return option(function)


def build_options(function: Decorated) -> Decorated:
    """``--build`` and ``--values``; ``build_asked`` reads them."""
    build = click.option(
        "--build", is_flag=True, help="Build kustomizations and charts first, and take what they give."
    )
    values = click.option(
        "--values", multiple=True, metavar="FILE", help="With --build: values for charts, over their own."
    )
    return build(values(function))


def build_asked(asked: Mapping[str, object]) -> tuple[bool, tuple[str, ...]]:
    """Whether to build, and the files with values; TrainergenError for values that nothing would use."""
    values = asked["values"]
    files = tuple(str(one) for one in values) if isinstance(values, tuple) else ()
    if files and not asked["build"]:
        raise TrainergenError("--values does nothing alone", hint="Write --build --values FILE.")
    return bool(asked["build"]), files
