"""A unified diff of bytes, for ``patch -p1`` and ``git apply``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import diff_bytes, unified_diff

_SPECIAL = re.compile(rb'[\x00-\x1f"\\\x7f]')
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def diff(name: str, old: bytes, new: bytes, *, is_new: bool = False) -> bytes:
    """The difference of two versions of a file; empty when they are equal. Line ends are kept as they are.

    ``is_new`` says that there is no old version.
    """
    return b"".join(_lines(name, old, new, is_new=is_new))


def _lines(name: str, old: bytes, new: bytes, *, is_new: bool) -> Iterator[bytes]:
    shown = os.fsencode(name)
    before, after = (shown, shown) if name.startswith("/") else (b"a/" + shown, b"b/" + shown)
    if is_new:
        before = b"/dev/null"
    for line in diff_bytes(unified_diff, _split(old), _split(new), _quoted(before), _quoted(after)):
        yield line if line.endswith(b"\n") else line + _NO_NEWLINE


def _quoted(name: bytes) -> bytes:
    """A name as git writes it: in quotes when it holds what would end it or the line."""
    if not _SPECIAL.search(name):
        return name
    return b'"%b"' % _SPECIAL.sub(lambda match: b"\\%03o" % match[0][0], name)


def _split(data: bytes) -> list[bytes]:
    # NB: splitlines would split at a carriage return too.
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
