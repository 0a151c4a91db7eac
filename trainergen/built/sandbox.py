"""A partial copy of the file system in a temporary folder, in which tools may do what they like."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

_MOST_BYTES = 256 * 1024 * 1024
_MOST_FILES = 20_000
_MOST_LINKS = 40
_LEFT_OUT = frozenset({".git", "node_modules", "__pycache__"})


class TooLargeError(Exception):
    """There is more to copy than any kustomization or chart has."""


class Sandbox:
    """Copies of files and folders at the same paths, below ``folder``.

    Links stay links, to the copies of what they lead to; so a tool that does not follow them here does not there.
    ``texts`` are copied in place of what the files of these real paths hold.
    """

    def __init__(self, folder: Path, texts: Mapping[str, bytes] | None = None) -> None:
        self.folder = folder.resolve()
        self.home = self.folder / "home"
        (self.home / "bin").mkdir(parents=True)
        self._root = self.folder / "files"
        self._texts = texts or {}
        self._bytes = 0
        self.files: dict[Path, bytes] = {}
        """The real paths of what was copied, with what the copies hold."""

    def place(self, path: Path) -> Path:
        """Where the copy of an absolute path lies."""
        return self._root / path.relative_to(path.anchor)

    def has_file(self, path: Path) -> bool:
        """Whether there is a file of the user, or a text that is to be one."""
        return path.is_file() or os.path.realpath(path) in self._texts

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file of the user, None when there is none that can be read."""
        if (text := self._texts.get(os.path.realpath(path))) is not None:
            return text
        try:
            return path.read_bytes() if path.is_file() and path.stat().st_size <= _MOST_BYTES else None
        except OSError:
            return None

    def take(self, path: Path, hops: int = _MOST_LINKS) -> Path:
        """Copy a file or make a folder, with the links that lead there; its real path."""
        path = Path(os.path.normpath(path))
        for step in (*reversed(path.parents), path):
            if not step.is_symlink():
                continue
            target = Path(os.path.normpath(step.parent / step.readlink()))
            if not os.path.lexists(self.place(step)):
                self.place(step).parent.mkdir(parents=True, exist_ok=True)
                self.place(step).symlink_to(self.place(target))
            return self.take(target / path.relative_to(step), hops - 1) if hops else path
        if path.is_dir():
            self.place(path).mkdir(parents=True, exist_ok=True)
        elif (data := self.read(path)) is not None and path not in self.files:
            self.write(path, data)
        return path

    def take_folder(self, folder: Path) -> Path:
        """Copy a folder with all that is in it; its real path."""
        top = self.take(folder)
        for where, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name not in _LEFT_OUT]
            for name in (*folders, *names):
                path = Path(where) / name
                if path.is_symlink() and path.is_dir():
                    if not top.is_relative_to(path.resolve()):
                        self.take(path)
                        self.take_folder(path.resolve())
                else:
                    self.take(path)
        return top

    def write(self, path: Path, data: bytes) -> None:
        """Put these bytes where the copy of a file lies."""
        self._bytes += len(data)
        if self._bytes > _MOST_BYTES or len(self.files) >= _MOST_FILES:
            raise TooLargeError
        place = self.place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        self.files[path] = data

    def digest(self, *more: str) -> str:
        """What tells the content of this copy from that of others."""
        found = hashlib.sha256()
        for path, data in sorted(self.files.items()):
            found.update(b"%d %d %b" % (len(os.fsencode(path)), len(data), os.fsencode(path)))
            found.update(data)
        found.update("\0".join(more).encode("utf-8", "surrogateescape"))
        return found.hexdigest()

    def without_places(self, text: str) -> str:
        """A message of a tool with the user's paths instead of those of the copies."""
        here = os.path.join(os.path.realpath(os.curdir), "")  # noqa: PTH118 - with a slash at its end
        return text.replace(str(self.place(Path(here))) + os.sep, "").replace(str(self._root), "")
