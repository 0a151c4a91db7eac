"""The settings as values, with their defaults, and the two ways to get them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from trainergen.config.search import find_config
from trainergen.rules.settings import RuleSettings


class OutputSetting(NamedTuple):
    """A report to write: a format of ``trainergen.report.FORMAT_NAMES`` and a file, relative to the root."""

    format: str
    file: str


class CheckSettings(NamedTuple):
    """The settings of ``check``; an empty tuple means that nothing is set and the command's own default holds."""

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    outputs: tuple[OutputSetting, ...] = ()
    fail_on: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str = ""
    rules: RuleSettings = RuleSettings()


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. ``file`` is where they come from, None when there is no configuration.

    ``release`` is the name of a supported release (``2.3``), whatever spelling the file has.
    """

    release: str | None = None
    check: CheckSettings = field(default_factory=CheckSettings)
    file: Path | None = None

    @property
    def root(self) -> Path:
        """The folder that the paths of the configuration are relative to."""
        return Path() if self.file is None else self.file.parent

    def place(self, name: str) -> Path:
        """A path of the configuration, seen from the working folder (relative where it lies below it)."""
        path = Path(os.path.normpath(Path.cwd() / self.root / name))
        return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def find_settings(start: Path) -> Settings:
    """The settings of the configuration that rules ``start``, or the defaults; faults raise TrainergenError."""
    file = find_config(start)
    return Settings() if file is None else load_settings(file)


def load_settings(file: Path) -> Settings:
    """The settings of one configuration file; every fault in it is named in one TrainergenError."""
    from trainergen.config.loading import load

    return load(file)
