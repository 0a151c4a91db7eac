"""Going on with an interrupted upgrade: planned from what is committed, not from what is half done."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainergen.engine.git import find_revision, run_git
from trainergen.engine.upgrading import run_upgrade
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.engine.upgrading import UpgradeOptions
    from trainergen.upgrade.report import UpgradeReport


class Retry(NamedTuple):
    """The upgrade as it was begun, the names of the files that it wrote before, and the top of their repository."""

    report: UpgradeReport
    written: tuple[str, ...]
    top: Path


def interrupted(options: UpgradeOptions) -> Retry | None:
    """The upgrade that explains every change that is not committed; None when there is none, or nothing left of it.

    It does when each changed file holds what the upgrade makes of the committed one. A plan made from the files as
    they are could miss what a runtime, written already, no longer says.
    """
    try:
        committed = _committed(options)
    except TrainergenError:
        return None
    if committed is None or not committed.texts:
        return None
    report = run_upgrade(replace(options, texts=committed.texts))
    planned = {os.path.realpath(file.location): file for file in report.to_write}
    if not committed.texts.keys() < planned.keys():
        return None
    if any(Path(path).read_bytes() != planned[path].new for path in committed.texts):
        return None
    return Retry(report, tuple(planned[path].name for path in committed.texts), committed.top)


class _Committed(NamedTuple):
    texts: dict[str, bytes]
    top: Path


def _committed(options: UpgradeOptions) -> _Committed | None:
    """What changed files held when they were committed, by real path; None for changes that no upgrade makes."""
    start = Path(options.paths[0] if options.paths else ".").absolute()
    revision = find_revision("HEAD", start if start.is_dir() else start.parent)
    asked = ("status", "--porcelain", "-z", "--untracked-files=no")
    entries = [one for one in run_git(revision.top, *asked, what="say what changed").split(b"\0") if one]
    if any(entry[:2].strip() not in (b"M", b"MM") for entry in entries):
        return None
    names = [entry[3:] for entry in entries]
    found = dict(revision.contents(names))
    if len(found) != len(names):
        return None
    top = Path(os.path.realpath(revision.top))
    return _Committed({os.path.realpath(top / os.fsdecode(name)): data for name, data in found.items()}, top)
