"""The files of the base revision by the names that they are shown under, and the objects that are gone since."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.engine.git import Revision, find_revision
from trainergen.rules.objects import place
from trainergen.rules.part import ElsewhereRoot, Part
from trainergen.rules.tree import TextFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.engine.base import GitBase
    from trainergen.rules.objects import Objects
    from trainergen.source import SourceFile


class BaseTree:
    """The files as ``--base`` has them."""

    def __init__(self, base: GitBase) -> None:
        self._base = base
        self._read: dict[str, bytes | None] = {}

    @cached_property
    def _revision(self) -> Revision:
        return find_revision(self._base.revision, self._base.top)

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(file.name.decode(errors="surrogateescape") for file in self._revision.files())

    def read(self, name: str) -> bytes | None:
        """The bytes of a file, None when the revision has none of that name."""
        path = self._inside(name)
        if path not in self._files:
            return None
        if path not in self._read:
            found = dict(self._revision.contents([os.fsencode(path)]))
            self._read[path] = found.get(os.fsencode(path))
        return self._read[path]

    def names(self, folder: str) -> list[str]:
        """The names of the files and folders in a folder, sorted."""
        path = self._inside(folder)
        prefix = "" if path == "." else path + "/"
        inside = (name[len(prefix) :] for name in self._files if name.startswith(prefix))
        return sorted({name.partition("/")[0] for name in inside})

    def _inside(self, name: str) -> str:
        """The path from the top of the repository."""
        return Path(os.path.relpath(Path(name).resolve(), self._base.top)).as_posix()


def deleted_objects(base: GitBase, files: Iterable[SourceFile], objects: Objects) -> list[Part]:
    """The Trainer objects of the base that the files have no more, as they were.

    One in a file that exists and was not read is not gone: somebody checks a part of the repository.
    """
    read = {Path(file.location or file.path).resolve() for file in files}
    gone = []
    for (kind, namespace, name), versions in base.objects.items():
        path, value = versions[0]
        where = base.top / path
        if objects.find(kind, name, place(kind, namespace)) is None and (where in read or not where.exists()):
            shown = Path(os.path.relpath(where)).as_posix()
            gone.append(Part(value, ElsewhereRoot(TextFile(shown, b"").at(0, 0))))
    return gone
