"""Reading a document once more, for the place of a finding that was made after its file was let go."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from trainergen.source.files import SourceFile
from trainergen.source.reader import ReadResult, read_documents

if TYPE_CHECKING:
    from trainergen.rules.objects import Entry
    from trainergen.source import Document


def reread(entry: Entry) -> Document:
    """The document of an entry.

    Raises UnreadableError when the file is gone by now, LookupError when it holds something else.
    """
    for document in _read(entry.location, entry.file, entry.data).documents:
        if document.index == entry.index:
            return document.member(entry.prefix) if entry.prefix else document
    raise LookupError(f"{entry.file} has changed while it was read")


def forget() -> None:
    """Forget what was read, since files change between two runs."""
    _read.cache_clear()


@lru_cache(maxsize=16)
def _read(location: str, name: str, data: bytes | None) -> ReadResult:
    return read_documents(SourceFile(name, location=location, data=data).read_bytes(), file=name)
