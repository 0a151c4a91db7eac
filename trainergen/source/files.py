"""A file to read, and why it may not be readable."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.source import checks
from trainergen.source.limits import DEFAULT_LIMITS, Limits
from trainergen.source.reader import too_large

if TYPE_CHECKING:
    from trainergen.finding import Check, Finding


class UnreadableError(TrainergenError):
    """Input that cannot be read at all, with the finding that says so."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.file}: {finding.message}", hint=finding.help)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as shown to the user (relative as they wrote it, always printable) and where it lies.

    ``explicit`` files were named one by one. ``data`` is set for standard input, which has no ``location``, and for a
    text that is to be judged in place of what the file holds.
    """

    path: str
    explicit: bool = False
    location: str = ""
    data: bytes | None = None

    def read_bytes(self, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """The content; raises UnreadableError when it cannot be had or is over the limit, which is not read."""
        if self.data is not None:
            if len(self.data) > limits.file_bytes:
                raise UnreadableError(too_large(self.path, len(self.data), limits))
            return self.data
        try:
            with open(self.location or self.path, "rb", opener=_open) as stream:
                status = os.fstat(stream.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise UnreadableError(not_a_file(self.path, status.st_mode))
                size = status.st_size
                # A read sets aside as much memory as it may give: the limit is asked for only where the size is wrong.
                data = b"" if size > limits.file_bytes else stream.read(size + 1)
                if len(data) > size:
                    data += stream.read(limits.file_bytes + 1 - len(data))
        except (OSError, ValueError) as error:
            raise UnreadableError(unreadable(self.path, error)) from error
        if max(size, len(data)) > limits.file_bytes:
            raise UnreadableError(too_large(self.path, max(size, len(data)), limits))
        return data


def _open(path: str, flags: int) -> int:
    """Open without waiting for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def input_finding(check: Check, path: str, message: str, *, remedy: str) -> Finding:
    """A finding about a file or path as a whole."""
    return replace(check.at((), message, help=remedy), file=path, line=1, column=1, end_line=1, end_column=1)


def unreadable(path: str, error: OSError | ValueError) -> Finding:
    """The finding of a file or folder that the system does not let us read."""
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    if isinstance(error, FileNotFoundError):
        return input_finding(checks.NO_SUCH_PATH, path, "there is no such file", remedy="Check the path.")
    remedy = "Give read permission, or exclude the path." if isinstance(error, PermissionError) else "Check the path."
    return input_finding(checks.UNREADABLE_FILE, path, f"cannot be read: {reason}", remedy=remedy)


def not_a_file(path: str, mode: int) -> Finding:
    """The finding of a path that is no regular file."""
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    kind = next((name for test, name in kinds if test(mode)), "a device")
    remedy = "Name a file, or write '-' and feed standard input."
    return input_finding(checks.NOT_A_FILE, path, f"is {kind}, not a file", remedy=remedy)
