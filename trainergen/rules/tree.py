"""The files around a manifest, on disk or in a git revision, and texts that are no documents of their own."""
# Paths stay text here, as in the reading of files.
# ruff: noqa: PTH208

from __future__ import annotations

import os
import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.rules.found import Spot
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.reader import read_documents
from trainergen.source.text import SourceText

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from trainergen.finding import Finding, JsonObject, Path
    from trainergen.rules.objects import Entry
    from trainergen.source import Document

    class Tree(Protocol):
        """Files by their names as shown, with slashes."""

        def read(self, name: str) -> bytes | None:
            """The bytes of a file, None when there is none that could be read."""

        def names(self, folder: str) -> list[str]:
            """The names of the files and folders in a folder, sorted; empty when there is no such folder."""


class DiskTree:
    """The files as they lie on disk, but for those whose text, by their real paths, is given."""

    def __init__(self, texts: Mapping[str, bytes] | None = None) -> None:
        self._texts = texts or {}

    def read(self, name: str) -> bytes | None:
        """The bytes of a file, None when there is none that could be read."""
        if self._texts and (text := self._texts.get(os.path.realpath(name))) is not None:
            return text
        try:
            return SourceFile(name, location=name).read_bytes()
        except UnreadableError:
            return None

    def names(self, folder: str) -> list[str]:
        """The names of the files and folders in a folder, sorted; empty when there is no such folder."""
        try:
            return sorted(os.listdir(folder or os.curdir))
        except OSError:
            return []


def join(folder: str, name: str) -> str:
    """The path of ``name`` seen from a folder, tidy."""
    return posixpath.normpath(posixpath.join(folder, name))


class TextFile:
    """A text that is no manifest, such as a Helm template; places in it are characters."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        self._source = SourceText(data.decode("utf-8", "replace").encode(), file=file)

    @property
    def text(self) -> str:
        """The text."""
        return self._source.text

    def at(self, start: int, end: int) -> Spot:
        """The place of these characters."""
        return Spot(_Stretch(self._source, start, end), ())


class _Stretch:
    def __init__(self, source: SourceText, start: int, end: int) -> None:
        self._source, self._start, self._end = source, start, end

    @property
    def document(self) -> _Stretch:
        return self

    def place(self, finding: Finding) -> Finding:
        line, column = self._source.place(self._start)
        end_line, end_column = self._source.place(self._end)
        return replace(
            finding, file=self._source.file, line=line, column=column, end_line=end_line, end_column=end_column
        )


class Inline:
    """A document written as text inside another, such as a patch in a kustomization."""

    def __init__(self, outer: Entry, path: Path, inner: Document) -> None:
        self._outer, self._path, self._inner = outer, path, inner

    @property
    def document(self) -> Inline:
        """Itself: it can place findings."""
        return self

    def place(self, finding: Finding) -> Finding:
        """The finding on its line of a literal block, on the whole text in any other style."""
        outer = self._outer.document
        placed = outer.place(replace(finding, at=self._path, on_key=False))
        node = outer.node_at(self._path)
        if node is None or node.target.style != "|":
            return placed
        where = self._inner.locate(finding.at, on_key=finding.on_key)
        first = placed.line + 1
        lines = outer.span.source.text.splitlines()
        indent = len(lines[placed.line]) - len(lines[placed.line].lstrip(" ")) if placed.line < len(lines) else 0
        return replace(
            placed,
            line=first + where.line - 1,
            column=indent + where.column,
            end_line=first + where.end_line - 1,
            end_column=indent + where.end_column,
        )


def objects_in(text: str, file: str) -> list[Document]:
    """The documents of a text."""
    return read_documents(text.encode(), file=file).documents


def mapping_of(data: bytes | None, file: str) -> JsonObject:
    """The first document of some bytes when it is a mapping, else an empty one."""
    documents = read_documents(data, file=file).documents if data is not None else []
    return documents[0].object if documents else {}
