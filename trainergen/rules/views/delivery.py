"""What Argo CD and Flux deliver: the objects of this run below a folder that one of them names."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from trainergen.rules.tree import join
from trainergen.rules.views.kustomization import read_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.releases import Release
    from trainergen.rules.objects import Entry, Objects
    from trainergen.rules.tree import Tree


def delivered(path: str, entry: Entry, *, tree: Tree, objects: Objects, release: Release) -> Iterator[Entry]:
    """The objects that a folder, given from the root of the repository, brings to the cluster.

    With a kustomization in the folder these are its input objects, else those of the files in and below it. Nothing is
    found when the folder lies in another repository.
    """
    folder = from_root(path, entry)
    kustomization = read_folder(folder, tree=tree, objects=objects, release=release)
    if kustomization is not None:
        yield from kustomization.input_objects
        return
    inside = "" if folder == "." else folder + "/"
    yield from (one for one in objects if posixpath.normpath(one.file).startswith(inside))


def from_root(path: str, entry: Entry) -> str:
    """A path given from the root of the entry's repository, as files of the run are shown."""
    root = repository_of(entry.location)
    shown = os.path.relpath(os.path.join(root, path.lstrip("/")), os.curdir)  # noqa: PTH118 - as in reading
    return join("", shown.replace(os.sep, "/"))


def repository_of(location: str) -> str:
    """The nearest folder above a file that has a ``.git``, else the working folder."""
    folder = os.path.dirname(os.path.abspath(location))  # noqa: PTH100, PTH120
    while not os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
        parent = os.path.dirname(folder)  # noqa: PTH120
        if parent == folder:
            return os.path.abspath(os.curdir)  # noqa: PTH100
        folder = parent
    return folder
