"""The files of a run that may be fixed, read once and written in one step each."""
# Paths stay text here, as in the reading of files.
# ruff: noqa: PTH100, PTH101, PTH105, PTH108, PTH112, PTH114, PTH116, PTH118, PTH119, PTH120, PTH123, PTH206

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Mapping

from trainergen.source.files import SourceFile, UnreadableError

STDIN = "-"
"""The identity of standard input."""
_MAGIC = frozenset("*?[")


class WriteError(Exception):
    """A file that was not written, and why, in words that go on after its name."""


class DiskFiles:
    """Files by the names in findings, relative to the working folder; a file's identity is its real path.

    Only what lies in the named folders, or was named itself, may be changed. A link is followed as long as it leads to
    such a place.
    """

    def __init__(self, named: Iterable[str], *, stdin: bytes | None = None, stdin_name: str = "") -> None:
        self._stdin = stdin
        self._stdin_name = stdin_name
        self._roots = [_root(path) for path in named if path != STDIN]
        self._identities: dict[str, str] = {}
        self._read: dict[str, bytes] = {}

    def identity(self, name: str) -> str:
        """The real path of a file, ``-`` for standard input."""
        if self._stdin is not None and name == self._stdin_name:
            return STDIN
        if name not in self._identities:
            self._identities[name] = os.path.realpath(name)
        return self._identities[name]

    def read(self, identity: str) -> bytes:
        """The bytes of a file when it was first read."""
        if identity not in self._read:
            if identity == STDIN:
                assert self._stdin is not None
                self._read[identity] = self._stdin
            else:
                self._read[identity] = SourceFile(identity, location=identity).read_bytes()
        return self._read[identity]

    def obstacle(self, name: str) -> str:
        """Why a file may not be changed, empty when it may."""
        identity = self.identity(name)
        if identity == STDIN:
            return ""
        if not any(identity == root or identity.startswith(root.rstrip(os.sep) + os.sep) for root in self._roots):
            what = "is a link that leads" if identity != os.path.abspath(name) else "lies"
            return f"{what} out of the checked paths, so it is not changed"
        try:
            self.read(identity)
        except UnreadableError as error:
            return error.finding.message
        return ""

    def write(self, texts: Mapping[str, bytes]) -> list[tuple[str, str]]:
        """Write the new bytes of files; those that could not be written come back with the reason."""
        failures = []
        for identity, data in texts.items():
            if identity == STDIN:
                continue
            try:
                replace_file(identity, self.read(identity), data)
            except WriteError as error:
                failures.append((identity, str(error)))
        return failures


def replace_file(path: str, old: bytes, new: bytes) -> None:
    """Put ``new`` into the file that holds ``old``, in one step, with its mode and, where allowed, its owner.

    Raises WriteError for a file that is read-only, was changed meanwhile, or cannot be written.
    """
    try:
        status = os.stat(path)
        # NB: the mode counts for the superuser too, and for folders that would let the file be replaced.
        if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
            raise WriteError("is read-only")
        with open(path, "rb") as stream:
            if stream.read() != old:
                raise WriteError("was changed by somebody else meanwhile")
        _replace(path, new, status)
    except OSError as error:
        raise WriteError(f"cannot be written: {(error.strerror or str(error)).lower()}") from error


def _replace(path: str, data: bytes, status: os.stat_result) -> None:
    folder, name = os.path.split(path)
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.", suffix=".tmp")
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _give_away(temporary, status)
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _give_away(path: str, status: os.stat_result) -> None:
    """The owner of the old file, where the system lets us."""
    new = os.stat(path)
    if not hasattr(os, "chown") or (new.st_uid, new.st_gid) == (status.st_uid, status.st_gid):
        return
    for owner in ((status.st_uid, status.st_gid), (-1, status.st_gid)):
        try:
            os.chown(path, *owner)
        except OSError:
            continue
        return


def _root(path: str) -> str:
    """The real path of what was named: of a folder, of a file, or of the folder that a pattern starts in.

    A named file that is a link stays at its own place: what it leads to was not named, unless it lies beside it.
    """
    steps = path.split(os.sep)
    fixed = next((at for at, step in enumerate(steps) if _MAGIC.intersection(step)), None)
    if fixed is not None and not os.path.lexists(path):
        return os.path.realpath(os.sep.join(steps[:fixed]) or (os.sep if path.startswith(os.sep) else os.curdir))
    if os.path.isdir(path):
        return os.path.realpath(path)
    folder = os.path.realpath(os.path.dirname(path) or os.curdir)
    return folder if os.path.islink(path) else os.path.join(folder, os.path.basename(path))
