"""Whether a stream takes colour, and the few styles there are."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Protocol

RESET = "\x1b[0m"
STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "info": "\x1b[1;36m",
    "place": "\x1b[1m",
    "gutter": "\x1b[34m",
    "help": "\x1b[36m",
    "good": "\x1b[32m",
    "dim": "\x1b[2m",
}
# A Windows console understands escape sequences only when its host switched them on; these variables say so.
_WINDOWS_HOSTS = ("WT_SESSION", "TERM_PROGRAM", "ANSICON", "ConEmuANSI", "TERM")


class Terminal(Protocol):
    """The part of a stream that decides on colour."""

    def isatty(self) -> bool:
        """True when a person is watching."""
        ...


def wants_colour(stream: Terminal, environ: Mapping[str, str] | None = None, *, platform: str = sys.platform) -> bool:
    """True when ``stream`` is to be coloured: ``NO_COLOR`` wins over ``FORCE_COLOR``, which wins over the terminal."""
    env = os.environ if environ is None else environ
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    if env.get("TERM") == "dumb" or not stream.isatty():
        return False
    return platform != "win32" or any(env.get(name) for name in _WINDOWS_HOSTS)


def paint(style: str, text: str, colour: bool) -> str:
    """``text`` in a style of ``STYLES``, or as it is without colour."""
    return f"{STYLES[style]}{text}{RESET}" if colour and text else text
