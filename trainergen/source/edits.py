"""Edits of manifests as byte ranges: values, entries and items, with everything around them left as it is written.

Each function returns None where the place cannot be edited by itself: it does not exist, it is shared through an
anchor, alias or merge key, or something else on its lines would be lost.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.fix import Edit
from trainergen.source.tree import trail
from trainergen.source.writing import entry_lines, flow_text, item_lines, key_text, scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainergen.finding import JsonValue, Path
    from trainergen.source.document import Document
    from trainergen.source.tree import Node

_BLANK = " \t"


def replace_value(document: Document, path: Path, value: JsonValue) -> Edit | None:
    """Write another value at ``path``; a text keeps the quotes of the old one."""
    place = _Place.of(document, path)
    if place is None or place.is_shared:
        return None
    node = place.node
    if node.start == node.end:
        # Behind the colon, before a comment if there is one.
        return place.edit(node.start, node.start, " " + place.flow(value))
    if not node.flow and (node.is_mapping or node.is_list):
        if "#" in place.text[node.start : node.end] or (isinstance(value, dict | list) and value):
            return None
        start = node.start if place.key is None else _after_colon(place)
        return place.edit(start, node.end, ("" if place.key is None else " ") + scalar_text(value))
    style = node.style if node.style in ("'", '"') else ""
    in_flow = place.is_json or isinstance(value, dict | list)
    written = place.flow(value) if in_flow else scalar_text(value, style=style)
    return place.edit(node.start, node.end, written)


def replace_key(document: Document, path: Path, key: str) -> Edit | None:
    """Write another key for the entry at ``path``."""
    place = _Place.of(document, path)
    if place is None or place.key is None or place.in_shared:
        return None
    return place.edit(place.key.start, place.key.end, json.dumps(key) if place.is_json else key_text(key))


def delete_entry(document: Document, path: Path, *, shared: bool = False) -> Edit | None:
    """Take the entry of a mapping, or the item of a list, out with its lines; comments on lines of their own stay.

    The only one leaves ``{}`` or ``[]`` behind. ``shared`` takes out a value that has an anchor or is an alias, too:
    the caller sees to what else refers to it.
    """
    place = _Place.of(document, path)
    if place is None or place.parent is None or place.in_shared or (place.is_shared and not shared):
        return None
    siblings = place.siblings
    if len(siblings) == 1:
        return replace_value(document, path[:-1], [] if place.parent.is_list else {})
    return _delete_flow(place, siblings) if place.parent.flow else _delete_block(place, siblings)


def insert_entry(document: Document, path: Path, key: str, value: JsonValue, *, after: str = "") -> Edit | None:
    """Add ``key: value`` to the mapping at ``path``, behind the key ``after`` or at its end.

    Mappings on the way that do not exist are made; those that are empty are filled.
    """
    place = _Place.of(document, path)
    if place is None:
        return insert_entry(document, path[:-1], str(path[-1]), {key: value}) if path else None
    node = place.node
    if place.is_shared or not (node.is_mapping or node.start == node.end) or (node.is_mapping and key in node.index):
        return None
    if node.start == node.end:
        return _fill(place, entry_lines(key, value))
    if node.flow:
        # The braces of the one entry are taken off again, so that its key is written like any other.
        return _insert_flow(place, place.flow({key: value})[1:-1])
    pairs = list(node.pairs)
    behind = next((pair for pair in pairs if pair[0].key == after), pairs[-1]) if after else pairs[-1]
    return _insert_block(place, behind[1], pairs[0][0], entry_lines(key, value), at=behind[0])


def insert_item(document: Document, path: Path, value: JsonValue) -> Edit | None:
    """Add an item at the end of the list at ``path``, which is made when it does not exist."""
    place = _Place.of(document, path)
    if place is None:
        return insert_entry(document, path[:-1], str(path[-1]), [value]) if path else None
    node = place.node
    if place.is_shared or not (node.is_list or node.start == node.end):
        return None
    if node.start == node.end:
        return _fill(place, item_lines(value))
    if node.flow:
        return _insert_flow(place, place.flow(value))
    dash = place.dash_of(node.children[0])
    return None if dash is None else _insert_block(place, node.children[-1], dash, item_lines(value))


def _after_colon(place: _Place) -> int:
    assert place.key is not None
    return place.text.index(":", place.key.end) + 1


def _delete_flow(place: _Place, siblings: Sequence[Node]) -> Edit | None:
    """With the comma behind it, or before it when it is the last."""
    index = next(number for number, sibling in enumerate(siblings) if sibling is place.head)
    if index + 1 < len(siblings):
        start, end = place.head.start, siblings[index + 1].start
    else:
        assert place.parent is not None
        start, end = place.parent.children[-3 if place.parent.is_mapping else -2].end, place.node.end
    return None if "#" in place.text[start:end] else place.edit(start, end, "")


def _delete_block(place: _Place, siblings: Sequence[Node]) -> Edit | None:
    head = place.head if place.key is not None else place.dash_of(place.node)
    if head is None:
        return None
    at = head if isinstance(head, int) else head.start
    line_start = place.line_start(at)
    end = place.line_end(max(place.node.end, place.head.end))
    if not place.text[line_start:at].strip(_BLANK):
        return place.edit(line_start, place.past_newline(end), "")
    # The first key behind a dash: what follows moves up to it.
    following = siblings[1] if siblings[0] is place.head else None
    if following is None or place.text[place.node.end : following.start].strip():
        return None
    return place.edit(at, following.start, "")


def _fill(place: _Place, lines: list[str]) -> Edit | None:
    """Put lines below a key that has no value yet."""
    if place.key is None:
        return None
    indent = place.column(place.key.start) + 2
    at = place.line_end(place.key.end)
    return place.edit(at, at, "".join(place.newline + " " * indent + line for line in lines))


def _insert_flow(place: _Place, text: str) -> Edit:
    children = place.node.children
    if children:
        return place.edit(children[-1].end, children[-1].end, f", {text}")
    return place.edit(place.node.start + 1, place.node.end - 1, text)


def _insert_block(
    place: _Place, last: Node, first: Node | int, lines: list[str], *, at: Node | None = None
) -> Edit | None:
    header = place.text[last.start : last.start + 3]
    if last.style in ("|", ">") and "+" in header:
        # The blank lines behind it belong to its value.
        return None
    indent = place.column(first if isinstance(first, int) else first.start)
    end = place.line_end(max(last.end, at.end if at else 0))
    return place.edit(end, end, "".join(place.newline + " " * indent + line for line in lines))


class _Place:
    """A node with its key and parent, and the text around it."""

    def __init__(self, document: Document, steps: list[tuple[Node | None, Node]], root: Node) -> None:
        self._source = document.span.source
        self.text = self._source.text
        self._end = document.span.end
        self.key, self.node = steps[-1] if steps else (None, root)
        nodes = [root, *(value for _, value in steps)]
        self.parent = nodes[-2] if steps else None
        self._above = nodes[:-1]
        self.is_json = root.flow
        """Whether the document is JSON, or YAML of that form, where every text has its quotes."""

    @classmethod
    def of(cls, document: Document, path: Path) -> _Place | None:
        """The place of a path, None when it does not exist."""
        root = document.span.root
        full = document.prefix + path
        steps = trail(root, full) if root is not None else []
        return cls(document, steps, root) if root is not None and len(steps) == len(full) else None

    @property
    def in_shared(self) -> bool:
        """Whether a mapping or list above is used elsewhere too, or the entry comes from a merge key."""
        above = any(node.alias_of is not None or self._is_marked(node) for node in self._above)
        merged = self.key is not None and self.parent is not None and self.key not in self.parent.children
        return above or merged

    @property
    def is_shared(self) -> bool:
        """Whether the value, or what it lies in, is used elsewhere too."""
        return self.in_shared or self.node.alias_of is not None or self._is_marked(self.node)

    def _is_marked(self, node: Node) -> bool:
        """Whether a node has an anchor or a tag."""
        return node.start < node.end and self.text[node.start] in "&!"

    @property
    def head(self) -> Node:
        """The key, or the item itself."""
        return self.key or self.node

    @property
    def siblings(self) -> list[Node]:
        """The keys of the mapping, or the items of the list, that it is in."""
        assert self.parent is not None
        return self.parent.children[:: 2 if self.parent.is_mapping else 1]

    @property
    def newline(self) -> str:
        """How lines end in this file."""
        return "\r\n" if "\r\n" in self.text else "\n"

    def flow(self, value: JsonValue) -> str:
        """A value on one line: JSON stays JSON, elsewhere plain where that is enough."""
        return json.dumps(value, ensure_ascii=False) if self.is_json else flow_text(value)

    def edit(self, start: int, end: int, replacement: str) -> Edit:
        """An edit of characters, as one of bytes."""
        source = self._source
        return Edit(source.byte_offset(start), source.byte_offset(end), replacement.encode())

    def line_start(self, at: int) -> int:
        """Where the line of a character starts."""
        return max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1

    def line_end(self, at: int) -> int:
        """Where the line of a character ends, its line break left out."""
        ends = [found for mark in "\r\n" if (found := self.text.find(mark, at)) >= 0]
        return min([*ends, len(self.text)])

    def past_newline(self, at: int) -> int:
        """Behind the line break at a place."""
        if self.text.startswith("\r\n", at):
            return at + 2
        return min(at + 1, len(self.text))

    def column(self, at: int) -> int:
        """How far a character is from the start of its line."""
        return at - self.line_start(at)

    def dash_of(self, item: Node) -> int | None:
        """Where the dash of a list's item is, None when it is not the first on its line."""
        start = self.line_start(item.start)
        at = self.text.rfind("-", start, item.start)
        return at if at >= 0 and not self.text[start:at].strip(_BLANK) else None
