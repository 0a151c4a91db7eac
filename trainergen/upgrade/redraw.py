"""From a draft to the text of its document: one change after the other, each where the entry is, the rest untouched."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainergen.fix import Edit, apply_edits
from trainergen.source.edits import delete_entry, insert_entry, insert_item, replace_value
from trainergen.source.reader import read_documents
from trainergen.upgrade.comments import comments_in, trailing_comment
from trainergen.upgrade.draft import Draft, Moved, moved_in, plain
from trainergen.upgrade.texts import with_text
from trainergen.upgrade.writing import Writer

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.source.document import Document
    from trainergen.source.tree import Node
    from trainergen.upgrade.draft import Part


class _Change(NamedTuple):
    """``old`` and ``new`` are keys of the mapping at ``path``, empty for what is only added or only taken out."""

    path: Path
    old: str
    new: str
    part: Part = None
    is_item: bool = False


def redraw(document: Document, draft: Draft) -> str | None:
    """The text of the document as the draft wants it; None where it cannot be edited in place.

    That is the case where anchors, aliases or merge keys share what has to change. The result is read again and has
    the draft's value.
    """
    changes = list(_changes(draft, draft.root, (), document.value))
    for apply in (_together, _one_by_one, _as_values):
        text = apply(document, changes)
        if text is not None:
            found = _read(text, document)
            if found is not None and found.value == draft.value:
                return text
    return None


def replaced(document: Document, path: Path, part: Part) -> str | None:
    """The text of the document with another value for an entry as a whole; None where it cannot be edited in place."""
    key = str(path[-1])
    wanted = with_text(document.value, path, plain(part))
    for apply in (_together, _as_values):
        text = apply(document, [_Change(path[:-1], key, key, part)])
        found = None if text is None else _read(text, document)
        if found is not None and found.value == wanted:
            return text
    return None


def _read(text: str, like: Document) -> Document | None:
    result = read_documents(text.encode(), file=like.file)
    if len(result.documents) != 1 or result.failures:
        return None
    try:
        return result.documents[0].member(like.prefix)
    except (KeyError, IndexError, TypeError):
        return None


def _changes(draft: Draft, part: Part, path: Path, original: object) -> Iterator[_Change]:
    """What has to be written, deepest first, so that paths stay true."""
    if isinstance(part, dict) and isinstance(original, dict):
        gone = [key for key in original if key not in part]
        for key, value in part.items():
            here = (*path, key)
            if key in original:
                yield from _below(draft, value, here, original[key])
            else:
                old = draft.instead.get(here, "")
                taken = old if old in gone else ""
                yield _Change(path, taken, key, value)
                gone = [one for one in gone if one != taken]
        for key in gone:
            yield _Change(path, key, "")


def _below(draft: Draft, part: Part, path: Path, original: object) -> Iterator[_Change]:
    if isinstance(part, Moved) and part.path == path:
        return
    if isinstance(part, dict) and isinstance(original, dict) and (part or not original):
        yield from _changes(draft, part, path, original)
    elif isinstance(part, list) and isinstance(original, list) and len(part) >= len(original):
        for at, item in enumerate(part[: len(original)]):
            yield from _below(draft, item, (*path, at), original[at])
        for item in part[len(original) :]:
            yield _Change(path, "", "", item, is_item=True)
    elif plain(part) != original:
        yield _Change(path[:-1], str(path[-1]), str(path[-1]), part)


def _together(document: Document, changes: list[_Change]) -> str | None:
    """All changes at once; None when two of them touch."""
    writer = Writer(document, as_json=_is_json(document))
    edits = [_edit(document, change, writer) for change in changes]
    found = [edit for edit in edits if edit is not None]
    if len(found) != len(changes):
        return None
    try:
        return _with(document, _with_comments(document, found))
    except ValueError:
        return None


def _one_by_one(document: Document, changes: list[_Change], *, moving: bool = True) -> str | None:
    """Each change in what the one before made, which is read anew."""
    writer = Writer(document, moving=moving, as_json=_is_json(document))
    text = document.text
    for at, change in enumerate(changes):
        found = document if at == 0 else _read(text, document)
        edit = None if found is None else _edit(found, change, writer)
        if found is None or edit is None:
            return None
        text = _with(found, _with_comments(found, [edit]))
    return text


def _as_values(document: Document, changes: list[_Change]) -> str | None:
    """The same without the text of what moves, where anchors and aliases would come apart."""
    return _one_by_one(document, changes, moving=False)


def _with(document: Document, edits: list[Edit]) -> str:
    """The text of a document after edits of its file; ValueError when two of them touch."""
    source, span = document.span.source, document.span
    start, end = source.byte_offset(span.start), source.byte_offset(span.end)
    moved = [Edit(edit.start - start, edit.end - start, edit.replacement) for edit in edits]
    return apply_edits(source.data[start:end], moved).decode()


def _is_json(document: Document) -> bool:
    """Whether a document is written in JSON, as far as its first key tells."""
    root = document.span.root
    return root is not None and root.flow and bool(root.children) and root.children[0].style == '"'


def _edit(current: Document, change: _Change, writer: Writer) -> Edit | None:
    if change.is_item:
        return insert_item(current, change.path, plain(change.part))
    if change.old == change.new and not isinstance(plain(change.part), dict | list):
        return replace_value(current, (*change.path, change.old), plain(change.part))
    if change.old and change.new:
        return _replace(current, change, writer)
    if change.old:
        # What refers to it elsewhere would show when the result is read again.
        return delete_entry(current, (*change.path, change.old), shared=True)
    return _insert(current, change, writer)


def _insert(current: Document, change: _Change, writer: Writer) -> Edit | None:
    mapping = current.node_at(change.path)
    if mapping is not None and mapping.flow and mapping.children and _is_json(current):
        last = mapping.children[-1].end
        return _bytes(current, last, last, f', "{change.new}": {writer.flow(change.part)}')
    if not any(True for _ in moved_in(change.part)) or mapping is None or mapping.flow or not mapping.children:
        return insert_entry(current, change.path, change.new, plain(change.part))
    placed = insert_entry(current, change.path, change.new, None)
    if placed is None:
        return None
    return _laid_out(current, placed, writer.entry(change.new, change.part), mapping.children[0])


def _laid_out(current: Document, placed: Edit, lines: list[str], first: Node) -> Edit:
    """The lines at the place where the builder would write an entry."""
    text = current.span.source.text
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = " " * _column(text, first.start)
    written = "".join(newline + indent + line if line else newline for line in lines)
    return Edit(placed.start, placed.end, written.encode())


def _replace(current: Document, change: _Change, writer: Writer) -> Edit | None:
    """Another entry in the place of one."""
    parent = current.node_at(change.path)
    if parent is None or _shared(current, change.path) or change.old not in parent.index:
        return None
    key, value = parent.index[change.old]
    text = current.span.source.text
    if key not in parent.children:
        return None
    if parent.flow:
        name = json.dumps(change.new) if _is_json(current) else change.new
        return _bytes(current, key.start, value.end, f"{name}: {writer.flow(change.part)}")
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = " " * _column(text, key.start)
    first, *others = writer.entry(change.new, change.part)
    written = first + "".join(newline + (indent + line if line else "") for line in others)
    end = max(value.end, text.index(":", key.end) + 1)
    return _bytes(current, key.start, end + len(trailing_comment(text, end)), written)


def _shared(current: Document, path: Path) -> bool:
    """Whether a mapping on the way is also used elsewhere."""
    text = current.span.source.text
    for length in range(len(path) + 1):
        node = current.node_at(path[:length])
        if node is None or node.alias_of is not None or (node.start < node.end and text[node.start] == "&"):
            return True
    return False


def _with_comments(document: Document, edits: list[Edit]) -> list[Edit]:
    """The edits with the comments that they would lose on lines above what they write."""
    gone = [_comments_of(document, edit) for edit in edits]
    kept = [line.rstrip() for edit in edits for line in edit.replacement.decode().splitlines() if "#" in line]
    lost = Counter(comment for comments in gone for comment in comments)
    for comment in lost:
        lost[comment] -= sum(line.endswith(comment) for line in kept)
    made = []
    for edit, comments in zip(edits, gone, strict=True):
        left = []
        for comment in comments:
            if lost[comment] > 0:
                lost[comment] -= 1
                left.append(comment)
        made.append(_commented(document, edit, left) if left else edit)
    return made


def _comments_of(document: Document, edit: Edit) -> list[str]:
    """The comments in what an edit writes over."""
    source = document.span.source
    removed = source.data[edit.start : edit.end].decode()
    if "#" not in removed:
        return []
    start = len(source.data[source.bom : edit.start].decode())
    return comments_in(source.text, start, start + len(removed), document.span.root)


def _commented(document: Document, edit: Edit, comments: list[str]) -> Edit:
    """An edit with comments on lines of their own, above what it writes."""
    source = document.span.source
    removed, start = source.data[edit.start : edit.end].decode(), source.data[source.bom : edit.start].decode()
    newline = "\r\n" if "\r\n" in source.text else "\n"
    head = start[start.rfind("\n") + 1 :]
    if head.strip():
        return edit._replace(replacement=_behind_dash(edit, comments, head, newline)) if head.strip() == "-" else edit
    indent = head or removed[: len(removed) - len(removed.lstrip(" "))]
    above = "".join(f"{'' if at == 0 and head else indent}{comment}{newline}" for at, comment in enumerate(comments))
    return edit._replace(replacement=(above + head).encode() + edit.replacement)


def _behind_dash(edit: Edit, comments: list[str], head: str, newline: str) -> bytes:
    """The comments below the first line of what is written, which the dash belongs to."""
    indent = " " * len(head)
    first, found, others = edit.replacement.decode().partition(newline)
    below = newline.join(indent + comment for comment in comments)
    return f"{first}{newline}{below}{found}{others}".encode()


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1)


def _bytes(current: Document, start: int, end: int, replacement: str) -> Edit:
    source = current.span.source
    return Edit(source.byte_offset(start), source.byte_offset(end), replacement.encode())
