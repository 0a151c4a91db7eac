"""What kustomize complains of: its messages wrap each other, and only the innermost says what is wrong."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

_LOGGED = re.compile(r'err="((?:[^"\\]|\\.)*)"')
_LOGGED_LINES = re.compile(r"err=<\n(.*)\n >", re.DOTALL)
_RECURSED = re.compile(r"recursed accumulation of path '([^']*)': ")
_NO_TARGET = re.compile(r"couldn't make target for path '([^']*)': (.*)", re.DOTALL)
_RESOURCE = re.compile(
    r"accumulating (?:resources|components)(?: from '|: accumulateDirectory: \")([^'\"]*)['\"]: (.*)"
)
_CONFIGURED = re.compile(
    r"trouble configuring builtin (\w+) with config: `[^`]*`: (?:failed to get .*path\(([^)]*)\): )?"
)
_OTHER_TRY = "': must build at directory:"
_LONGEST = 240


class Failure(NamedTuple):
    """The message in short; if known, the folder of the kustomization that fails and the name that it is about."""

    message: str
    folder: str = ""
    name: str = ""


def failure_in(text: str) -> Failure:
    """The failure that the error output of a build speaks of."""
    message = _plain(text)
    folder = ""
    for match in _RECURSED.finditer(message):
        folder, inner = match[1], message[match.end() :]
        if _RECURSED.search(inner) is None:
            message = inner
    if (target := _NO_TARGET.search(message)) is not None:
        return Failure(_shortened(target[2]), target[1])
    if (configured := _CONFIGURED.search(message)) is not None:
        return Failure(_shortened(message[configured.end() :]), folder, configured[2] or "")
    name = ""
    found = _RESOURCE.search(message)
    if found is not None:
        name, message = found[1], found[2].partition(_OTHER_TRY)[0]
    elif len(message) > _LONGEST:
        message = message.rpartition("': ")[2]
    return Failure(_shortened(message), folder, name)


def _plain(text: str) -> str:
    """The message itself: older versions of kubectl write a log."""
    if (logged := _LOGGED.search(text)) is not None:
        try:
            return str(json.loads(f'"{logged[1]}"'))
        except ValueError:
            return logged[1]
    if (lines := _LOGGED_LINES.search(text)) is not None:
        text = lines[1]
    kept = [line for line in text.strip().splitlines() if not line.startswith("#")]
    return "\n".join(kept).removeprefix("Error: ").removeprefix("error: ")


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
