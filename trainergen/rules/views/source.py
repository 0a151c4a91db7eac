"""The source view: one object as it is written in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.part import DocumentRoot, Made, Memory, Part

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.rules.objects import Entry, Objects
    from trainergen.source import Document


class Source(Part):
    """One object as written, of any kind: nothing is defaulted, and the cluster may refuse it.

    It is a ``Part``; further there are the object's identity, the release, and the objects of the run.
    """

    __slots__ = ("_memory", "entry", "objects", "release")

    def __init__(self, entry: Entry, *, release: Release, objects: Objects) -> None:
        super().__init__(entry.value, DocumentRoot(entry))
        self._memory = Memory()
        self.entry = entry
        self.release = release
        self.objects = objects
        """The objects of the kinds that the rule ``looks_up``, the nearest to this file first."""

    def once(self, work: Callable[[Source], Made]) -> Made:
        """What a function makes of this object; made once for all rules that ask for it."""
        return self._memory.once(self, work)

    @property
    def document(self) -> Document:
        """The document, for ``trainergen.source.edits``."""
        return self.entry.document

    @property
    def kind(self) -> str:
        """``kind``."""
        return self.entry.kind

    @property
    def name(self) -> str:
        """``metadata.name``."""
        return self.entry.name

    @property
    def namespace(self) -> str:
        """``metadata.namespace`` as written, empty where there is none."""
        return self.entry.namespace

    @property
    def labels(self) -> JsonObject:
        """``metadata.labels``."""
        return self.mapping("metadata.labels")

    @property
    def annotations(self) -> JsonObject:
        """``metadata.annotations``."""
        return self.mapping("metadata.annotations")
