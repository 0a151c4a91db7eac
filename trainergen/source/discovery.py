"""From what the user names to the files to read: folders, patterns, single files and standard input."""
# Paths stay text here: pathlib takes several times as long on thousands of files.
# ruff: noqa: PTH100, PTH114, PTH116, PTH118, PTH207, PTH208

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from trainergen.source import checks
from trainergen.source.files import SourceFile, input_finding, not_a_file, unreadable
from trainergen.source.ignore import compile_patterns
from trainergen.source.walk import SUFFIXES, Walk

if TYPE_CHECKING:
    from trainergen.finding import Finding

STDIN: Final = "-"
_MAGIC: Final = frozenset("*?[")


@dataclass(slots=True)
class Discovery:
    """The files in the order to read them, the findings of what could not be found, and how much was passed over."""

    files: list[SourceFile] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def discover(
    paths: Iterable[str], *, excludes: Iterable[str] = (), root: str | None = None, stdin: SourceFile | None = None
) -> Discovery:
    """Find the files that the paths stand for, each once, in the order of the paths and sorted within a folder.

    A path is a file (read whatever its name, excluded or not), a folder (its .yaml, .yml and .json files; hidden,
    vendored and git-ignored ones are passed over), a pattern with ``*``, ``**``, ``?`` or ``[…]``, or ``-`` for
    ``stdin``. ``excludes`` are patterns in gitignore's notation, relative to ``root`` (default: the working directory).
    """
    return _Search(excludes, root or os.curdir, stdin).run(paths)


class _Search:
    def __init__(self, excludes: Iterable[str], root: str, stdin: SourceFile | None) -> None:
        self._found = Discovery()
        self._stdin = stdin
        patterns = list(excludes)
        self._walk = Walk(
            excludes=compile_patterns(patterns) if patterns else None,
            root=os.path.abspath(root),
            findings=self._found.findings,
            skipped=self._found.skipped,
        )
        self._index: dict[str, int] = {}

    def run(self, paths: Iterable[str]) -> Discovery:
        for path in paths:
            if path == STDIN:
                self._add("\0stdin", self._stdin or SourceFile("<stdin>", explicit=True, data=b""))
            else:
                self._resolve(path)
        return self._found

    def _resolve(self, path: str) -> None:
        try:
            mode = os.stat(path).st_mode
        except FileNotFoundError:
            self._missing(path)
        except (OSError, ValueError) as error:
            self._found.findings.append(unreadable(printable(path), error))
        else:
            self._take(path, mode, explicit=True)

    def _take(self, path: str, mode: int, *, explicit: bool) -> None:
        if stat.S_ISDIR(mode):
            for identity, shown in self._walk.folder(path):
                self._add(identity, SourceFile(printable(shown), explicit=False, location=shown))
        elif stat.S_ISREG(mode):
            file = SourceFile(printable(_tidy(path)), explicit=explicit, location=path)
            self._add(os.path.realpath(path), file)
        elif explicit:
            self._found.findings.append(not_a_file(printable(path), mode))
        else:
            self._found.skipped["not a regular file"] += 1

    def _missing(self, path: str) -> None:
        if os.path.islink(path):
            remedy = "Mend or remove the link."
            finding = input_finding(checks.NO_SUCH_PATH, printable(path), "the link leads nowhere", remedy=remedy)
            self._found.findings.append(finding)
        elif _MAGIC.intersection(path):
            self._expand(path)
        else:
            self._found.findings.append(_no_such_path(path))

    def _expand(self, pattern: str) -> None:
        import glob

        matched = False
        for path in sorted(glob.glob(pattern, recursive=True)):
            try:
                mode = os.stat(path).st_mode
            except OSError:
                self._found.skipped["broken link"] += 1
                continue
            matched = True
            if stat.S_ISDIR(mode):
                # NB: ``**`` matches every folder on the way; what lies in them matches, or does not, by itself.
                if "**" not in pattern:
                    self._take(path, mode, explicit=False)
            elif path.endswith(SUFFIXES) and self._walk.wanted(path):
                self._take(path, mode, explicit=False)
        if not matched:
            message, remedy = "the pattern matches no file", "Check the pattern; '**' reaches into subfolders."
            finding = input_finding(checks.NO_SUCH_PATH, printable(pattern), message, remedy=remedy)
            self._found.findings.append(finding)

    def _add(self, identity: str, file: SourceFile) -> None:
        """Keep a file once, at its first place; named explicitly anywhere, it is explicit."""
        at = self._index.setdefault(identity, len(self._found.files))
        if at == len(self._found.files):
            self._found.files.append(file)
        elif file.explicit:
            self._found.files[at] = replace(self._found.files[at], explicit=True)


def printable(path: str) -> str:
    """A path that every output can write: bytes that are not UTF-8 become escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _tidy(path: str) -> str:
    return path.removeprefix("./") or path


def _no_such_path(path: str) -> Finding:
    import difflib

    folder, name = os.path.split(path)
    try:
        near = difflib.get_close_matches(name, os.listdir(folder or os.curdir), n=1)
    except OSError:
        near = []
    remedy = f"Did you mean '{printable(os.path.join(folder, near[0]))}'?" if near else "Check the path."
    return input_finding(checks.NO_SUCH_PATH, printable(path), "there is no such file or folder", remedy=remedy)
