"""Finding the suppressions of a file: in its comments, and in the annotations of its objects."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.fix import Edit
from trainergen.source.document import Position
from trainergen.source.edits import delete_entry
from trainergen.source.lists import members
from trainergen.source.reader import read_documents
from trainergen.source.text import SourceText
from trainergen.suppress.grammar import ANNOTATION, parse_annotation, parse_comment
from trainergen.suppress.written import Written

if TYPE_CHECKING:
    from trainergen.source.document import Document
    from trainergen.source.tree import Node

MARK = b"trainergen"
"""What every file with a suppression holds."""
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*trainergen\b([^\r\n]*)", re.MULTILINE)
_WHERE = ("metadata", "annotations", ANNOTATION)


def suppressions(data: bytes, file: str) -> list[Written]:
    """The suppressions in the bytes of a file, in their order; those of a file that is no UTF-8 are none."""
    if MARK not in data:
        return []
    documents = read_documents(data, file=file).documents
    source = SourceText(data, file=file)
    try:
        _ = source.text
    except UnicodeDecodeError:
        return []
    found = [*_in_comments(source, documents), *_in_annotations(documents)]
    return sorted(found, key=lambda one: (one.where.line, one.where.column))


def _in_comments(source: SourceText, documents: list[Document]) -> Iterator[Written]:
    regions: _Regions | None = None
    for match in _COMMENT.finditer(source.text):
        parsed = parse_comment(match[1])
        if parsed is None:
            continue
        regions = regions or _Regions(documents)
        if regions.holds_text(source.text, match.start()):
            continue
        line_start = source.text.rfind("\n", 0, match.start()) + 1
        before = source.text[line_start : match.start()]
        alone = not before.strip(" \t-") or before.lstrip().startswith("#")
        where = Position(*source.place(match.start()), *source.place(match.end()))
        line = 0 if parsed.is_for_file else _next_line(source.text, where.line) if alone else where.line
        at = match.start(1)
        yield Written(
            file=source.file,
            parsed=parsed,
            where=where,
            line=line,
            document=regions.document_at(match.start()),
            whole=_whole(source, match, before),
            words_at=(source.byte_offset(at + parsed.start), source.byte_offset(at + parsed.end)),
        )


def _whole(source: SourceText, match: re.Match[str], before: str) -> Edit:
    """The edit that takes a comment out: with its line when nothing else is on it."""
    start, end = match.start() - len(before), match.end()
    if before.strip():
        start = match.start() - len(before) + len(before.rstrip())
    elif newline := re.compile(r"\r\n|\n|\r").match(source.text, end):
        end = newline.end()
    return Edit(source.byte_offset(start), source.byte_offset(end), b"")


def _next_line(text: str, line: int) -> int:
    """The number of the next line that is neither blank, a comment nor the start of a document."""
    lines = re.split(r"\r\n|\n|\r", text)
    for number in range(line, len(lines)):
        content = lines[number].strip()
        if content and content != "---" and not content.startswith("#"):
            return number + 1
    return line


def _in_annotations(documents: list[Document]) -> Iterator[Written]:
    for document in documents:
        for one in members(document)[0]:
            metadata = one.object.get("metadata")
            annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
            value = annotations.get(ANNOTATION) if isinstance(annotations, dict) else None
            if isinstance(value, str):
                yield _annotation(one, value)


def _annotation(document: Document, value: str) -> Written:
    parsed = parse_annotation(value)
    bytes_at = document.byte_range(_WHERE)
    words_at = None
    if bytes_at is not None:
        raw = document.span.source.data[slice(*bytes_at)]
        words = value[parsed.start : parsed.end].encode()
        # Escapes in the words would make the bytes others than the value.
        if words and raw.count(words) == 1 and document.node_at(_WHERE) is not None:
            start = bytes_at[0] + raw.index(words)
            words_at = start, start + len(words)
    return Written(
        file=document.file,
        parsed=parsed,
        where=document.locate(_WHERE),
        line=None,
        document=document.index,
        prefix=document.prefix,
        path=document.prefix + _WHERE,
        object=document.ref,
        whole=delete_entry(document, _WHERE),
        words_at=words_at,
    )


class _Regions:
    """Which characters of a file are text of values and keys, where a ``#`` starts no comment."""

    def __init__(self, documents: list[Document]) -> None:
        self._spans = [(one.span.start, one.span.end, one.index) for one in documents]
        self._scalars: list[tuple[int, int, bool]] = []
        self._opaque: list[tuple[int, int]] = []
        for one in documents:
            root = one.span.root
            if root is None:
                self._opaque.append((one.span.start, one.span.end))
            else:
                self._scalars += _scalars(root)
        self._scalars.sort()
        self._starts = [start for start, _, _ in self._scalars]

    def holds_text(self, text: str, at: int) -> bool:
        """Whether the character belongs to a value or a key."""
        if any(start <= at < end for start, end in self._opaque):
            return True
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return False
        start, end, is_block = self._scalars[index]
        # Behind ``|`` and ``>`` a comment may stand on the same line.
        return at < end and not (is_block and "\n" not in text[start:at])

    def document_at(self, at: int) -> int:
        """The document that a character lies in, or the one before."""
        return max((index for start, _, index in self._spans if start <= at), default=0)


def _scalars(root: Node) -> Iterator[tuple[int, int, bool]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not (node.is_mapping or node.is_list or node.alias_of is not None):
            yield node.start, node.end, node.style in ("|", ">")
        waiting += node.children
