"""From a configuration file to settings, with every fault named at its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from trainergen.config.model import CheckSection, ConfigFile
from trainergen.config.settings import CheckSettings, OutputSetting, Settings
from trainergen.errors import TrainergenError
from trainergen.releases import get_release
from trainergen.rules.settings import RuleSettings
from trainergen.source.configfaults import refusal
from trainergen.source.configfile import ConfigDocument, read_document, shown_name, without_nulls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic_core import ErrorDetails

    from trainergen.finding import Path as DocumentPath


def load(file: Path) -> Settings:
    """The settings of ``file``; TrainergenError names all faults of the file, each with its place."""
    document = read_document(file, shown_name(file))
    value = {} if document.value is None else without_nulls(document.value)
    try:
        model = ConfigFile.model_validate(value)
    except ValidationError as error:
        raise refusal(document, error.errors(include_url=False), ConfigFile) from error
    return Settings(_release(document, model.release), _check(document, model.check, file.parent), file)


def _release(document: ConfigDocument, name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return get_release(name).name
    except TrainergenError as error:
        raise TrainergenError(f"{document.place(('release',))}: {error.message}", hint=error.hint) from error


def _check(document: ConfigDocument, section: CheckSection, root: Path) -> CheckSettings:
    return CheckSettings(
        paths=section.paths,
        exclude=section.exclude,
        runtimes=section.runtimes,
        policies=section.policies,
        outputs=tuple(OutputSetting(entry.format, entry.file) for entry in section.outputs),
        fail_on=section.fail_on,
        layers=tuple(layer.value for layer in section.layers),
        select=section.select,
        ignore=section.ignore,
        baseline=section.baseline or "",
        rules=_rules(document, section, root),
    )


def _rules(document: ConfigDocument, section: CheckSection, root: Path) -> RuleSettings:
    if not section.rules and not section.per_path:
        return RuleSettings() if section.profile is None else RuleSettings(section.profile)
    from trainergen.config.rules import rule_settings

    def refuse(errors: Iterable[ErrorDetails], prefix: DocumentPath, known: list[str]) -> TrainergenError:
        return refusal(document, errors, ConfigFile, below=prefix, known=known)

    return rule_settings(document, section, refuse, root=str(root))
