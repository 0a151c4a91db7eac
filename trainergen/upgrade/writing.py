"""Parts of a draft as text: new values in house style, moved ones as their author wrote them, comments included."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.source.writing import entry_lines, flow_text, item_lines, key_text
from trainergen.upgrade.comments import trailing_comment
from trainergen.upgrade.draft import Moved, plain

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.source.document import Document
    from trainergen.source.tree import Node
    from trainergen.upgrade.draft import Part

_STEP = "  "


class Writer:
    """Writes parts; moved ones are cut from ``document``, the one that the draft was made of.

    ``moving`` False writes values only, for documents in which anchors and aliases would come apart.
    """

    def __init__(self, document: Document, *, as_json: bool, moving: bool = True) -> None:
        self._document = document
        self._text = document.span.source.text
        self._moving = moving
        self._json = as_json
        self._anchored: set[int] = set()

    def entry(self, key: str, part: Part) -> list[str]:
        """``key: part`` as the lines of a block mapping, the first one not indented."""
        node = self._node(part)
        if node is not None and isinstance(part, Moved):
            return [*self._above(part.path), *self._moved_entry(key, part.path, node)]
        if isinstance(part, dict) and part:
            return [
                f"{key_text(key)}:",
                *(_indented(line) for each, value in part.items() for line in self.entry(each, value)),
            ]
        if isinstance(part, list) and part:
            return [f"{key_text(key)}:", *(_indented(line) for item in part for line in self.item(item))]
        return entry_lines(key, plain(part))

    def item(self, part: Part) -> list[str]:
        """``- part`` as the lines of a block list."""
        node = self._node(part)
        if node is not None:
            first, *others = self._slice(node)
            return ["- " + first, *(_indented(line) for line in others)]
        if isinstance(part, dict) and part:
            lines = [line for key, value in part.items() for line in self.entry(key, value)]
            at = next(at for at, line in enumerate(lines) if not line.startswith("#"))
            return [*lines[:at], "- " + lines[at], *(_indented(line) for line in lines[at + 1 :])]
        return item_lines(plain(part))

    def flow(self, part: Part) -> str:
        """A part on one line, or on the lines that it has where it comes from."""
        node = self._node(part)
        if node is not None and (node.flow or not (node.is_mapping or node.is_list)) and node.style not in ("|", ">"):
            return self._text[node.start : node.end] or "null"
        if self._json:
            return self._json_text(part)
        if isinstance(part, dict) and part:
            return "{" + ", ".join(f"{key_text(key)}: {self.flow(value)}" for key, value in part.items()) + "}"
        if isinstance(part, list) and part:
            return "[" + ", ".join(map(self.flow, part)) + "]"
        return flow_text(plain(part))

    def _json_text(self, part: Part) -> str:
        if isinstance(part, dict):
            return "{" + ", ".join(f"{json.dumps(key)}: {self.flow(value)}" for key, value in part.items()) + "}"
        if isinstance(part, list):
            return "[" + ", ".join(map(self.flow, part)) + "]"
        return json.dumps(plain(part), ensure_ascii=False)

    def _node(self, part: Part) -> Node | None:
        """Where a part is written, None when it is to be written anew."""
        if not isinstance(part, Moved) or not self._moving:
            return None
        node = self._document.node_at(part.path)
        if node is None:
            return None
        marks = set(_anchored_in(node, self._text))
        if marks & self._anchored:
            # A second copy would define its anchors a second time.
            return None
        self._anchored |= marks
        return node

    def _moved_entry(self, key: str, path: Path, node: Node) -> list[str]:
        after_key = trailing_comment(self._text, self._key_end(path)) if isinstance(path[-1], str) else ""
        if node.start == node.end:
            return [f"{key_text(key)}:{after_key}"]
        if (node.is_mapping or node.is_list) and not node.flow:
            mark = ""
            if self._text[node.start] in "&!":
                mark = " " + self._text[node.start : self._text.index("\n", node.start)].rstrip().split(" #")[0]
            head = self._comments_before(self._key_end(path), node.start)
            return [f"{key_text(key)}:{mark}{after_key}", *(_indented(line) for line in (*head, *self._slice(node)))]
        first, *others = self._slice(node)
        return [f"{key_text(key)}: {first}", *others]

    def _key_end(self, path: Path) -> int:
        return self._text.index(":", self._key(path).end) + 1

    def _key(self, path: Path) -> Node:
        parent = self._document.node_at(path[:-1])
        assert parent is not None
        return parent.target.index[str(path[-1])][0]

    def _above(self, path: Path) -> list[str]:
        """The comments on lines of their own above an entry whose mapping does not stay."""
        if not isinstance(path[-1], str) or len(path) <= _STAYING:
            return []
        lines: list[str] = []
        start = self._text.rfind("\n", 0, self._key(path).start) + 1
        if self._text[start : self._key(path).start].strip():
            return []
        while start > 0:
            above = self._text.rfind("\n", 0, start - 1) + 1
            line = self._text[above : start - 1].strip()
            if not line.startswith("#"):
                break
            lines.insert(0, line)
            start = above
        return lines

    def _comments_before(self, start: int, end: int) -> list[str]:
        """The comments on lines of their own between a key and its value."""
        return [line.strip() for line in self._text[start:end].split("\n")[1:] if line.strip().startswith("#")]

    def _slice(self, node: Node) -> list[str]:
        """The lines of a value, moved to the left margin, with the comment behind its last one."""
        start = node.start
        if (node.is_mapping or node.is_list) and not node.flow and self._text[start] in "&!":
            start = self._text.index("\n", start) + 1
        end = node.end
        raw = self._text[start:end] + trailing_comment(self._text, end)
        first, *others = [line.removesuffix("\r") for line in raw.split("\n")]
        margin = len(first) - len(first.lstrip(" "))
        if not margin:
            margin = start - (self._text.rfind("\n", 0, start) + 1)
        if not ((node.is_mapping or node.is_list) and not node.flow):
            # Lines that go on: as far in as the first of them, below the key.
            margin = min((len(line) - len(line.lstrip(" ")) for line in others if line.strip()), default=0)
            return [first, *(_indented(line[margin:]) for line in others)]
        return [first.lstrip(" "), *(_dedented(line, margin) for line in others)]


_STAYING = 2
"""Entries of ``spec`` itself: the mapping that they are in stays, and so do the comments above them."""


def _indented(line: str) -> str:
    """A line one level in; empty ones stay empty."""
    return _STEP + line if line else ""


def _dedented(line: str, margin: int) -> str:
    return line[min(margin, len(line) - len(line.lstrip(" "))) :]


def _anchored_in(node: Node, text: str) -> list[int]:
    found = [node.start] if node.start < node.end and text[node.start] == "&" else []
    return found + [mark for child in node.children for mark in _anchored_in(child, text)]
