"""Which objects a patch of kustomize meets, and how they are by then: bases first, each patch in its turn."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.api.merge import MergeError, strategic_merge
from trainergen.api.structural import API_VERSION, load
from trainergen.policies.json_patch import PatchError
from trainergen.rules.objects import Objects
from trainergen.rules.tree import DiskTree
from trainergen.rules.views.kustomization import read_folder
from trainergen.upgrade.json_patches import carried_out, is_operations
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.rules.objects import Entry
    from trainergen.rules.views.kustomization import Kustomization
    from trainergen.rules.views.patch import Patch


@dataclass(slots=True)
class Met:
    """An object on its way through kustomizations; ``renamed`` is the same under the name that it has by then."""

    entry: Entry
    renamed: Entry
    value: JsonObject


@dataclass(slots=True)
class PatchUse:
    """A patch with the objects that it meets, in all kustomizations that list it, as they are before it.

    ``merges`` tells whether one of them has a schema, so that lists merge by their keys.
    """

    patch: Patch
    bases: list[Met] = field(default_factory=list)
    merges: bool = False


class Overlays:
    """The patches of the kustomizations in some folders; ``texts`` are read in place of files, by real path."""

    def __init__(self, release: Release, texts: Mapping[str, bytes] | None = None) -> None:
        self._release = release
        self._tree = DiskTree(texts)
        self._objects = Objects()
        self._built: dict[str, list[Met]] = {}
        self._uses: dict[tuple[str, str], PatchUse] = {}

    def uses(self, folders: Iterable[str]) -> list[PatchUse]:
        """Every patch once, files by where they really lie."""
        for folder in folders:
            kustomization = read_folder(folder or ".", tree=self._tree, release=self._release, objects=self._objects)
            if kustomization is not None:
                self._objects_of(kustomization)
        return list(self._uses.values())

    def _objects_of(self, kustomization: Kustomization) -> list[Met]:
        key = os.path.realpath(kustomization.folder or ".")
        if key not in self._built:
            # NB: of kustomizations that refer to each other, each sees the other without what it brings.
            self._built[key] = []
            found = [Met(one, one, one.value) for one in kustomization.own_objects if _is_ours(one)]
            for base in kustomization.bases:
                found += [Met(one.entry, one.renamed, one.value) for one in self._objects_of(base)]
            for component in kustomization.components:
                found += [Met(one, one, one.value) for one in component.own_objects if _is_ours(one)]
                self._patch(component, found)
            self._patch(kustomization, found)
            self._built[key] = [_renamed(kustomization, one) for one in found]
        return self._built[key]

    def _patch(self, kustomization: Kustomization, objects: list[Met]) -> None:
        for patch in kustomization.patches:
            place = os.path.realpath(patch.file) if patch.file else kustomization.entry.location
            use = self._uses.setdefault((place, "" if patch.file else str(patch.entry.path)), PatchUse(patch))
            for one in objects:
                if not (patch.selects(one.entry) or patch.selects(one.renamed)):
                    continue
                use.bases.append(Met(one.entry, one.renamed, one.value))
                use.merges = use.merges or kustomization.merge_keys_known(one.entry.kind)
                one.value = applied(patch, one)


def _is_ours(entry: Entry) -> bool:
    return entry.api_version == API_VERSION and entry.kind in (JOB, *RUNTIMES)


def _renamed(kustomization: Kustomization, one: Met) -> Met:
    prefix, suffix = kustomization.text("namePrefix"), kustomization.text("nameSuffix")
    if not prefix and not suffix:
        return one
    metadata = one.renamed.value.get("metadata")
    named = {**(metadata if isinstance(metadata, dict) else {}), "name": f"{prefix}{one.renamed.name}{suffix}"}
    return Met(one.entry, one.renamed.with_value({**one.renamed.value, "metadata": named}), one.value)


def applied(patch: Patch, one: Met) -> JsonObject:
    """An object after a patch; as it was where the patch does not suit it."""
    value = one.value
    try:
        for operation in patch.operations if patch.is_json_patch else ():
            if isinstance(operation.value, dict):
                value = carried_out(value, operation.value)
        for part in patch.documents:
            if isinstance(part.value, dict) and addresses(part.value, one, targeted=bool(patch.target.value)):
                value = merged(value, part.value)
    except (PatchError, MergeError):
        return one.value
    return value


def merged(value: JsonObject, patch: JsonObject) -> JsonObject:
    """An object with a strategic-merge patch laid over it, as kustomize does it without a schema; MergeError."""
    found = strategic_merge(value, patch, {}, load("2.0"))
    return {**found, **{key: value[key] for key in ("apiVersion", "kind", "metadata") if key in value}}


def addresses(patch: JsonObject, one: Met, *, targeted: bool) -> bool:
    """Whether one of the documents of a patch is for an object."""
    names = (one.entry.name, one.renamed.name)
    return targeted or (patch.get("kind") == one.entry.kind and text_at(patch, "metadata", "name") in names)


__all__ = ["Met", "Overlays", "PatchUse", "addresses", "applied", "is_operations", "merged"]
