"""The files of a generated tree, before anything knows about a disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from trainergen.errors import TrainergenError


@dataclass(frozen=True, slots=True)
class GeneratedFile:
    """One file to write.

    ``path`` is relative to the output folder. ``text`` ends with a newline and has no ownership header: that is added
    when the tree is written, in the comment syntax of the file's type.
    """

    path: PurePosixPath
    text: str


class Tree:
    """Generated files by path, in the order of their paths."""

    __slots__ = ("_files",)

    def __init__(self, files: Iterable[GeneratedFile]) -> None:
        """Collect ``files``; TrainergenError when two of them would be one file, also where case does not count."""
        found: dict[PurePosixPath, GeneratedFile] = {}
        folded: dict[str, PurePosixPath] = {}
        for file in files:
            other = folded.setdefault(str(file.path).casefold(), file.path)
            if file.path in found or other != file.path:
                raise TrainergenError(
                    f"two things would be written to '{file.path}'", hint="Give one of them another name."
                )
            found[file.path] = file
        self._files = dict(sorted(found.items(), key=lambda item: item[0].parts))

    def __iter__(self) -> Iterator[GeneratedFile]:
        return iter(self._files.values())

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, path: object) -> bool:
        return PurePosixPath(path) in self._files if isinstance(path, str) else path in self._files

    def __getitem__(self, path: str | PurePosixPath) -> str:
        """The text of the file at ``path``; KeyError when the tree has none."""
        return self._files[PurePosixPath(path)].text
