"""Which files git ignores, by reading its pattern files; git itself is not run."""
# Paths stay text here: pathlib takes several times as long on thousands of files.
# ruff: noqa: PTH110, PTH118, PTH120, PTH123, PTH206

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pathspec import GitIgnoreSpec


class IgnoreRules:
    """The patterns that hold in one folder: its own over those of the folders above, up to the repository."""

    __slots__ = ("_folder", "_outer", "_specs")

    def __init__(self, folder: str, specs: list[GitIgnoreSpec], outer: IgnoreRules | None) -> None:
        self._folder = folder
        self._specs = specs
        self._outer = outer

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether the file or folder at this absolute path is ignored; the closest pattern file decides."""
        rules: IgnoreRules | None = self
        while rules is not None:
            relative = path[len(rules._folder) :].lstrip("/") + ("/" if is_folder else "")
            for spec in rules._specs:
                verdict = spec.check_file(relative).include
                if verdict is not None:
                    return verdict
            rules = rules._outer
        return False

    def inside(self, folder: str) -> IgnoreRules:
        """The rules for a folder below this one."""
        return _with_folder(folder, self)


def rules_for(folder: str) -> IgnoreRules:
    """The rules in force in a folder given by its absolute path.

    Where the folder itself is ignored, only its own pattern files count: whoever names it wants it read.
    """
    repository = _repository(folder)
    if repository is None:
        return _with_folder(folder, None)
    excludes = os.path.join(repository, ".git", "info", "exclude")
    rules = _with_folder(repository, IgnoreRules(repository, _read(excludes), None))
    below = os.path.relpath(folder, repository)
    step = repository
    for name in [] if below == os.curdir else below.split(os.sep):
        step = os.path.join(step, name)
        if rules.ignores(step, is_folder=True):
            return _with_folder(folder, None)
        rules = rules.inside(step)
    return rules


def compile_patterns(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Patterns in gitignore's notation; raises TrainergenError for one that is none."""
    from pathspec import GitIgnoreSpec  # NB: imported here since it takes as long as all the rest of a small run

    valid = list(patterns)
    try:
        return GitIgnoreSpec.from_lines(valid)
    except ValueError as error:
        wrong = next((pattern for pattern in valid if not _is_pattern(pattern)), "")
        hint = "Patterns are written as in .gitignore; a backslash escapes the character after it."
        raise TrainergenError(f"exclude pattern '{wrong}' is no pattern", hint=hint) from error


def _is_pattern(pattern: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return False
    return True


def _with_folder(folder: str, outer: IgnoreRules | None) -> IgnoreRules:
    specs = _read(os.path.join(folder, ".gitignore"))
    if not specs and outer is not None:
        return outer
    return IgnoreRules(folder, specs, outer)


def _read(path: str) -> list[GitIgnoreSpec]:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = stream.read(1024 * 1024).splitlines()
    except OSError:
        return []
    patterns = [line for line in lines if line.strip() and not line.startswith("#")]
    return [_compile(tuple(patterns))] if patterns else []


@lru_cache(maxsize=256)
def _compile(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Patterns of a file; git passes over lines that are none."""
    return compile_patterns([pattern for pattern in patterns if _is_pattern(pattern)])


@lru_cache(maxsize=4096)
def _repository(folder: str) -> str | None:
    """The closest folder upwards that holds ``.git``; absolute."""
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder
