"""The kustomization view: the file with what it refers to, read but not built."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from trainergen.rules.lazily import lazily
from trainergen.rules.objects import Entry
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.tree import join, mapping_of
from trainergen.rules.views.patch import Patch, patches_of
from trainergen.source.kustomizations import NAMES
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.rules.objects import Objects
    from trainergen.rules.tree import Tree


class Kustomization(Part):
    """A kustomization file as written; as a ``Part`` it is the file's content.

    Everything else is read from the folders around it when asked for. Nothing is built: what a base or generator would
    make of an object is not known here.
    """

    def __init__(
        self, entry: Entry, *, tree: Tree, release: Release, objects: Objects, base: Kustomization | None = None
    ) -> None:
        super().__init__(entry.value, DocumentRoot(entry))
        self.entry = entry
        self.tree = tree
        self.release = release
        self.objects = objects
        self.base = base
        """The same file at ``--base``, None without one."""

    @property
    def folder(self) -> str:
        """The folder, as shown."""
        return posixpath.dirname(self.entry.file)

    @property
    def is_component(self) -> bool:
        """Whether it is a Component."""
        return self.text("kind") == "Component"

    @lazily
    def patches(self) -> list[Patch]:
        """The patches of all three fields, in the order that kustomize applies them."""
        return list(patches_of(self))

    @lazily
    def bases(self) -> list[Kustomization]:
        """The kustomizations that it lists as resources (or the old ``bases``)."""
        return [*self._listed("resources"), *self._listed("bases")]

    @lazily
    def components(self) -> list[Kustomization]:
        """The components that it lists."""
        return list(self._listed("components"))

    @lazily
    def closure(self) -> list[Kustomization]:
        """Itself and every kustomization below it, each once."""
        found: dict[str, Kustomization] = {}
        waiting: list[Kustomization] = [self]
        while waiting:
            one = waiting.pop()
            if one.folder not in found:
                found[one.folder] = one
                waiting += [*one.components, *one.bases]
        return list(found.values())

    @lazily
    def remotes(self) -> list[Part]:
        """The entries of ``resources``, ``bases`` and ``components`` that lie elsewhere."""
        return [
            self.part(key, index)
            for key in ("resources", "bases", "components")
            for index, name in enumerate(self.values(key))
            if isinstance(name, str) and is_remote(name)
        ]

    @lazily
    def own_objects(self) -> list[Entry]:
        """The objects of the files that it lists itself."""
        found: list[Entry] = []
        for name in self.texts("resources"):
            path = join(self.folder, name)
            data = None if is_remote(name) else self.tree.read(path)
            if data is not None:
                found += _entries(data, path)
        return found

    @lazily
    def input_objects(self) -> list[Entry]:
        """The objects that its patches and transformers see: its own and those of everything below, as written."""
        return [entry for one in self.closure for entry in one.own_objects]

    @lazily
    def openapi(self) -> list[tuple[Kustomization, str, JsonObject]]:
        """The schemas that rule the build: who sets it, its path as written, and its content (empty if unreadable)."""
        return [
            (one, path, mapping_of(one.tree.read(join(one.folder, path)), path))
            for one in self.closure
            if (path := one.text("openapi.path"))
        ]

    @lazily
    def configurations(self) -> list[JsonObject]:
        """The contents of the transformer configurations in force, those of bases and components included."""
        return [
            mapping_of(one.tree.read(join(one.folder, path)), path)
            for one in self.closure
            for path in one.texts("configurations")
        ]

    def merge_keys_known(self, kind: str) -> bool:
        """Whether a schema in force describes a kind, so that kustomize merges its lists instead of replacing them."""
        return any(_describes(definition, kind) for _, _, schema in self.openapi for definition in _definitions(schema))

    def _listed(self, key: str) -> Iterator[Kustomization]:
        for name in self.texts(key):
            if is_remote(name):
                continue
            found = read_folder(join(self.folder, name), tree=self.tree, release=self.release, objects=self.objects)
            if found is not None:
                yield found


def read_folder(folder: str, *, tree: Tree, release: Release, objects: Objects) -> Kustomization | None:
    """The kustomization of a folder, None when there is none."""
    for name in NAMES:
        path = join(folder, name)
        data = tree.read(path)
        for document in read_documents(data, file=path).documents if data is not None else ():
            entry = Entry(document, location=path)
            return Kustomization(entry, tree=tree, release=release, objects=objects)
    return None


def is_remote(name: str) -> bool:
    """Whether an entry of a kustomization is fetched rather than read."""
    return "://" in name or name.startswith(("git@", "github.com/")) or "?ref=" in name or "//" in name


def _entries(data: bytes, path: str) -> list[Entry]:
    documents = read_documents(data, file=path).documents
    return [Entry(member, location=path) for document in documents for member in members(document)[0]]


def _definitions(schema: JsonObject) -> Iterator[JsonObject]:
    definitions = schema.get("definitions")
    for definition in definitions.values() if isinstance(definitions, dict) else ():
        if isinstance(definition, dict):
            yield definition


def _describes(definition: JsonObject, kind: str) -> bool:
    kinds = definition.get("x-kubernetes-group-version-kind")
    return isinstance(kinds, list) and any(isinstance(one, dict) and one.get("kind") == kind for one in kinds)
