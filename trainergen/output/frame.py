"""Code frames: the lines around a place, numbered, with the place underlined."""

from __future__ import annotations

import re
from typing import NamedTuple

from trainergen.output.colour import paint
from trainergen.output.visible import cells

# The line breaks of YAML 1.1, which the positions of findings count.
_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"
# A line longer than this is cut before its columns are worked out.
_LONG = 2_000


class Place(NamedTuple):
    """A range in a text, in lines and columns from 1; ``end_column`` is exclusive."""

    line: int
    column: int
    end_line: int = 0
    end_column: int = 0


class FrameStyle(NamedTuple):
    """How much to show, and whether in colour (``severity`` is the style of the underline)."""

    context: int = 1
    width: int = 110
    colour: bool = False
    severity: str = "error"


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` without their breaks."""
    return re.split(_BREAK, text)


def draw(lines: list[str], place: Place, style: FrameStyle) -> list[str]:
    """The frame of ``place``, or nothing when the text has no such line."""
    if not 1 <= place.line <= len(lines):
        return []
    first = max(1, place.line - style.context)
    last = min(len(lines), place.line + style.context)
    while first < place.line and not lines[first - 1].strip():
        first += 1
    while last > place.line and not lines[last - 1].strip():
        last -= 1
    window = _window(lines[place.line - 1], place, style.width)
    number_width = len(str(last))
    out = [_gutter("", number_width, style)]
    for number in range(first, last + 1):
        text = window.cut(lines[number - 1])
        out.append(f"{_gutter(str(number), number_width, style)} {text}".rstrip())
        if number == place.line:
            marks = paint(style.severity, "^" * window.length, style.colour)
            more = f" to line {place.end_line}" if place.end_line > place.line else ""
            out.append(f"{_gutter('', number_width, style)} {' ' * window.caret}{marks}{more}")
    return out


class _Window(NamedTuple):
    """The part of each line that is shown, and where in it the marks go."""

    skip: int
    start: int
    width: int
    caret: int
    length: int

    def cut(self, line: str) -> str:
        columns, _ = cells(line[self.skip : self.skip + _LONG])
        end = self.start + self.width
        cut_after = len(columns) > end or len(line) > self.skip + _LONG
        shown = columns[self.start : end]
        # Half of a wide character at either edge becomes a space.
        if shown and shown[0] == "":
            shown[0] = " "
        if columns[end : end + 1] == [""]:
            shown[-1] = " "
        before = "…" if (self.start or self.skip) and columns else ""
        return before + "".join(shown) + ("…" if cut_after else "")


def _window(line: str, place: Place, width: int) -> _Window:
    column = min(max(place.column, 1), len(line) + 1) - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    if not place.end_line:
        end = column + 1
    end = min(max(end, column + 1), len(line))
    skip = 0 if len(line) <= _LONG else max(0, column - _LONG // 2)
    columns, starts = cells(line[skip : skip + _LONG])
    at = starts[min(column - skip, len(starts) - 1)]
    to = starts[min(max(end - skip, 0), len(starts) - 1)]
    start = 0 if len(columns) <= width else max(0, min(at - width // 3, len(columns) - width))
    caret = at - start + (1 if start or skip else 0)
    return _Window(skip, start, width, caret, max(1, min(to, start + width) - at))


def _gutter(number: str, width: int, style: FrameStyle) -> str:
    return paint("gutter", f" {number:>{width}} |", style.colour)
