"""Regular expressions as the API server reads them: RE2 syntax, unanchored, over code points.

Everyday patterns are translated to ``re``, which is loaded anyhow; what ``re`` would read differently goes to
google-re2, which is slow to import.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_CLASS_ESCAPES = {"d": r"\d", "w": r"\w", "s": r"\t\n\f\r ", "D": r"\D", "W": r"\W"}
_ESCAPES = {**_CLASS_ESCAPES, "s": r"[\t\n\f\r ]", "S": r"[^\t\n\f\r ]", "b": r"\b", "B": r"\B", "A": r"\A", "z": r"\Z"}
_CONTROLS = {letter: f"\\{letter}" for letter in "aftnrv"}
_REPEAT = r"\{\d{1,3}(?:,\d{0,3})?\}"
_GROUP = r"\((?:\?:|\?P<[A-Za-z_][A-Za-z0-9_]*>)?(?!\?)"


class UntranslatableError(ValueError):
    """``re`` would read the pattern in another way."""


@cache
def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """Whether ``pattern`` is found anywhere in a text, as a function; ValueError when it is no RE2 pattern."""
    try:
        python = translate(pattern)
    except UntranslatableError:
        return _compile_re2(pattern)
    search = re.compile(python, re.ASCII).search
    return lambda text: search(text) is not None


def _compile_re2(pattern: str) -> Callable[[str], bool]:
    import re2  # type: ignore[import-untyped,unused-ignore]

    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error:
        raise ValueError(f"'{pattern}' is no regular expression") from None
    return lambda text: compiled.search(text) is not None


def translate(pattern: str) -> str:
    """``pattern`` for ``re`` with the ASCII flag; UntranslatableError when the two might read it differently."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        at, piece = _next_piece(pattern, at)
        out.append(piece)
    translated = "".join(out)
    try:
        re.compile(translated, re.ASCII)
    except re.error as error:
        raise UntranslatableError(str(error)) from None
    return translated


def _next_piece(pattern: str, at: int) -> tuple[int, str]:
    char = pattern[at]
    if char == "\\":
        return _escape(pattern, at, _ESCAPES)
    if char == "[":
        return _class(pattern, at)
    if char == "(":
        return _group(pattern, at)
    if char in "*+?{":
        return _repeat(pattern, at)
    return at + 1, r"\Z" if char == "$" else char


def _group(pattern: str, at: int) -> tuple[int, str]:
    match = re.compile(_GROUP).match(pattern, at)
    if match is None:
        raise UntranslatableError("group flags")
    return match.end(), match[0]


def _repeat(pattern: str, at: int) -> tuple[int, str]:
    """A repetition with its laziness mark; two in a row are something else to ``re`` (possessive) or nothing."""
    end = at + 1
    if pattern[at] == "{":
        match = re.compile(_REPEAT).match(pattern, at)
        if match is None:
            raise UntranslatableError("brace")
        end = match.end()
    if pattern[end : end + 1] == "?":
        end += 1
    if pattern[end : end + 1] in ("*", "+", "?", "{"):
        raise UntranslatableError("nested repetition")
    return end, pattern[at:end]


def _escape(pattern: str, at: int, known: dict[str, str]) -> tuple[int, str]:
    char = pattern[at + 1 : at + 2]
    if char in known:
        return at + 2, known[char]
    if char in _CONTROLS:
        return at + 2, _CONTROLS[char]
    if char == "" or char.isalnum() or not char.isascii():
        raise UntranslatableError(f"escape {char}")
    return at + 2, re.escape(char)


def _class(pattern: str, start: int) -> tuple[int, str]:
    """A bracket expression, every literal of it escaped so that ``re`` sees no nested set or set operation."""
    at = start + 1
    out = ["["]
    if pattern[at : at + 1] == "^":
        out.append("^")
        at += 1
    first = True
    while first or pattern[at : at + 1] != "]":
        if at >= len(pattern) or pattern.startswith("[:", at):
            raise UntranslatableError("bracket expression")
        at, piece = _class_piece(pattern, at, first=first)
        out.append(piece)
        first = False
    return at + 1, "".join([*out, "]"])


def _class_piece(pattern: str, at: int, *, first: bool) -> tuple[int, str]:
    char = pattern[at]
    if char == "\\":
        return _escape(pattern, at, _CLASS_ESCAPES)
    if char == "-" and not first and pattern[at + 1 : at + 2] not in ("]", ""):
        return at + 1, "-"
    return at + 1, re.escape(char)
