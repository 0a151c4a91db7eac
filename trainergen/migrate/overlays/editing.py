"""Edits of kustomizations and patch files: items of lists put in place of others, all that stays left as written."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from trainergen.migrate.comments import comments_in, comments_of
from trainergen.migrate.writing import list_lines, yaml_text
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.source.document import Document
    from trainergen.source.tree import Node

    Item = int | dict[str, JsonValue] | str
    """The number of an item that stays, or a new one."""


def with_lists(document: Document, lists: Mapping[str, list[Item]]) -> bytes | None:
    """The file of a kustomization with other lists at its top; an empty one is taken out.

    None where the file cannot be edited so that it says just that.
    """
    wanted = expected(document.object, lists)
    source = document.span.source
    if _is_json(document):
        return (json.dumps(wanted, indent=2, ensure_ascii=False) + "\n").encode()
    text = source.text
    for key, items in lists.items():
        result = read_documents(text.encode(), file=document.file)
        if len(result.documents) != 1 or result.failures:
            return None
        changed = _with_list(result.documents[0], key, items)
        if changed is None:
            return None
        text = changed
    result = read_documents(text.encode(), file=document.file)
    if len(result.documents) != 1 or result.documents[0].value != wanted:
        return None
    if "\r\n" in source.text:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return source.data[: source.bom] + text.encode()


def expected(value: JsonObject, lists: Mapping[str, list[Item]]) -> JsonObject:
    """The value of a kustomization with other lists."""
    out = dict(value)
    for key, items in lists.items():
        old = value.get(key)
        known = old if isinstance(old, list) else []
        made: list[JsonValue] = [known[item] if isinstance(item, int) else item for item in items]
        if made:
            out[key] = made
        else:
            out.pop(key, None)
    return out


def _is_json(document: Document) -> bool:
    root = document.span.root
    return root is None or root.flow


def _with_list(document: Document, key: str, items: list[Item]) -> str | None:
    """The text with another list at a key."""
    text = document.span.source.text
    root = document.span.root
    if root is None or not root.is_mapping:
        return None
    if key not in root.index:
        if not items:
            return text
        added = "\n".join([f"{key}:", *("  " + line if line else "" for line in _new_lines(items))])
        return f"{text.rstrip()}\n{added}\n"
    name, node = root.index[key]
    end = _line_end(text, max(node.end, name.end))
    start = text.rfind("\n", 0, name.start) + 1
    if not items:
        return text[:start] + text[end:]
    pieces = _pieces(text, node, end) if node.is_list and not node.flow else None
    if pieces is None:
        if "#" in text[name.end : end] or node.alias_of is not None:
            return None
        old = document.object.get(key)
        known = old if isinstance(old, list) else []
        values = [known[item] if isinstance(item, int) else item for item in items]
        lines = ["  " + line if line else "" for line in list_lines(values)]
        return text[:start] + "\n".join([f"{key}:", *lines, ""]) + text[end:]
    head, parts, indent = pieces
    written = "".join(_merged(items, parts, indent))
    return text[:head] + written + text[end:]


def _merged(items: list[Item], parts: list[str], indent: str) -> Iterator[str]:
    """The items one after the other; comments of those that are gone stand above what is in their place."""
    waiting: list[Item] = []
    last = -1
    for item in [*items, len(parts)]:
        if not isinstance(item, int):
            waiting.append(item)
            continue
        yield from (f"{indent}{line}\n" for part in parts[last + 1 : item] for line in comments_of(part))
        yield from (f"{indent}{line}\n" if line else "\n" for line in _new_lines(waiting))
        if item < len(parts):
            yield parts[item] if parts[item].endswith("\n") else parts[item] + "\n"
        waiting, last = [], item


def _new_lines(items: list[Item]) -> list[str]:
    return list_lines([item for item in items if not isinstance(item, int)])


def _pieces(text: str, node: Node, end: int) -> tuple[int, list[str], str] | None:
    """Where the first item's line starts, the text of each item, and how far they are indented."""
    starts = []
    for child in node.children:
        line = text.rfind("\n", 0, child.start) + 1
        if not re.fullmatch(r"[ \t]*-[ \t]*", text[line : child.start]):
            return None
        starts.append(line)
    if not starts:
        return None
    bounds = [*starts, end]
    parts = [text[one:other] for one, other in pairwise(bounds)]
    first = parts[0]
    return starts[0], parts, first[: len(first) - len(first.lstrip(" "))]


def _line_end(text: str, at: int) -> int:
    """Behind the line on which something ends."""
    if at and text[at - 1] == "\n":
        return at
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def with_documents(data: bytes, file: str, replaced: Mapping[int, list[JsonValue]]) -> bytes:
    """A file of patches with other documents in the place of some, whose comments go above what is new."""
    result = read_documents(data, file=file)
    if data.lstrip()[:1] in (b"{", b"["):
        (values,) = replaced.values()
        return (json.dumps(values[0], indent=2, ensure_ascii=False) + "\n").encode() if values else b""
    text = result.documents[0].span.source.text
    out, done = [], 0
    for document in result.documents:
        if document.index not in replaced:
            continue
        span = document.span
        old = text[span.start : span.end]
        lines = [*comments_in(document)]
        written = "---\n".join(_document_text(value) for value in replaced[document.index])
        head = "---\n" if old.startswith("---") else ""
        out += [text[done : span.start], head, "".join(f"{line}\n" for line in lines), written]
        done = span.end
    made = "".join([*out, text[done:]])
    if "\r\n" in text:
        made = made.replace("\r\n", "\n").replace("\n", "\r\n")
    return made.encode()


def _document_text(value: JsonValue) -> str:
    if isinstance(value, dict):
        return yaml_text(value)
    return "\n".join([*list_lines(value if isinstance(value, list) else [value]), ""])
