"""What pydantic finds wrong with a configuration, as one error that names every fault at its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

from trainergen.errors import TrainergenError
from trainergen.finding import Path as DocumentPath
from trainergen.finding import format_path
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    from trainergen.source.configfile import ConfigDocument

FAULT = "fault"
"""The type of errors that the models raise themselves: the message is ours, and ``help`` in the context."""
_EXPECTED = {
    "string_type": "text",
    "string_too_short": "some text",
    "tuple_type": "a list",
    "list_type": "a list",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dict_type": "a mapping",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "too_short": "at least one entry",
    "string_pattern_mismatch": "the id of a check (TG101), the start of one (TG1) or its name",
}
_BOUNDS = {"greater_than": "gt", "greater_than_equal": "ge", "less_than": "lt", "less_than_equal": "le"}
_WORDS = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}


def refusal(
    document: ConfigDocument,
    errors: Iterable[ErrorDetails],
    model: type[BaseModel],
    *,
    below: DocumentPath = (),
    known: list[str] | None = None,
) -> TrainergenError:
    """The error for what ``model`` does not accept of the value at the path ``below`` of ``document``.

    ``known`` are the keys to offer for an unknown one, when the model does not know.
    """
    faults = [_fault(document, each, model, (below, known)) for each in _causes(errors)]
    hints = dict.fromkeys(hint for _, hint in faults)
    return TrainergenError("\n".join(dict.fromkeys(message for message, _ in faults)), hint=" ".join(hints))


def _causes(errors: Iterable[ErrorDetails]) -> list[ErrorDetails]:
    """``errors`` without lists that are only too short since their entries are refused."""
    found = list(errors)
    within = {each["loc"][:end] for each in found for end in range(len(each["loc"]))}
    return [each for each in found if each["type"] != "too_short" or each["loc"] not in within]


def _fault(
    document: ConfigDocument,
    error: ErrorDetails,
    model: type[BaseModel],
    context: tuple[DocumentPath, list[str] | None],
) -> tuple[str, str]:
    """One fault as a message with its place, and the way out."""
    below, known = context
    steps: DocumentPath = tuple(error["loc"])
    on_key = bool(steps) and steps[-1] == "[key]"
    path = (*below, *(steps[:-1] if on_key else steps))
    kind = error["type"]
    if kind == "extra_forbidden":
        return _unknown(document, path, known or known_keys(model, steps[:-1]))
    if kind == "missing":
        where = f"'{format_path(path[:-1])}'" if path[:-1] else "the configuration"
        return f"{document.place(path[:-1])}: {where} has no '{path[-1]}'", f"Add {path[-1]}."
    place = document.place(path, on_key=on_key)
    if kind == FAULT:
        return f"{place}: {error['msg']}", str(error.get("ctx", {}).get("help", ""))
    name = f"'{format_path(path)}'" if path else "the configuration"
    given = _describe(error["input"])
    if kind in {"literal_error", "enum"}:
        words = re.findall(r"'([^']*)'", str(error.get("ctx", {}).get("expected", "")))
        near = did_you_mean(str(error["input"]), words)
        return f"{place}: {name} is {given}{near}", f"Use one of {', '.join(words)}."
    return f"{place}: {name} is {given}, but {_expected(error)} is expected", _way_out(path, kind, error["input"])


def _unknown(document: ConfigDocument, path: DocumentPath, known: list[str]) -> tuple[str, str]:
    word = str(path[-1])
    section = f" in '{format_path(path[:-1])}'" if path[1:] else ""
    message = f"unknown key '{word}'{section}{did_you_mean(word, known)}"
    return f"{document.place(path, on_key=True)}: {message}", f"Known keys here: {', '.join(known)}."


def _expected(error: ErrorDetails) -> str:
    bound = _BOUNDS.get(error["type"])
    if bound:
        return f"{_WORDS[bound]} {error.get('ctx', {}).get(bound)}"
    return _EXPECTED.get(error["type"], error["msg"])


def _way_out(path: DocumentPath, kind: str, value: object) -> str:
    if kind in {"tuple_type", "list_type"} and isinstance(value, str) and path:
        return f"Write it as a list: {path[-1]}: [{value}]."
    return "Correct the value at this place."


def known_keys(model: type[BaseModel], path: DocumentPath) -> list[str]:
    """The keys that may stand in the mapping at ``path`` of a ``model``; empty where any may."""
    found: type[BaseModel] | None = model
    for step in path:
        if found is None:
            return []
        if isinstance(step, int):
            continue
        field = next((each for name, each in found.model_fields.items() if step in (each.alias, name)), None)
        # A step that is no field is the key of a mapping of models, whose model is the one found before.
        found = _model_in(field.annotation) if field is not None else found
    if found is None:
        return []
    return sorted(field.alias or name for name, field in found.model_fields.items())


def _model_in(annotation: Any) -> type[BaseModel] | None:
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def _describe(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    return f"'{text if len(text) <= 60 else text[:60] + '…'}'"
