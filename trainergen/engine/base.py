"""The objects of a git revision, so that an update can be judged against what it changes (``--base``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.engine.git import find_revision
from trainergen.source.classify import mentions_trainer
from trainergen.source.identity import TRAINER_GROUP
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.source import Document
    from trainergen.source.files import SourceFile

Identity = tuple[str, str, str]
"""Kind, namespace (empty when the manifest has none) and name."""

_SUFFIXES = (b".yaml", b".yml", b".json")


@dataclass(frozen=True, slots=True)
class GitBase:
    """Trainer objects of one revision by identity; each entry keeps the file it came from."""

    revision: str
    top: Path
    """The top folder of the repository, resolved."""
    objects: dict[Identity, list[tuple[str, JsonObject]]] = field(default_factory=dict)

    def find(self, document: Document, file: SourceFile) -> JsonObject | None:
        """The base version of an object: from the same file where that has it, else from wherever it lived."""
        candidates = self.objects.get((document.kind, document.namespace, document.name), [])
        if not candidates:
            return None
        here = Path(file.location or file.path).resolve()
        for path, value in candidates:
            if self.top / path == here:
                return value
        # NB: the same identity in several files is an overlay tree; guessing one would judge against the wrong object.
        return candidates[0][1] if len(candidates) == 1 else None


def read_base(revision: str, root: Path) -> GitBase:
    """Read every Trainer object of ``revision`` in the repository around ``root``.

    Raises TrainergenError when git, the repository or the revision is missing.
    """
    found = find_revision(revision, root)
    base = GitBase(revision, found.top)
    for name, data in found.contents(file.name for file in found.files() if file.name.endswith(_SUFFIXES)):
        if mentions_trainer(data):
            index_objects(base.objects, name.decode(errors="surrogateescape"), data)
    return base


def index_objects(objects: dict[Identity, list[tuple[str, JsonObject]]], name: str, data: bytes) -> None:
    """Add the Trainer objects in the bytes of a file."""
    for document in read_documents(data, file=name).documents:
        for member in members(document)[0]:
            if member.group == TRAINER_GROUP:
                identity = (member.kind, member.namespace, member.name)
                objects.setdefault(identity, []).append((name, member.object))
