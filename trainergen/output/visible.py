"""Text made safe for a terminal: control characters become visible, wide ones take the two columns they need."""

from __future__ import annotations

import re

TAB = 4

# C0 and C1 controls, line and paragraph separators, and the marks that turn the direction of what follows: a manifest
# could use any of them to show something other than what it holds. Lone surrogates cannot be written at all.
_UNSAFE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape_controls(text: str) -> str:
    """``text`` on one line, with each control character written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSAFE, _escape, text)


def cells(line: str) -> tuple[list[str], list[int]]:
    """The terminal columns of ``line``, and for each of its characters (and the end) the column it starts at.

    A wide character fills its own column and leaves the next one empty; a combining mark joins the column before.
    """
    if line.isascii() and line.isprintable():
        return list(line), list(range(len(line) + 1))
    out: list[str] = []
    starts: list[int] = []
    for char in line:
        starts.append(len(out))
        width = _width(char)
        if char == "\t":
            out.extend(" " * (TAB - len(out) % TAB))
        elif re.match(_UNSAFE, char):
            out.append(_picture(char))
        elif width == 0 and out:
            starts[-1] = max(len(out) - 1, 0)
            out[-1] += char
        else:
            out.append(char)
            out.extend([""] * (width - 1))
    starts.append(len(out))
    return out, starts


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    return _NAMED.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def _width(char: str) -> int:
    if char.isascii():
        return 1
    # Loaded only for text beyond ASCII: the tables are large and most manifests need none of them.
    from unicodedata import category, east_asian_width

    if category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(char) in {"W", "F"} else 1
