"""What the repository itself says the cluster holds: the runtimes and priority classes beside the TrainJobs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from trainergen.admission.cluster import Cluster
from trainergen.source import SourceFile, UnreadableError, read_documents
from trainergen.source.lists import members

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.rules.objects import Objects
    from trainergen.source import Document

POLICY_MENTION = b"AdmissionPolicy"
"""What the bytes of a file with an admission policy or a binding hold."""
INDEXED_KINDS = frozenset({"TrainingRuntime", "ClusterTrainingRuntime", "PriorityClass"})
Identity: TypeAlias = tuple[str, str, str, str]
"""Group, kind, namespace and name; the namespace is empty where the manifest has none."""

Nearest: TypeAlias = tuple[tuple[str, "JsonObject"], ...]
"""Objects with the names of the files they are in."""

_TOP_LEVEL_KIND = rb"^[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?(\w*)"
_IN_BRACKETS = rb"[ \t\r\n]*[\[{]"
_ITEMS = rb"^[ \t]*items[ \t]*:"
_DOCUMENT = rb"^---"
_BEHIND_SEPARATOR = rb"^---[ \t]+[^ \t#\r\n]"


@cache
def _in_bytes(kinds: frozenset[str]) -> tuple[bytes, ...]:
    return tuple(kind.encode() for kind in sorted(kinds))


def may_hold_indexed(data: bytes, kinds: frozenset[str] = INDEXED_KINDS) -> bool:
    """Whether a file can hold an object of the kinds; a cheap look that errs on the side of yes.

    A TrainJob names a kind of runtime too, indented; so a file in plain block style is told by its unindented kinds.
    """
    if not any(kind in data for kind in _in_bytes(kinds)):  # several times as fast as one expression for all
        return False
    found: list[bytes] = re.findall(_TOP_LEVEL_KIND, data, re.MULTILINE)
    if _is_unusual(data, len(found)):
        return True
    return any(kind.decode("ascii", "replace") in kinds for kind in found)


def _is_unusual(data: bytes, kinds: int) -> bool:
    """Whether there can be objects whose kind is not unindented; expressions only see what has the bytes for them."""
    if not kinds or b"\\" in data or re.match(_IN_BRACKETS, data):
        return True
    if b"---" in data and (
        len(re.findall(_DOCUMENT, data, re.MULTILINE)) > kinds or re.search(_BEHIND_SEPARATOR, data, re.MULTILINE)
    ):
        return True
    return b"items" in data and re.search(_ITEMS, data, re.MULTILINE) is not None


class Workspace:
    """The indexed objects of a set of files, and the cluster that a given file is to be judged against.

    Trees of bases and overlays hold several objects of one identity: a TrainJob is judged against the nearest one, by
    folders, and a file that was only given for lookup (``--runtimes``) is farther than any that is checked.

    ``objects`` takes in everything of the ``kinds``, for rules that look it up.
    """

    def __init__(self, *, kinds: frozenset[str] = INDEXED_KINDS, objects: Objects | None = None) -> None:
        self._kinds = kinds
        self._objects = objects
        self._found: dict[Identity, list[tuple[int, str, JsonObject]]] = {}
        self._shared: Nearest | None = None
        self._by_folder: dict[str, Nearest] = {}
        self._clusters: dict[int, Cluster] = {}
        self.mentions_policies = False
        """Whether any of the files taken in can hold an admission policy."""

    def take(self, file: SourceFile, *, rank: int = 0) -> None:
        """Index the objects of a file if it can hold any; ``rank`` 1 for files that are only looked up."""
        try:
            data = file.read_bytes()
        except UnreadableError:
            # Judging the file says so; for looking up it just holds nothing.
            return
        self.mentions_policies = self.mentions_policies or POLICY_MENTION in data
        if not may_hold_indexed(data, self._kinds):
            return
        for document in read_documents(data, file=file.path).documents:
            found = members(document)[0]
            self.add(found, file=file.path, rank=rank)
            if self._objects is not None:
                self._collect(self._objects, found, file, rank)

    def add_file(self, name: str, data: bytes, *, rank: int = 0) -> None:
        """Index the objects of some bytes."""
        self.take(SourceFile(name, data=data), rank=rank)

    def _collect(self, objects: Objects, documents: Iterable[Document], file: SourceFile, rank: int) -> None:
        from trainergen.rules.objects import Entry

        for document in documents:
            if document.kind in self._kinds:
                entry = Entry(document, location=file.location or file.path, rank=rank, data=file.data)
                entry.let_go()
                objects.add(entry)

    def add(self, documents: Iterable[Document], *, file: str, rank: int = 0) -> None:
        """Index what is of an indexed kind among ``documents``."""
        for document in documents:
            if document.kind in INDEXED_KINDS:
                key = (document.group, document.kind, document.namespace, document.name)
                self._found.setdefault(key, []).append((rank, file, document.object))

    def __len__(self) -> int:
        return sum(map(len, self._found.values()))

    def nearest(self, file: str) -> Nearest:
        """The object of each identity that counts for ``file``, with the file it is in; equal calls, the same tuple."""
        if all(len(found) == 1 for found in self._found.values()):
            if self._shared is None:
                self._shared = tuple((found[0][1], found[0][2]) for found in self._found.values())
            return self._shared
        folder = posixpath.dirname(_normal(file))
        if folder not in self._by_folder:
            entries = (min(found, key=lambda entry: _distance(entry, folder)) for found in self._found.values())
            self._by_folder[folder] = tuple((name, value) for _, name, value in entries)
        return self._by_folder[folder]

    def cluster_for(self, file: str) -> Cluster:
        """What the cluster holds as far as ``file`` can tell; incomplete, for nobody keeps all of a cluster in Git."""
        nearest = self.nearest(file)
        # NB: ``nearest`` lives as long as the workspace, so that its identity stays its own.
        if id(nearest) not in self._clusters:
            self._clusters[id(nearest)] = Cluster(value for _, value in nearest)
        return self._clusters[id(nearest)]


def _distance(entry: tuple[int, str, JsonObject], folder: str) -> tuple[int, int, str]:
    rank, file, _ = entry
    here = [step for step in folder.split("/") if step]
    there = [step for step in posixpath.dirname(_normal(file)).split("/") if step]
    common = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        common += 1
    return rank, len(here) + len(there) - 2 * common, file


def _normal(file: str) -> str:
    return posixpath.normpath(file.replace("\\", "/")) if file else ""
