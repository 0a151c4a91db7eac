"""What a configuration says about single rules: severities and options, checked against the rules there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from trainergen.errors import TrainergenError
from trainergen.finding import Severity
from trainergen.rules.registry import all_rules, options_of, own_rules
from trainergen.rules.settings import RENAMED, PathSetting, RuleSettings
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pydantic_core import ErrorDetails

    from trainergen.config.model import CheckSection
    from trainergen.finding import Path
    from trainergen.rules.declare import Rule
    from trainergen.source.configfile import ConfigDocument

    Refusal = Callable[[Iterable[ErrorDetails], Path, list[str]], TrainergenError]

SEVERITY = "severity"


class _NoOptions(BaseModel):
    """The options of a rule that has none."""

    model_config = ConfigDict(extra="forbid")


_WHERE: Path = ("check", "rules")


def rule_settings(document: ConfigDocument, section: CheckSection, refuse: Refusal, *, root: str) -> RuleSettings:
    """The settings of ``check`` about rules; ``refuse`` makes the error for options that do not fit."""
    settings = RuleSettings() if section.profile is None else RuleSettings(section.profile)
    severities: dict[str, str] = {}
    options: dict[str, Any] = {}
    for name, given in section.rules.items():
        rule = _known(document, name, (*_WHERE, name))
        place = (*_WHERE, name)
        if SEVERITY in given:
            severities[rule.id] = _severity(document, given[SEVERITY], (*place, SEVERITY))
        wanted = {key: value for key, value in given.items() if key != SEVERITY}
        if wanted:
            _check_options(rule, wanted, place, refuse)
            options[rule.id] = wanted
    return settings._replace(
        severities=severities, options=options, per_path=tuple(_per_path(document, section, root=root))
    )


def _per_path(document: ConfigDocument, section: CheckSection, *, root: str) -> Iterable[PathSetting]:
    for index, entry in enumerate(section.per_path):
        where: Path = ("check", "per-path", index, SEVERITY)
        severities = {
            _known(document, name, (*where, name)).id: _severity(document, value, (*where, name))
            for name, value in entry.severity.items()
        }
        yield PathSetting(entry.paths, root, entry.ignore, severities)


def _known(document: ConfigDocument, name: str, path: Path) -> Rule:
    rules = all_rules()
    wanted = RENAMED.get(name, name)
    for rule in rules.values():
        if wanted in (rule.id, rule.name):
            return rule
    names = [word for rule in rules.values() for word in (rule.name, rule.id)]
    raise TrainergenError(
        f"{document.place(path, on_key=True)}: there is no rule '{name}'{did_you_mean(name, names)}",
        hint="'trainergen rules' lists them.",
    )


def _severity(document: ConfigDocument, value: object, path: Path) -> str:
    words = [str(severity) for severity in Severity]
    if value not in words:
        raise TrainergenError(
            f"{document.place(path)}: '{value}' is no severity{did_you_mean(str(value), words)}",
            hint=f"Use one of {', '.join(words)}.",
        )
    return str(value)


def _check_options(rule: Rule, given: Mapping[str, Any], place: Path, refuse: Refusal) -> None:
    from trainergen.rules.options import options_model, read_options

    declared = options_of(rule)
    try:
        if declared is None:
            _NoOptions.model_validate(given)
        else:
            read_options(declared, given)
    except ValidationError as error:
        model = _NoOptions if declared is None else options_model(declared)
        known = [SEVERITY, *(field.alias or name for name, field in model.model_fields.items())]
        raise refuse(error.errors(include_url=False), place, sorted(known)) from error


def rules_schema() -> dict[str, Any]:
    """The JSON Schema of ``check.rules``: every rule by its name and by its id."""
    return {
        "additionalProperties": False,
        "properties": {word: _rule_schema(rule) for rule in own_rules().values() for word in (rule.name, rule.id)},
        "type": "object",
    }


def _rule_schema(rule: Rule) -> dict[str, Any]:
    from trainergen.rules.options import options_model

    declared = options_of(rule)
    properties: dict[str, Any] = {
        SEVERITY: {"enum": [str(severity) for severity in Severity], "description": "The severity of its findings."}
    }
    if declared is not None:
        properties.update(options_model(declared).model_json_schema(by_alias=True).get("properties", {}))
    return {
        "additionalProperties": False,
        "description": f"{rule.id}: {rule.summary}",
        "properties": properties,
        "type": "object",
    }
