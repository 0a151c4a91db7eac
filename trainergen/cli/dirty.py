"""Refusing to write over work that is not committed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from trainergen.errors import TrainergenError


def refuse_dirty(locations: Iterable[str], *, deed: str, is_own: Callable[[str], bool] = lambda _path: False) -> None:
    """Raise TrainergenError when git knows of changes around the files that are not committed.

    ``deed`` is what the changes could get in the way of: "the upgrade". Changes of files that are ``is_own`` are left
    out: they are its doing. Outside of a repository, or without git, there is nothing that could be lost sight of.
    """
    from trainergen.engine.git import run_git

    for folder in sorted({Path(location).resolve().parent for location in locations}):
        try:
            top = Path(run_git(folder, "rev-parse", "--show-toplevel", what="find the repository").decode().strip())
            changed = run_git(top, "status", "--porcelain", "-z", "--untracked-files=no", what="say what changed")
        except TrainergenError:
            continue
        names = [entry[3:] for entry in changed.decode(errors="surrogateescape").split("\0") if entry[2:3] == " "]
        others = [name for name in names if not is_own(str(top / name))]
        if others:
            first = others[0].encode(errors="replace").decode()
            raise TrainergenError(
                f"the git tree has changes that are not committed, '{first}' among them",
                hint=f"Commit or stash them, so that {deed} can be looked at by itself, or give --force.",
            )
