"""Functions on strings.

Behaviour: google/cel-go ext/strings.go (version 2) and kubernetes/apiserver pkg/cel/library/regex.go @ v0.35.0.
"""

from __future__ import annotations

from typing import Any

from trainergen.cel.library.function import Function


def char_at(text: str, index: int) -> str:
    """The character at ``index``; empty just after the last."""
    if not 0 <= index <= len(text):
        raise ValueError(f"index out of range: {index}")
    return str(text)[index : index + 1]


def index_of(text: str, part: str, offset: int = 0) -> int:
    """Where ``part`` first starts at or after ``offset``, -1 when nowhere."""
    if part == "":
        return offset
    if not 0 <= offset < max(len(text), 1):
        raise ValueError(f"index out of range: {offset}")
    return str(text).find(part, offset)


def last_index_of(text: str, part: str, offset: int | None = None) -> int:
    """Where ``part`` last starts at or before ``offset``, -1 when nowhere."""
    if offset is None:
        return len(text) if part == "" else str(text).rfind(part)
    if part == "":
        return offset
    if not 0 <= offset < max(len(text), 1):
        raise ValueError(f"index out of range: {offset}")
    return str(text).rfind(part, 0, offset + len(part))


def lower_ascii(text: str) -> str:
    """``text`` with the letters A to Z in lower case."""
    return "".join(c.lower() if "A" <= c <= "Z" else c for c in text)


def upper_ascii(text: str) -> str:
    """``text`` with the letters a to z in upper case."""
    return "".join(c.upper() if "a" <= c <= "z" else c for c in text)


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """``text`` with the first ``limit`` occurrences replaced, all when it is negative."""
    return str(text).replace(old, new, limit)


def split(text: str, separator: str, limit: int = -1) -> list[str]:
    """The parts between separators, at most ``limit`` when it is not negative; characters for an empty separator."""
    if limit == 0:
        return []
    if separator == "":
        characters = list(str(text))
        if limit < 0 or len(characters) <= limit:
            return characters
        return [*characters[: limit - 1], "".join(characters[limit - 1 :])]
    return str(text).split(separator, -1 if limit < 0 else limit - 1)


def substring(text: str, start: int, end: int | None = None) -> str:
    """The part from ``start`` to before ``end``."""
    stop = len(text) if end is None else end
    if not 0 <= start <= stop <= len(text):
        raise ValueError(f"invalid substring range. start: {start}, end: {stop}")
    return str(text)[start:stop]


def join(parts: list[Any], separator: str = "") -> str:
    """The texts of a list with ``separator`` between them."""
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("no such overload")
    return separator.join(parts)


# White space to Unicode: what Go trims and Python's strip() without argument differs on.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"


def trim(text: str) -> str:
    """``text`` without white space at its ends."""
    return str(text).strip(_SPACE)


def find(text: str, pattern: str) -> str:
    """The first match of ``pattern``, empty when there is none."""
    found = find_all(text, pattern, 1)
    return found[0] if found else ""


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """The matches of ``pattern``, at most ``limit`` when it is not negative."""
    import re2  # type: ignore[import-untyped,unused-ignore]

    if limit == 0:
        return []
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error:
        raise ValueError(f"'{pattern}' is no regular expression") from None
    matches = [match.group(0) for match in compiled.finditer(str(text))]
    return matches if limit < 0 else matches[:limit]


_QUOTED = {
    '"': r"\"",
    "\\": r"\\",
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
}


def quote(text: str) -> str:
    """``text`` in double quotes, with the escapes of CEL."""
    return '"' + "".join(_QUOTED.get(c, c) for c in str(text)) + '"'


def escape_key(key: str) -> str:
    """``key`` as a step of a JSON Patch path; a slash becomes ``~1``, a tilde ``~0``.

    kubernetes/apiserver pkg/cel/library/jsonpatch.go @ v0.35.0.
    """
    return str(key).replace("~", "~0").replace("/", "~1")


STRINGS = (
    Function("charAt", ("string", "int"), "string", char_at),
    Function("indexOf", ("string", "string"), "int", index_of),
    Function("indexOf", ("string", "string", "int"), "int", index_of),
    Function("lastIndexOf", ("string", "string"), "int", last_index_of),
    Function("lastIndexOf", ("string", "string", "int"), "int", last_index_of),
    Function("lowerAscii", ("string",), "string", lower_ascii),
    Function("upperAscii", ("string",), "string", upper_ascii),
    Function("replace", ("string", "string", "string"), "string", replace),
    Function("replace", ("string", "string", "string", "int"), "string", replace),
    Function("split", ("string", "string"), "list", split),
    Function("split", ("string", "string", "int"), "list", split),
    Function("substring", ("string", "int"), "string", substring),
    Function("substring", ("string", "int", "int"), "string", substring),
    Function("join", ("list",), "string", join),
    Function("join", ("list", "string"), "string", join),
    Function("strings.quote", ("string",), "string", quote, member=False),
    Function("jsonpatch.escapeKey", ("string",), "string", escape_key, member=False),
    Function("trim", ("string",), "string", trim),
    Function("find", ("string", "string"), "string", find),
    Function("findAll", ("string", "string"), "list", find_all),
    Function("findAll", ("string", "string", "int"), "list", find_all),
)
