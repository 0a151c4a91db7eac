"""The objects that a run knows, to be looked up by rules: by kind and name, the nearest of several first."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from trainergen.rules.part import DocumentRoot, Part

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, ObjectRef, Path
    from trainergen.source import Document

CLUSTER_KINDS = frozenset(
    {
        "ClusterTrainingRuntime",
        "PriorityClass",
        "RuntimeClass",
        "StorageClass",
        "Namespace",
        "ClusterQueue",
        "ResourceFlavor",
        "WorkloadPriorityClass",
        "CustomResourceDefinition",
        "ClusterRole",
        "ClusterRoleBinding",
    }
)
"""Kinds without namespaces that rules look up."""
Identity: TypeAlias = tuple[str, str, str]
"""Kind, namespace (``default`` where the manifest has none, empty outside namespaces) and name."""


class Entry:
    """One object of the run and where it is written.

    Its value is kept, its text is read again when a place is asked for; so entries can go from process to process.
    """

    __slots__ = ("_document", "data", "file", "index", "kind", "location", "prefix", "rank", "value")

    def __init__(self, document: Document, *, location: str = "", rank: int = 0, data: bytes | None = None) -> None:
        self._document: Document | None = document
        self.value: JsonObject = document.object
        self.kind = document.kind
        self.file = document.file
        self.index = document.index
        self.prefix: Path = document.prefix
        self.location = location or document.file
        self.rank = rank
        """1 for what was only given for lookup."""
        self.data = data
        """The bytes of what is in no file: standard input, or an old revision."""

    def __getstate__(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__[1:])

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self._document = None
        for name, value in zip(self.__slots__[1:], state, strict=True):
            setattr(self, name, value)

    @property
    def object(self) -> Part:
        """The object as written."""
        return Part(self.value, DocumentRoot(self))

    @property
    def document(self) -> Document:
        """The document, read again when it was let go."""
        if self._document is None:
            from trainergen.rules.reread import reread

            self._document = reread(self)
        return self._document

    def with_value(self, value: JsonObject) -> Entry:
        """The same place with another value, such as the one before a change."""
        other = object.__new__(Entry)
        other.__setstate__(self.__getstate__())
        other.value = value
        return other

    def let_go(self) -> None:
        """Forget the text."""
        self._document = None

    @property
    def api_version(self) -> str:
        """``apiVersion``."""
        return _text(self.value, "apiVersion")

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def name(self) -> str:
        """``metadata.name``."""
        return _text(self.value.get("metadata"), "name")

    @property
    def namespace(self) -> str:
        """``metadata.namespace`` as written, empty where there is none."""
        return _text(self.value.get("metadata"), "namespace")

    @property
    def labels(self) -> JsonObject:
        """``metadata.labels``."""
        return self.object.mapping("metadata.labels")

    @property
    def annotations(self) -> JsonObject:
        """``metadata.annotations``."""
        return self.object.mapping("metadata.annotations")

    @property
    def ref(self) -> ObjectRef:
        """Which object this is."""
        from trainergen.finding import ObjectRef

        return ObjectRef(self.api_version, self.kind, self.namespace, self.name)

    @property
    def identity(self) -> Identity:
        """What tells the object from others in a cluster."""
        return self.kind, place(self.kind, self.namespace), self.name

    def __repr__(self) -> str:
        return f"<{self.kind} {self.namespace}/{self.name} in {self.file}>"


class Objects:
    """Entries, found by kind and name.

    Trees of bases and overlays hold several objects of one identity; the nearest to a file, by folders, comes first.
    """

    __slots__ = ("_found", "_kinds", "_near")

    def __init__(self, entries: Iterable[Entry] = (), *, near: str = "") -> None:
        self._found: dict[Identity, list[Entry]] = {}
        self._kinds: dict[str, list[Entry]] = {}
        self._near = near
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take in one more."""
        self._found.setdefault(entry.identity, []).append(entry)
        self._kinds.setdefault(entry.kind, []).append(entry)

    def near(self, file: str) -> Objects:
        """The same objects, seen from a file."""
        seen = Objects(near=file)
        seen._found, seen._kinds = self._found, self._kinds
        return seen

    def find(self, kind: str, name: str, namespace: str = "") -> Entry | None:
        """The object of that identity, the nearest when there are several; a missing namespace is ``default``."""
        return next(iter(self.places(kind, name, namespace)), None)

    def places(self, kind: str, name: str, namespace: str = "") -> list[Entry]:
        """All entries of that identity, the nearest first."""
        found = self._found.get((kind, place(kind, namespace), name), [])
        return found if len(found) < 2 else sorted(found, key=lambda entry: distance(entry, self._near))

    def has(self, *kinds: str) -> bool:
        """Whether there is anything of one of the kinds, anywhere."""
        return any(kind in self._kinds for kind in kinds)

    def of(self, *kinds: str, namespace: str | None = None) -> list[Entry]:
        """All entries of the kinds, in the order of the files, of one namespace or of all."""
        found = [entry for kind in kinds for entry in self._kinds.get(kind, [])]
        if namespace is None:
            return found
        return [entry for entry in found if place(entry.kind, entry.namespace) == place(entry.kind, namespace)]

    def names(self, *kinds: str, namespace: str | None = None) -> list[str]:
        """The names of the entries of the kinds, sorted, each once."""
        return sorted({entry.name for entry in self.of(*kinds, namespace=namespace)})

    def __iter__(self) -> Iterator[Entry]:
        for entries in self._kinds.values():
            yield from entries

    def __len__(self) -> int:
        return sum(map(len, self._kinds.values()))


def place(kind: str, namespace: str) -> str:
    """The namespace that counts for an object of that kind."""
    return "" if kind in CLUSTER_KINDS else namespace or "default"


def distance(entry: Entry, file: str) -> tuple[int, int, str]:
    """How far an entry is from a file: given for lookup or not, then folders between them, then its name."""
    here = _folders(file)
    there = _folders(entry.file)
    common = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        common += 1
    return entry.rank, len(here) + len(there) - 2 * common, entry.file


def _folders(file: str) -> list[str]:
    folder = posixpath.dirname(posixpath.normpath(file.replace("\\", "/"))) if file else ""
    return [step for step in folder.split("/") if step]


def _text(value: object, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
