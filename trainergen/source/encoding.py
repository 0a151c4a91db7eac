"""Whether bytes are the UTF-8 text that a manifest has to be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.source.checks import NOT_TEXT, NOT_UTF8

if TYPE_CHECKING:
    from trainergen.finding import Finding

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF16_HELP = "Save the file as UTF-8: kubectl cuts manifests into lines of bytes and so breaks UTF-16."


def encoding_finding(data: bytes, *, file: str) -> Finding | None:
    """Why the bytes are no text, with the place; None when they are UTF-8.

    UTF-16 is refused although YAML allows it: kubernetes/apimachinery pkg/util/yaml/decoder.go @ v0.35.0 reads lines of
    bytes and ends each with one byte.
    """
    if data.startswith(_UTF16_MARKS) or _looks_like_utf16(data):
        return _at(0, data, NOT_UTF8.at((), "the file is UTF-16 text", help=_UTF16_HELP), file)
    if b"\0" in data:
        binary = NOT_TEXT.at((), "the file is binary: it contains NUL bytes", help="Name a YAML or JSON file.")
        return _at(data.index(b"\0"), data, binary, file)
    if data.isascii():
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return _at(error.start, data, NOT_UTF8.at((), message, help="Save the file as UTF-8."), file)
    return None


def _at(offset: int, data: bytes, finding: Finding, file: str) -> Finding:
    before = data[:offset]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace").lstrip("\ufeff")) + 1
    return replace(finding, file=file, line=line, column=column, end_line=line, end_column=column + 1)


def _looks_like_utf16(data: bytes) -> bool:
    """ASCII text in UTF-16 without a byte order mark: every other byte of the beginning is NUL."""
    head = data[:8]
    return len(head) == 8 and ((not any(head[1::2]) and all(head[::2])) or (not any(head[::2]) and all(head[1::2])))
