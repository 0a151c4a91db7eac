"""The manifests of a git revision as files in a temporary folder, found and read as those of the working tree are."""
# Paths stay text here, as in discovery, whose names they must equal.
# ruff: noqa: PTH118, PTH119, PTH206

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from trainergen.engine.git import LINK, Revision, TreeFile, find_revision
from trainergen.errors import TrainergenError
from trainergen.source.discovery import Discovery, discover, printable
from trainergen.source.kustomizations import NAMES
from trainergen.source.walk import SUFFIXES

# What decides over other files: whether they are patches, parts of a chart, or ignored.
_DECIDING = frozenset({*NAMES, "Chart.yaml", ".gitignore"})
_MANIFESTS = tuple(map(os.fsencode, SUFFIXES))
_MAGIC = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Checkout:
    """The files of a revision below ``folder``, which stands for the repository's top folder."""

    revision: Revision
    folder: Path

    def place(self, path: str) -> str:
        """Where a path of the working tree lies in the checkout; TrainergenError when it is not in the repository."""
        return str(self.folder / relative_name(path, self.revision.top))

    def discover(self, paths: Iterable[str], *, excludes: Iterable[str] = ()) -> Discovery:
        """The files that the paths stand for in the revision, shown under their names in the working tree."""
        here = self.place(os.curdir)
        named = {self.place(path): path for path in paths}
        found = discover(named, excludes=excludes, root=here)
        found.files = [replace(file, path=self._shown(file.location)) for file in found.files]
        missing = {printable(place): printable(path) for place, path in named.items()}
        found.findings = [replace(one, file=missing.get(one.file, one.file)) for one in found.findings]
        return found

    def _shown(self, location: str) -> str:
        name = os.path.relpath(location, self.folder)
        return printable(os.path.relpath(self.revision.top / name))


@contextmanager
def checked_out(revision: str, paths: Iterable[str], *, whole: bool = False) -> Iterator[Checkout]:
    """A checkout of the manifests below ``paths``, or of all files, there as long as the context lasts.

    Raises TrainergenError when git, the repository or the revision is missing, or a path lies outside.
    """
    found = find_revision(revision, Path())
    roots = [_without_pattern(relative_name(path, found.top)) for path in paths]
    with tempfile.TemporaryDirectory(prefix="trainergen-") as name:
        folder = Path(name).resolve()
        # Searches upwards end where the repository does.
        (folder / ".git").mkdir()
        files = found.files()
        wanted = {file.name: file for file in (files if whole else _wanted(files, roots))}
        for file, data in found.contents(wanted):
            _write(folder, wanted[file], data)
        yield Checkout(found, folder)


def relative_name(path: str, top: Path) -> str:
    """A path from the top folder of the repository; TrainergenError when it leads out of it."""
    # NB: a pattern's last part is no file, and the working folder may have been reached through a link.
    absolute = os.path.normpath(os.path.join(os.path.realpath(os.curdir), path))
    name = os.path.relpath(absolute, top)
    if name.split(os.sep)[0] == os.pardir:
        name = os.path.relpath(os.path.realpath(absolute), top)
    if name.split(os.sep)[0] == os.pardir:
        raise TrainergenError(
            f"'{printable(path)}' lies outside the repository at '{printable(str(top))}'",
            hint="Only files of the repository have a base revision; run inside it and name paths in it.",
        )
    return name


def _without_pattern(name: str) -> str:
    steps = name.split(os.sep)
    fixed = next((at for at, step in enumerate(steps) if _MAGIC.intersection(step)), len(steps))
    return os.sep.join(steps[:fixed]) or os.curdir


def _wanted(files: list[TreeFile], roots: list[str]) -> list[TreeFile]:
    named = [file for file in files if _is_below(os.fsdecode(file.name), roots)]
    if any(file.mode == LINK for file in named):
        # A link can lead anywhere.
        named = files
    deciding = [file for file in files if os.path.basename(os.fsdecode(file.name)) in _DECIDING]
    manifests = [
        file for file in named if file.mode == LINK or file.name.endswith(_MANIFESTS) or os.fsdecode(file.name) in roots
    ]
    return [*deciding, *manifests]


def _is_below(name: str, roots: list[str]) -> bool:
    return any(root in (os.curdir, name) or name.startswith(f"{root}{os.sep}") for root in roots)


def _write(folder: Path, file: TreeFile, data: bytes) -> None:
    path = folder / os.fsdecode(file.name)
    if not path.resolve().is_relative_to(folder):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if file.mode != LINK:
        path.write_bytes(data)
        return
    target = Path(os.path.normpath(path.parent / os.fsdecode(data)))
    # A link out of the repository led to nothing that the revision holds.
    if target.is_relative_to(folder):
        path.symlink_to(os.fsdecode(data))
