"""The comments of a legacy document, and where they go in what it becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue, Path
    from trainergen.migrate.result import Migration
    from trainergen.source import Document
    from trainergen.source.tree import Node

_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[^\r\n]*", re.MULTILINE)


@dataclass(slots=True)
class Comments:
    """Comments of one object of the output: above a key or item, and behind it on its line."""

    above: dict[Path, list[str]] = field(default_factory=dict)
    beside: dict[Path, str] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)


def carry(document: Document, migration: Migration) -> dict[str, Comments]:
    """The comments of a document for each object that it becomes, by kind.

    A comment goes along with the value that it is written at; where that is gone, to the head of the last object.
    """
    found = {str(each["kind"]): Comments() for each in migration.objects}
    last = str(migration.objects[-1]["kind"])
    root = document.span.root
    if root is None:
        return found
    text, base = document.span.source.text, document.span.start
    places = sorted(_places(root, ()), key=lambda place: place[0])
    values = sorted(_values(root))
    for match in _COMMENT.finditer(text, base, document.span.end):
        at = match.start()
        if any(start <= at < end for start, end in values):
            continue
        line_start = text.rfind("\n", 0, at) + 1
        alone = not text[max(line_start, base) : at].strip(" \t-")
        _put(match[0], _owner(places, at, alone=alone), (found, last), migration, alone=alone)
    return found


def comments_in(document: Document) -> list[str]:
    """All comments of a document, in order."""
    root = document.span.root
    if root is None:
        return []
    text, base = document.span.source.text, document.span.start
    values = sorted(_values(root))
    matches = list(_COMMENT.finditer(text, base, document.span.end))
    return [match[0] for match in matches if not any(start <= match.start() < end for start, end in values)]


def comments_of(text: str) -> list[str]:
    """All comments of a text with documents, in order."""
    documents = read_documents(text.encode("utf-8", "surrogatepass"), file="").documents
    values = [stretch for each in documents if each.span.root is not None for stretch in _values(each.span.root)]
    matches = list(_COMMENT.finditer(text))
    return [match[0] for match in matches if not any(start <= match.start() < end for start, end in values)]


def _owner(places: list[tuple[int, Path]], at: int, *, alone: bool) -> Path | None:
    """The key or item that a comment stands above, or behind."""
    if alone:
        return next((path for start, path in places if start > at), None)
    return next((path for start, path in reversed(places) if start < at), None)


def _put(
    comment: str, owner: Path | None, out: tuple[dict[str, Comments], str], migration: Migration, *, alone: bool
) -> None:
    found, last = out
    if owner is None:
        found[last].tail.append(comment)
        return
    kind, target = _target(owner, migration, last)
    where = found.get(kind) or found[last]
    if not target:
        where.head.append(comment)
    elif alone or target in where.beside:
        where.above.setdefault(target, []).append(comment)
    else:
        where.beside[target] = comment


def _target(owner: Path, migration: Migration, last: str) -> tuple[str, Path]:
    """Where the value at a place of the input went; an empty path when it is gone."""
    if len(owner) == 1 and owner[0] in ("apiVersion", "kind", "metadata", "spec"):
        return last, owner
    marks = {mark.source: mark for mark in migration.marks if mark.outcome == "mapped" and mark.target}
    objects = {str(each["kind"]): each for each in migration.objects}
    for length in range(len(owner), 0, -1):
        mark = marks.get(owner[:length])
        if mark is not None and mark.kind in objects:
            whole = (*mark.target, *owner[length:])
            return mark.kind, whole if _exists(objects[mark.kind], whole) else mark.target
    below = next((mark for source, mark in marks.items() if source[: len(owner)] == owner), None)
    return (below.kind, below.target) if below is not None and below.kind in objects else (last, ())


def _exists(value: JsonValue, path: Path) -> bool:
    for step in path:
        if isinstance(value, dict) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return False
    return True


def _places(node: Node, path: Path) -> Iterator[tuple[int, Path]]:
    if node.is_mapping:
        for key, value in node.pairs:
            if not key.merges:
                yield key.start, (*path, key.key)
                yield from _places(value, (*path, key.key))
    elif node.is_list:
        for at, child in enumerate(node.children):
            # An item that is a mapping starts at its first key, which is meant when a comment stands above it.
            yield child.start - 1, (*path, at)
            yield from _places(child, (*path, at))


def _values(node: Node) -> Iterator[tuple[int, int]]:
    """The stretches of text in which a ``#`` is no comment."""
    if node.is_mapping or node.is_list:
        for child in node.children:
            yield from _values(child)
    elif node.alias_of is None:
        yield node.start, node.end
