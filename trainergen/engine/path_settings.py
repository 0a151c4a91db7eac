"""What the configuration says of findings in some files only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.finding import Severity
from trainergen.rules.settings import names, setting_for

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from trainergen.finding import Finding
    from trainergen.rules.settings import PathSetting


class PathSettings:
    """The settings by path, in the order of the configuration; later ones win."""

    def __init__(self, settings: tuple[PathSetting, ...]) -> None:
        self._settings = settings
        self._specs: list[tuple[PathSetting, GitIgnoreSpec]] | None = None

    def settle(self, finding: Finding) -> Finding | None:
        """The finding with the severity that holds in its file; None where the file is spared of it."""
        if not self._settings:
            return finding
        severity: object = None
        for setting in self._for(finding.file):
            if any(names(word, finding.rule, finding.name) for word in setting.ignore):
                return None
            severity = setting_for(setting.severities, finding.rule, finding.name) or severity
        return finding if severity is None else replace(finding, severity=Severity(str(severity)))

    def _for(self, file: str) -> list[PathSetting]:
        from pathlib import Path

        path = Path.cwd() / file
        return [
            setting
            for setting, spec in self._compiled()
            if (root := Path.cwd() / setting.root)
            and path.is_relative_to(root)
            and spec.match_file(path.relative_to(root).as_posix())
        ]

    def _compiled(self) -> list[tuple[PathSetting, GitIgnoreSpec]]:
        if self._specs is None:
            from trainergen.source.ignore import compile_patterns

            self._specs = [(setting, compile_patterns(list(setting.paths))) for setting in self._settings]
        return self._specs
