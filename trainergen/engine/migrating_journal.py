"""Writing the files of a migration so that what a crash interrupts is completed, and what it wrote is known as its own.

In a git repository the journal lies in its git folder, elsewhere beside the files while they are written.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trainergen.engine.git import run_git
from trainergen.errors import TrainergenError
from trainergen.fixing.files import WriteError, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.finding import JsonObject
    from trainergen.migrate.report import FileMigration

_NAME: Final = "trainergen-migrate.json"


@dataclass(slots=True)
class _Pending:
    """A file to be written: the digest of what it holds, empty for a new one, and the bytes that it shall hold."""

    old: str
    new: bytes


@dataclass(slots=True)
class Journal:
    """What is still to be written, and the digests of what was, by real path."""

    place: Path
    in_git: bool
    pending: dict[str, _Pending] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path) -> Journal:
        """The journal of the repository around a folder, else of the folder; an unreadable one counts as empty."""
        try:
            named = run_git(folder, "rev-parse", "--git-path", _NAME, what="find the repository").decode().strip()
            journal = cls(folder / named, in_git=True)
        except TrainergenError:
            journal = cls(folder / f".{_NAME}", in_git=False)
        journal._read()
        return journal

    def wrote(self, path: str) -> bool:
        """Whether a file holds what a migration wrote there."""
        real = os.path.realpath(path)
        return real in self.written and _digest_of(real) == self.written[real]

    def resume(self) -> Iterator[str]:
        """Write what an earlier run left; the names as they are written.

        Raises TrainergenError when one of the files was changed by somebody else since.
        """
        for path, one in list(self.pending.items()):
            there = _digest_of(path)
            if there == _digest(one.new):
                self._done(path, one.new)
                continue
            if there != one.old:
                raise TrainergenError(
                    f"a migration was interrupted, and '{_shown(path)}' was changed since",
                    hint="Restore the file, or give --force to forget about what that migration was to write.",
                )
            try:
                _put(path, one.new, is_new=not one.old)
            except WriteError as error:
                raise TrainergenError(
                    f"a migration was interrupted, and '{_shown(path)}' {error}",
                    hint="Make it writable, or give --force to forget about what that migration was to write.",
                ) from error
            self._done(path, one.new)
            yield _shown(path)
        self._save()

    def forget(self) -> None:
        """Forget what is still to be written."""
        self.pending.clear()
        self._save()

    def write(self, files: Iterable[FileMigration]) -> Iterator[tuple[FileMigration, str]]:
        """Write files, each as a whole or not at all; each comes back with why it was not written, empty if it was."""
        waiting = {os.path.realpath(file.location): file for file in files}
        for path, file in waiting.items():
            assert file.new is not None
            is_new = not file.old and not Path(path).exists()
            self.pending[path] = _Pending("" if is_new else _digest(file.old), file.new)
        if len(waiting) > 1:
            self._save()
        for path, file in waiting.items():
            new = self.pending[path].new
            try:
                _put(path, new, is_new=not self.pending[path].old, old=file.old)
            except WriteError as error:
                del self.pending[path]
                yield file, str(error)
                continue
            self._done(path, new)
            yield file, ""
        self._save()

    def _done(self, path: str, new: bytes) -> None:
        self.pending.pop(path, None)
        self.written[path] = _digest(new)

    def _read(self) -> None:
        try:
            value = json.loads(self.place.read_bytes())
            pending = {
                str(path): _Pending(str(one["old"]), base64.b64decode(one["new"], validate=True))
                for path, one in value["pending"].items()
            }
            written = {str(path): str(digest) for path, digest in value["written"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return
        self.pending, self.written = pending, written

    def _save(self) -> None:
        """Keep what is to be known next time; without git nothing has to be once all is written."""
        self.written = {path: digest for path, digest in self.written.items() if _digest_of(path) == digest}
        try:
            if not self.pending and not (self.in_git and self.written):
                self.place.unlink(missing_ok=True)
                return
            content: JsonObject = {
                "pending": {
                    path: {"old": one.old, "new": base64.b64encode(one.new).decode()}
                    for path, one in self.pending.items()
                },
                "written": dict(self.written),
            }
            temporary = self.place.with_name(f"{self.place.name}.tmp")
            temporary.write_text(json.dumps(content))
            temporary.replace(self.place)
        except OSError as error:
            if self.pending:
                raise TrainergenError(
                    f"'{self.place}' cannot be written: {(error.strerror or str(error)).lower()}",
                    hint="Make the folder writable: what is to be written is kept there until it is.",
                ) from error


def _put(path: str, new: bytes, *, is_new: bool, old: bytes | None = None) -> None:
    if not is_new:
        replace_file(path, Path(path).read_bytes() if old is None else old, new)
        return
    try:
        with Path(path).open("xb") as stream:
            stream.write(new)
    except OSError as error:
        raise WriteError(f"cannot be written: {(error.strerror or str(error)).lower()}") from error


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest_of(path: str) -> str:
    """The digest of what a file holds, empty when there is none."""
    try:
        return _digest(Path(path).read_bytes())
    except OSError:
        return ""


def _shown(path: str) -> str:
    """A path from the working folder, where it lies below."""
    try:
        return Path(path).relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path
