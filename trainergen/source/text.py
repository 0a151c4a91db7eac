"""The text of one file: its encoding, its lines, and the way from characters to places and bytes."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n|\n|\r")


class SourceText:
    """The bytes of a file, UTF-8 by the time this exists, and what is derived from them when asked for.

    Offsets count Unicode characters and leave a byte order mark out, as the YAML parser's marks do.
    """

    def __init__(self, data: bytes, *, file: str) -> None:
        self.file = file
        self.bom = len(_BOM) if data.startswith(_BOM) else 0
        self.data = data

    @cached_property
    def text(self) -> str:
        """The text without byte order mark."""
        return self.data[self.bom :].decode("utf-8")

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1; the column counts Unicode characters."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def byte_offset(self, offset: int) -> int:
        """Where a character starts in ``data``."""
        if self.data.isascii():
            return offset
        return self.bom + len(self.text[:offset].encode("utf-8"))

    def release(self) -> None:
        """Forget what can be derived again."""
        self.__dict__.pop("text", None)
        self.__dict__.pop("_line_starts", None)
