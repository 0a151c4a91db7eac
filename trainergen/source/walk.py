"""Walking folders: what may hold manifests, in a stable order, each folder once even where links go round."""
# Paths stay text here: pathlib takes several times as long on thousands of files.
# ruff: noqa: PTH100, PTH112, PTH116, PTH118, PTH120, PTH206

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final

from trainergen.source.files import unreadable
from trainergen.source.ignore import IgnoreRules, rules_for

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from trainergen.finding import Finding

SUFFIXES: Final = (".yaml", ".yml", ".json")
# Folders of other people's files. Charts unpacked into a chart's own ``charts`` folder are the same.
_VENDORED: Final = frozenset({"node_modules", "vendor", "venv", "site-packages", "__pycache__"})

_Found = tuple[bool, str, str]


class Walk:
    """Walks folders for one run; a folder reached twice is walked once."""

    def __init__(
        self,
        *,
        excludes: GitIgnoreSpec | None,
        root: str,
        findings: list[Finding],
        skipped: Counter[str],
        suffixes: tuple[str, ...] = SUFFIXES,
    ) -> None:
        self._suffixes = suffixes
        self._excludes = excludes
        self._root = root
        self._findings = findings
        self._skipped = skipped
        self._visited: set[tuple[int, int]] = set()

    def folder(self, path: str) -> list[tuple[str, str]]:
        """The files below a folder as (real path, path to show), sorted by the latter.

        Links come last, so that what is reached twice is shown under its own name.
        """
        found: list[_Found] = []
        links: list[str] = [path]
        while links:
            start = links.pop(0)
            real = os.path.realpath(start)
            waiting = [(start, real, rules_for(real))]
            while waiting:
                shown, real, rules = waiting.pop()
                if self._first_visit(real):
                    self._scan(shown, real, rules, found=found, waiting=waiting, links=links)
        by_identity: dict[str, str] = {}
        for _, real, shown in sorted(found):
            by_identity.setdefault(real, shown)
        return sorted(by_identity.items(), key=lambda one: one[1].split("/"))

    def wanted(self, path: str) -> bool:
        """Whether a file that a pattern matched is neither excluded, vendored, hidden nor git-ignored."""
        real = os.path.abspath(path)
        parts = os.path.relpath(real, self._root).split(os.sep)
        if any(part in _VENDORED or (part.startswith(".") and part != os.pardir) for part in parts):
            self._skipped["hidden or vendored"] += 1
            return False
        return not self._passed_over(real, rules_for(os.path.dirname(real)), is_folder=False)

    def _first_visit(self, real: str) -> bool:
        try:
            status = os.stat(real)
        except OSError:
            return True  # scanning it will say why
        identity = (status.st_dev, status.st_ino)
        if identity in self._visited:
            return False
        self._visited.add(identity)
        return True

    def _scan(
        self,
        shown: str,
        real: str,
        rules: IgnoreRules,
        *,
        found: list[_Found],
        waiting: list[tuple[str, str, IgnoreRules]],
        links: list[str],
    ) -> None:
        try:
            with os.scandir(real) as entries:
                names = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._findings.append(unreadable(os.fsencode(shown).decode("utf-8", "backslashreplace"), error))
            return
        is_chart = any(entry.name == "Chart.yaml" for entry in names)
        for entry in names:
            path, inside = os.path.join(real, entry.name), _join(shown, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if self._enters(entry.name, path, rules, is_chart=is_chart):
                    waiting.append((inside, path, rules.inside(path)))
            elif entry.is_symlink() and os.path.isdir(path):
                if self._enters(entry.name, path, rules, is_chart=is_chart):
                    links.append(inside)
            elif self._takes(entry, path, rules):
                is_link = entry.is_symlink()
                found.append((is_link, os.path.realpath(path) if is_link else path, inside))

    def _enters(self, name: str, path: str, rules: IgnoreRules, *, is_chart: bool) -> bool:
        if name.startswith(".") or name in _VENDORED or (is_chart and name == "charts"):
            if name != ".git":
                self._skipped["hidden or vendored"] += 1
            return False
        return not self._passed_over(path, rules, is_folder=True)

    def _takes(self, entry: os.DirEntry[str], path: str, rules: IgnoreRules) -> bool:
        if not entry.name.endswith(self._suffixes):
            return False
        if entry.name.startswith("."):
            self._skipped["hidden or vendored"] += 1
            return False
        try:
            if not entry.is_file():
                self._skipped["broken link" if entry.is_symlink() else "not a regular file"] += 1
                return False
        except OSError:
            self._skipped["broken link"] += 1  # a link that leads to itself
            return False
        return not self._passed_over(path, rules, is_folder=False)

    def _passed_over(self, path: str, rules: IgnoreRules, *, is_folder: bool) -> bool:
        if rules.ignores(path, is_folder=is_folder):
            self._skipped["git-ignored"] += 1
            return True
        if self._excludes is not None:
            relative = os.path.relpath(path, self._root) + ("/" if is_folder else "")
            if not relative.startswith("..") and self._excludes.match_file(relative):
                self._skipped["excluded"] += 1
                return True
        return False


def _join(folder: str, name: str) -> str:
    if folder in {os.curdir, "./"}:
        return name
    return f"{folder.removeprefix('./').rstrip('/') or '/'}/{name}" if folder != "/" else f"/{name}"
