"""Texts inside documents, such as a patch in a kustomization, written anew in their place and style."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.fix import Edit, apply_edits
from trainergen.source.reader import read_documents
from trainergen.source.writing import scalar_text

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path
    from trainergen.source.document import Document
    from trainergen.source.text import SourceText
    from trainergen.source.tree import Node


def stretch(source: SourceText, start: int, old: str, new: str) -> Edit:
    """The edit between what is the same at the start and at the end of a text that begins at a character."""
    shortest = min(len(old), len(new))
    head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    tail = next((at for at in range(shortest - head) if old[-1 - at] != new[-1 - at]), shortest - head)
    first, last = source.byte_offset(start + head), source.byte_offset(start + len(old) - tail)
    return Edit(first, last, new[head : len(new) - tail].encode())


def retext(document: Document, path: Path, new: str) -> Edit | None:
    """Write another text at a path; None where that cannot be done and leave everything else as it is.

    A literal block stays one, with its indentation and its line ends; the result is read again.
    """
    node = document.node_at(path)
    if node is None or node.alias_of is not None or node.is_mapping or node.is_list:
        return None
    text = document.span.source.text
    if node.start == node.end or text[node.start] in "&!":
        return None
    written = _written(document, node, new)
    if written is None:
        return None
    edit = stretch(document.span.source, node.start, text[node.start : node.end], written)
    return edit if _holds(document, edit, path, new) else None


def _written(document: Document, node: Node, new: str) -> str | None:
    text = document.span.source.text
    old = text[node.start : node.end]
    if node.style == "|":
        return _block(old, node.text, new, newline="\r\n" if "\r\n" in text else "\n")
    if node.style == ">":
        return None
    root = document.span.root
    if root is not None and root.flow:
        return json.dumps(new, ensure_ascii=False)
    return scalar_text(new, style=node.style)


def _block(old: str, value: str, new: str, *, newline: str) -> str | None:
    """A literal block with another text, ``old`` as written and ``value`` as read."""
    header, *lines = old.split("\n")
    pairs = zip(lines, value.split("\n"), strict=False)
    indent = next((len(raw.rstrip("\r")) - len(line) for raw, line in pairs if line.strip()), None)
    if indent is None:
        return None
    body = new.rstrip("\n").split("\n")
    return newline.join([header.rstrip("\r"), *(" " * indent + line if line else "" for line in body)])


def _holds(document: Document, edit: Edit, path: Path, new: str) -> bool:
    """Whether the file is the same after an edit but for the text at the path."""
    result = read_documents(apply_edits(document.span.source.data, [edit]), file=document.file)
    found = next((one for one in result.documents if one.index == document.index), None)
    return found is not None and found.value == with_text(document.value, document.prefix + path, new)


def with_text(value: JsonValue, path: Path, new: JsonValue) -> JsonValue:
    """A value with another one at a path, which exists."""
    if not path:
        return new
    step, *others = path
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: with_text(value[step], tuple(others), new)}
    if isinstance(value, list) and isinstance(step, int):
        return [with_text(each, tuple(others), new) if at == step else each for at, each in enumerate(value)]
    raise KeyError(step)
