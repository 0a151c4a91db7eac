"""The texts that code frames quote, kept for the file in hand and for what came by standard input."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_MOST_BYTES = 16 * 1024 * 1024


class SourceReader:
    """A callable for ``OutputOptions.source``: the text of a file by its name in findings.

    ``known`` holds bytes that lie in no file of that name (standard input, a revision in git). Names are relative to
    ``root``. Only the last file is kept, since findings come sorted by file.
    """

    def __init__(self, root: Path = Path(), known: Mapping[str, bytes] | None = None) -> None:
        self._root = root
        self._known = dict(known or {})
        self._last: tuple[str, str | None] = ("", None)

    def __call__(self, file: str) -> str | None:
        if self._last[0] != file:
            self._last = (file, self._read(file))
        return self._last[1]

    def _read(self, file: str) -> str | None:
        data = self._known.get(file)
        if data is None:
            path = self._root / file
            try:
                # What cannot be judged is not quoted either: a pipe would wait, and a huge file would be read.
                if not path.is_file() or path.stat().st_size > _MOST_BYTES:
                    return None
                data = path.read_bytes()
            except (OSError, ValueError):
                # The file was there when it was judged; a frame that cannot be shown is no reason to fail.
                return None
        return decode(data)


def decode(data: bytes) -> str:
    """The text of YAML or JSON bytes, with a replacement character for each byte that is none."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return data.decode(encoding, "replace")
