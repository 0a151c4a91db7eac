"""Where a run's settings come from: the command line, then the configuration, then what the repository pins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from trainergen.config import Settings, find_settings
from trainergen.releases import get_release


class SettledRelease(NamedTuple):
    """The release that a command works for, and the words that say why."""

    name: str
    reason: str


def settings_for(paths: Iterable[str]) -> Settings:
    """The configuration that rules the first of the paths, or the working folder when there is none."""
    for path in paths:
        if path != "-" and Path(path).exists():
            start = Path(path)
            return find_settings(start if start.is_dir() else start.parent)
    return find_settings(Path())


def settle_release(asked: str | None, settings: Settings, start: Path) -> SettledRelease:
    """The release to use: ``--release``, else the configuration, else what the repository around ``start`` pins."""
    if asked is not None:
        return SettledRelease(get_release(asked).name, "--release")
    if settings.release is not None and settings.file is not None:
        return SettledRelease(settings.release, f"set in {settings.file.name}")
    from trainergen.releases.detect import detect_release, repository_root

    detected = detect_release(repository_root(start))
    return SettledRelease(detected.release, detected.reason)
