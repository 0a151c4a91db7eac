"""Which files a kustomization lists as patches: partial objects that are no manifests of their own."""
# Paths stay text here: pathlib takes several times as long on thousands of files.
# ruff: noqa: PTH100, PTH110, PTH113, PTH118, PTH120, PTH123, PTH202

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

NAMES: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MOST_BYTES: Final = 1024 * 1024


def is_listed_as_patch(location: str) -> bool:
    """Whether a kustomization in the file's folder, or in one above it up to the repository, lists it as a patch."""
    listed = _patches_near(os.path.dirname(location))
    return bool(listed) and os.path.abspath(location) in listed


@lru_cache(maxsize=4096)
def _patches_near(folder: str) -> frozenset[str]:
    """The patches in reach of a folder as it was named: absolute paths are not cheap for every single file."""
    return _patches_in_reach(os.path.abspath(folder))


@lru_cache(maxsize=4096)
def _patches_in_reach(folder: str) -> frozenset[str]:
    """The patches that kustomizations in this folder and above it list."""
    listed = [_patches(folder)]
    while not os.path.exists(os.path.join(folder, ".git")) and (parent := os.path.dirname(folder)) != folder:
        folder = parent
        listed.append(_patches(folder))
    return frozenset().union(*listed)


def forget() -> None:
    """Forget the kustomizations read so far."""
    _patches_near.cache_clear()
    _patches_in_reach.cache_clear()
    _patches.cache_clear()


@lru_cache(maxsize=4096)
def _patches(folder: str) -> frozenset[str]:
    for name in NAMES:
        path = os.path.join(folder, name)
        try:
            if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
                continue
            with open(path, "rb") as stream:
                data = stream.read(_MOST_BYTES)
        except OSError:
            continue
        listed = [entry for document in read_documents(data, file=path).documents for entry in _listed(document.object)]
        return frozenset(os.path.normpath(os.path.join(folder, entry)) for entry in listed)
    return frozenset()


def _listed(kustomization: dict[str, JsonValue]) -> list[str]:
    found: list[str] = []
    for name in ("patches", "patchesJson6902", "patchesStrategicMerge"):
        entries = kustomization.get(name)
        for entry in entries if isinstance(entries, list) else []:
            path = entry.get("path") if isinstance(entry, dict) else entry
            if isinstance(path, str) and path and "\n" not in path and "\0" not in path:
                found.append(path)
    return found
