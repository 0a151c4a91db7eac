"""Bringing a tree to the disk: a plan of what changes, which keeps what people edited, and its execution."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from trainergen.errors import TrainergenError
from trainergen.generate.ownership import Header, may_have_header, read_header, stamped

if TYPE_CHECKING:
    from trainergen.generate.workspace_files import Tree

Action = Literal["create", "change", "delete", "conflict"]
_START = 400
_SKIPPED = frozenset({".git", ".venv", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one file; ``old`` and ``new`` are its texts, None where there is none."""

    action: Action
    path: PurePosixPath
    old: str | None
    new: str | None
    reason: str = ""
    """Why a conflict is one, in words that go on after the name of the file."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes that make a folder hold a tree, in the order of their paths."""

    folder: Path
    changes: tuple[Change, ...]
    unchanged: int

    @property
    def conflicts(self) -> tuple[Change, ...]:
        """The files that are not touched unless it is forced."""
        return tuple(change for change in self.changes if change.action == "conflict")

    def counts(self) -> Counter[str]:
        """How many changes there are of each kind."""
        return Counter(change.action for change in self.changes)

    def apply(self, *, force: bool = False) -> None:
        """Carry the plan out, each file as a whole or not at all.

        TrainergenError, with nothing written, when there are conflicts and ``force`` is not given; and when a file
        cannot be written.
        """
        if self.conflicts and not force:
            lines = [f"{self.folder / change.path} {change.reason}" for change in self.conflicts]
            raise TrainergenError(
                "\n".join(lines),
                hint="Move the edits into the specification, or give --force to write over them; nothing was written.",
            )
        for change in self.changes:
            if change.new is not None:
                self._write(change)
        for change in self.changes:
            if change.new is None:
                self._delete(change)

    def _write(self, change: Change) -> None:
        target = self.folder / change.path
        assert change.new is not None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
            try:
                with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor has no path
                    stream.write(change.new.encode())
                Path(temporary).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
                Path(temporary).replace(target)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise _failure(target, error, "written") from error

    def _delete(self, change: Change) -> None:
        target = self.folder / change.path
        try:
            target.unlink(missing_ok=True)
        except OSError as error:
            raise _failure(target, error, "deleted") from error
        # A folder that holds something else stays.
        with contextlib.suppress(OSError):
            for folder in change.path.parents:
                if folder != PurePosixPath():
                    (self.folder / folder).rmdir()


def _failure(path: Path, error: OSError, deed: str) -> TrainergenError:
    reason = (error.strerror or str(error)).lower()
    return TrainergenError(f"'{path}' cannot be {deed}: {reason}", hint="Check the folder and its permissions.")


def plan(tree: Tree, folder: Path, *, owner: str, source: str) -> Plan:
    """What makes ``folder`` hold ``tree`` and nothing else that ``owner`` generated before."""
    changes: list[Change] = []
    unchanged = 0
    for file in tree:
        new = stamped(file.path, file.text, owner=owner, source=source)
        change = _change(folder, file.path, new, owner=owner)
        if change is None:
            unchanged += 1
        else:
            changes.append(change)
    changes += _stale(tree, folder, owner=owner)
    return Plan(folder, tuple(sorted(changes, key=lambda change: change.path.parts)), unchanged)


def _change(folder: Path, path: PurePosixPath, new: str, *, owner: str) -> Change | None:
    obstacle = _obstacle(folder, path)
    if obstacle:
        return Change("conflict", path, None, new, obstacle)
    target = folder / path
    try:
        old = target.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return Change("create", path, None, new)
    except OSError as error:
        raise _failure(target, error, "read") from error
    if old == new:
        return None
    header, fresh = read_header(old), read_header(new)
    assert fresh is not None
    if header is not None and header.body == fresh.body:
        # Other line ends are no change, and what several teams generate alike belongs to the first of them.
        same = header.owner != owner or (header.is_intact and header.source == fresh.source)
        return None if same else Change("change", path, old, new)
    reason = _conflict(header, owner)
    return Change("conflict" if reason else "change", path, old, new, reason)


def _conflict(header: Header | None, owner: str) -> str:
    if header is None:
        return "is not a generated file"
    if header.owner != owner:
        return f"was generated for '{header.owner}'"
    return "" if header.is_intact else "was edited by hand"


def _obstacle(folder: Path, path: PurePosixPath) -> str:
    """Why a file cannot be at its place; links are not followed, for they may lead anywhere."""
    for part in (*reversed(path.parents), path):
        target = folder / part
        if part != PurePosixPath() and target.is_symlink():
            return f"is, or lies in, a link: '{part}'"
        if part != path and target.exists() and not target.is_dir():
            return f"lies in '{part}', which is a file"
    return "is a folder" if (folder / path).is_dir() else ""


def _stale(tree: Tree, folder: Path, *, owner: str) -> Iterator[Change]:
    """The files that were generated for ``owner`` and are no longer."""
    for path in _all_files(folder):
        if path in tree:
            continue
        target = folder / path
        try:
            with target.open("rb") as stream:
                if not may_have_header(stream.read(_START).decode("utf-8", "replace")):
                    continue
            old = target.read_bytes().decode("utf-8", "replace")
        except OSError:
            # What cannot be read was not written by us, or is not ours any more.
            continue
        header = read_header(old)
        if header is None or header.owner != owner:
            continue
        if header.is_intact:
            yield Change("delete", path, old, None)
        else:
            yield Change("conflict", path, old, None, "was edited by hand, and is no longer generated")


def _all_files(folder: Path) -> Iterator[PurePosixPath]:
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _SKIPPED)
        relative = PurePosixPath(Path(where).relative_to(folder).as_posix())
        for name in sorted(names):
            if not (Path(where) / name).is_symlink():
                yield relative / name
