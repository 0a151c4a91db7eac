"""What tells a finding again after lines have moved and other things were edited."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Finding, Path

_QUOTED = re.compile(r"('[^']*')")
_NUMBER = re.compile(r"[0-9]+")


def fingerprint(finding: Finding) -> str:
    """The fingerprint of a finding, 32 hexadecimal digits: its check, object, path and message, and not its file.

    Items of lists are not told apart by their places, nor messages by numbers outside of quotes: both change when
    something else is edited. Equal fingerprints are counted.
    """
    ref = finding.object
    about = ("", "", "", "") if ref is None else (ref.api_version.rpartition("/")[0], ref.kind, ref.namespace, ref.name)
    parts = (finding.rule, *about, _path(finding.at), normal_message(finding.message))
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def normal_message(message: str) -> str:
    """A message without the numbers in it, but for those in quotes, and with single spaces."""
    pieces = _QUOTED.split(message)
    pieces[::2] = [_NUMBER.sub("#", piece) for piece in pieces[::2]]
    return " ".join("".join(pieces).split())


def _path(path: Path) -> str:
    return "\1".join("" if isinstance(step, int) else step for step in path)
