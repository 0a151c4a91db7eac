"""Where the configuration lies: in the start folder or the nearest one above it, up to the root of the repository."""

from __future__ import annotations

import os
from pathlib import Path

from trainergen.errors import TrainergenError

NAMES = ("trainergen.yaml", "trainergen.yml", ".trainergen.yaml")
PYPROJECT = "pyproject.toml"


def find_config(start: Path) -> Path | None:
    """The configuration that rules ``start`` (a folder or a file), or None.

    The search ends at the first folder that has one, at the root of a git repository or of the file system.
    Two in one folder raise TrainergenError: either choice would silently drop the settings of the other.
    """
    folder = Path(os.path.normpath(Path.cwd() / start))
    if folder.is_file():
        folder = folder.parent
    for each in (folder, *folder.parents):
        found = _in_folder(each)
        if len(found) > 1:
            raise TrainergenError(
                f"two configurations in '{each}': {' and '.join(path.name for path in found[:2])}",
                hint="Keep one of them.",
            )
        if found:
            return found[0]
        if (each / ".git").exists():
            return None
    return None


def _in_folder(folder: Path) -> list[Path]:
    try:
        found = [folder / name for name in NAMES if (folder / name).is_file()]
        pyproject = folder / PYPROJECT
        if pyproject.is_file() and _has_table(pyproject):
            found.append(pyproject)
    except OSError:
        # A folder that may not be entered holds no configuration that could be read.
        return []
    return found


def _has_table(path: Path) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    if b"trainergen" not in data:
        return False
    # A pyproject.toml that cannot be read is an error only when it is ours to read.
    import re
    import tomllib

    try:
        tool = tomllib.loads(data.decode()).get("tool")
    except ValueError:
        return re.search(rb"(?m)^\s*\[+\s*tool\s*\.\s*[\"']?trainergen\b", data) is not None
    return isinstance(tool, dict) and "trainergen" in tool
