"""The chart view: the folder of a Helm chart, read but not rendered."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily
from trainergen.rules.objects import Entry
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.tree import TextFile, join
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.releases import Release
    from trainergen.rules.objects import Objects
    from trainergen.rules.tree import Tree

_DEEPEST = 8


class Chart(Part):
    """A Helm chart; as a ``Part`` it is ``Chart.yaml``."""

    def __init__(
        self, entry: Entry, *, tree: Tree, release: Release, objects: Objects, base: Chart | None = None
    ) -> None:
        super().__init__(entry.value, DocumentRoot(entry))
        self.entry = entry
        self.tree = tree
        self.release = release
        self.objects = objects
        self.base = base
        """The same chart at ``--base``, None without one."""

    @property
    def folder(self) -> str:
        """The folder, as shown."""
        return posixpath.dirname(self.entry.file)

    @property
    def name(self) -> str:
        """The chart's name."""
        return self.text("name")

    @lazily
    def values_files(self) -> dict[str, Part]:
        """The values files beside ``Chart.yaml`` (``values.yaml``, ``values-prod.yaml``) by name."""
        names = self.tree.names(self.folder)
        found = {}
        for name in names:
            if name.startswith("values") and name.endswith((".yaml", ".yml")):
                part = self._document(name)
                if part is not None:
                    found[name] = part
        return found

    @property
    def values_part(self) -> Part:
        """``values.yaml``; empty when there is none."""
        return self.values_files.get("values.yaml") or Part({}, self.root)

    def dependency(self, name: str) -> Part | None:
        """The entry of that dependency in ``Chart.yaml``."""
        return next((part for part in self.parts("dependencies") if part.text("name") == name), None)

    @lazily
    def templates(self) -> list[TextFile]:
        """The templates, partials (``_helpers.tpl``) included, as text."""
        found = []
        for path in self._files(join(self.folder, "templates"), _DEEPEST):
            data = self.tree.read(path) if path.endswith((".yaml", ".yml", ".tpl", ".json")) else None
            if data is not None:
                found.append(TextFile(path, data))
        return found

    def _files(self, folder: str, depth: int) -> Iterator[str]:
        for name in self.tree.names(folder):
            path = join(folder, name)
            if "." in name:
                yield path
            elif depth:
                yield from self._files(path, depth - 1)

    def _document(self, name: str) -> Part | None:
        path = join(self.folder, name)
        data = self.tree.read(path)
        for document in read_documents(data, file=path).documents if data is not None else ():
            return Part(document.value, DocumentRoot(Entry(document, location=path)))
        return None
