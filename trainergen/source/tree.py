"""The nodes of a document as written: where every key and value lies, anchors and merge keys followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from trainergen.source.events import Event, next_event
from trainergen.source.scalars import MERGE_TAG, TagMismatchError, key_text, plain_key, tagged

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.source.text import SourceText


Entry = tuple["Node", "Node"]


@dataclass(slots=True, eq=False)
class Node:
    """A scalar, mapping or list at the characters ``start`` to ``end`` (exclusive) of the source text.

    ``children`` holds the items of a list, and key, value, key, value … of a mapping. ``alias_of`` is the anchored node
    where an alias stands. ``key`` is a scalar's text as a mapping key, ``merges`` tells a merge key; ``style`` is the
    quotes or block indicator, empty when plain.
    """

    start: int
    end: int
    children: list[Node] = field(default_factory=list)
    is_mapping: bool = False
    is_list: bool = False
    flow: bool = False
    text: str = ""
    style: str = ""
    key: str = ""
    merges: bool = False
    alias_of: Node | None = None
    _index: dict[str, Entry] | None = None

    @property
    def target(self) -> Node:
        """The node itself, or what an alias stands for."""
        return self.alias_of or self

    @property
    def pairs(self) -> Iterator[Entry]:
        """Keys and values of a mapping as written, merge keys among them."""
        return zip(self.children[::2], self.children[1::2], strict=True)

    @property
    def index(self) -> dict[str, Entry]:
        """Key and value node of every key of a mapping, merge keys followed; of equal keys the last one counts."""
        if self._index is None:
            self._index = {}
            for key, value in self.pairs:
                if key.merges:
                    for mapping in reversed(value.target.children) if value.target.is_list else [value.target]:
                        self._index.update(mapping.target.index)
                else:
                    self._index[key.key] = key, value
        return self._index

    def head(self) -> Node:
        """What to point at when the whole node is meant: the first key of a mapping, else the node."""
        return self.children[0] if self.is_mapping and self.children else self


def compose(source: SourceText, start: int, end: int) -> Node | None:
    """The root node of the document at these characters of the text; None where it is not YAML."""
    text = source.text[start:end]
    try:
        return _Composer(text, start).compose()
    except yaml.YAMLError:
        from trainergen.source.jsontext import without_surrogates

    try:
        return _Composer(without_surrogates(text), start).compose()
    except yaml.YAMLError:
        return None


class _Composer:
    def __init__(self, text: str, base: int) -> None:
        self._text = text
        self._base = base
        self._anchors: dict[str, Node] = {}

    def compose(self) -> Node | None:
        step = next_event(self._text)
        root = Node(0, 0)
        stack = [root]
        while not (len(stack) == 1 and root.children):
            event = step()
            kind = event.__class__
            if kind is ScalarEvent or kind is AliasEvent:
                stack[-1].children.append(self._leaf(event))
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                node = self._collection(event)
                stack[-1].children.append(node)
                stack.append(node)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close(stack.pop(), event)
            elif event is None:
                return None
        return root.children[0]

    def _collection(self, event: Event) -> Node:
        node = Node(self._base + event.start_mark.index, self._base + event.end_mark.index, flow=bool(event.flow_style))
        node.is_mapping = event.__class__ is MappingStartEvent
        node.is_list = not node.is_mapping
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _close(self, node: Node, event: Event) -> None:
        # NB: a block collection ends for the parser where the next token starts, comments and blank lines included.
        node.end = node.children[-1].end if node.children and not node.flow else self._base + event.end_mark.index
        if any(key.merges for key in node.children[::2]):
            _ = node.index  # while those of the merged mappings are there: a long chain of merges does not recurse

    def _leaf(self, event: Event) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        kind = event.__class__
        if kind is AliasEvent:
            anchored = self._anchors[event.anchor]
            return Node(self._base + start, self._base + end, key=anchored.key, alias_of=anchored)
        if event.style in {"|", ">"}:
            end = start + len(self._text[start:end].rstrip())
        node = Node(self._base + start, self._base + end, text=event.value, style=event.style or "", key=_key(event))
        node.merges = event.value == "<<" and (event.implicit[0] or event.tag == MERGE_TAG)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node


def _key(event: Event) -> str:
    text: str = event.value
    if event.tag is None:
        return (plain_key(text) if event.implicit[0] else text) or ""
    try:
        return key_text(tagged(event.tag, text)) or ""
    except TagMismatchError:
        return text


def trail(root: Node, path: Path) -> list[tuple[Node | None, Node]]:
    """Key and value of every step of a path that exists, from the root on; the root itself is not in it."""
    found: list[tuple[Node | None, Node]] = []
    node = root.target
    for step in path:
        pair: tuple[Node | None, Node] | None = None
        if isinstance(step, int):
            if node.is_list and step < len(node.children):
                pair = None, node.children[step]
        elif node.is_mapping:
            pair = node.index.get(step)
        if pair is None:
            break
        found.append(pair)
        node = pair[1].target
    return found
