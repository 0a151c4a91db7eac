"""Columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

GAP = "  "


def table(rows: Iterable[Sequence[str]], *, right: frozenset[int] = frozenset(), indent: str = "") -> list[str]:
    """Rows as lines with aligned columns; those in ``right`` are aligned to the right. Rows may differ in length."""
    rows = [tuple(row) for row in rows]
    widths: dict[int, int] = {}
    for row in rows:
        # What stands in the last column of a row may be as long as it likes.
        for number, cell in enumerate(row if right else row[:-1]):
            widths[number] = max(widths.get(number, 0), len(cell))
    return [
        indent + GAP.join(_cell(cell, number, widths, right) for number, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def _cell(cell: str, number: int, widths: dict[int, int], right: frozenset[int]) -> str:
    width = widths.get(number, 0)
    return cell.rjust(width) if number in right else cell.ljust(width)
