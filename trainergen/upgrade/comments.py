"""Comments in a stretch of a document, told from number signs inside its values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.source.tree import Node

_BEHIND = re.compile(r"[ \t]+#[^\r\n]*")
_SIGN = re.compile(r"(?:(?<=[ \t\r\n])|\A)#[^\r\n]*", re.MULTILINE)


def trailing_comment(text: str, at: int) -> str:
    """The comment that the rest of a line is, with the blanks before it; empty when it is something else."""
    match = _BEHIND.match(text, at)
    return match[0].rstrip() if match else ""


def comments_in(text: str, start: int, end: int, root: Node | None) -> list[str]:
    """The comments between two characters of a document, ``root`` being its nodes."""
    taken = _scalars(root, start, end) if root is not None else []
    found = []
    at = start
    while (match := _SIGN.search(text, at, end)) is not None:
        inside = next((stop for begin, stop in taken if begin <= match.start() < stop), None)
        if inside is None:
            found.append(match[0].rstrip())
        at = max(match.end(), 0) if inside is None else inside
    return found


def _scalars(root: Node, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches that scalars take up."""
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_mapping or node.is_list:
            waiting += node.children
        elif node.start < end and node.end > start:
            found.append((node.start, node.end))
    return found
