"""From a configuration file to settings, with every fault named at its place."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from trainergen.config.document import ConfigDocument, read_document
from trainergen.config.model import CheckSection, ConfigFile, OutputEntry, PathEntry
from trainergen.config.settings import CheckSettings, OutputSetting, Settings
from trainergen.errors import TrainergenError
from trainergen.finding import JsonValue, format_path
from trainergen.finding import Path as DocumentPath
from trainergen.releases import get_release
from trainergen.rules.settings import RuleSettings
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic_core import ErrorDetails

_SECTIONS: dict[DocumentPath, type[BaseModel]] = {
    (): ConfigFile,
    ("check",): CheckSection,
    ("check", "outputs"): OutputEntry,
    ("check", "per-path"): PathEntry,
}
_EXPECTED = {
    "string_type": "text",
    "string_too_short": "some text",
    "tuple_type": "a list",
    "list_type": "a list",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dict_type": "a mapping",
    "string_pattern_mismatch": "the id of a check (TG101), the start of one (TG1) or its name",
}


def load(file: Path) -> Settings:
    """The settings of ``file``; TrainergenError names all faults of the file, each with its place."""
    document = read_document(file, _display(file))
    value = {} if document.value is None else _without_nulls(document.value)
    try:
        model = ConfigFile.model_validate(value)
    except ValidationError as error:
        raise _refusal(document, error.errors(include_url=False)) from error
    return Settings(_release(document, model.release), _check(document, model.check, file.parent), file)


def _display(file: Path) -> str:
    path = Path(os.path.normpath(Path.cwd() / file))
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _without_nulls(value: JsonValue) -> JsonValue:
    """``value`` without keys that hold nothing: ``check:`` with all its lines commented out sets nothing."""
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value


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
        return _refusal(document, ({**error, "loc": prefix + error["loc"]} for error in errors), known)

    return rule_settings(document, section, refuse, root=str(root))


def _refusal(
    document: ConfigDocument, errors: Iterable[ErrorDetails], known: list[str] | None = None
) -> TrainergenError:
    faults = [_fault(document, each, known) for each in errors]
    hints = dict.fromkeys(hint for _, hint in faults)
    return TrainergenError("\n".join(message for message, _ in faults), hint=" ".join(hints))


def _fault(document: ConfigDocument, error: ErrorDetails, known: list[str] | None) -> tuple[str, str]:
    """One fault as a message with its place, and the way out."""
    path: DocumentPath = tuple(error["loc"])
    kind = error["type"]
    if kind == "extra_forbidden":
        known = known or _known_keys(path[:-1])
        word = str(path[-1])
        section = f" in '{format_path(path[:-1])}'" if path[1:] else ""
        message = f"unknown key '{word}'{section}{did_you_mean(word, known)}"
        return f"{document.place(path, on_key=True)}: {message}", f"Known keys here: {', '.join(known)}."
    if kind == "missing":
        message = f"'{format_path(path[:-1])}' has no '{path[-1]}'"
        return f"{document.place(path[:-1])}: {message}", f"Add {path[-1]}."
    name = f"'{format_path(path)}'" if path else "the configuration"
    given = _describe(error["input"])
    if kind in {"literal_error", "enum"}:
        words = re.findall(r"'([^']*)'", str(error.get("ctx", {}).get("expected", "")))
        near = did_you_mean(str(error["input"]), words)
        return f"{document.place(path)}: {name} is {given}{near}", f"Use one of {', '.join(words)}."
    message = f"{name} is {given}, but {_EXPECTED.get(kind, error['msg'])} is expected"
    return f"{document.place(path)}: {message}", _way_out(path, kind, error["input"])


def _way_out(path: DocumentPath, kind: str, value: object) -> str:
    if kind in {"tuple_type", "list_type"} and isinstance(value, str) and path:
        return f"Write it as a list: {path[-1]}: [{value}]."
    return "Correct the value at this place."


def _known_keys(path: DocumentPath) -> list[str]:
    section = _SECTIONS.get(tuple(step for step in path if isinstance(step, str)))
    if section is None:
        return []
    return sorted(field.alias or name for name, field in section.model_fields.items())


def _describe(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    return f"'{text if len(text) <= 60 else text[:60] + '…'}'"
