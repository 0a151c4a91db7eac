"""Label selectors: ``app=web,tier!=test,zone in (a, b),!legacy``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from trainergen_controller.errors import error_of

Labels: TypeAlias = Mapping[str, str]
Selector: TypeAlias = Callable[[Labels], bool]

_SET = re.compile(r"\s*(?P<key>[^\s!=(),]+)\s+(?P<how>in|notin)\s*\((?P<values>[^()]*)\)\s*")
_EQUAL = re.compile(r"\s*(?P<key>[^\s!=(),]+)\s*(?P<how>==|=|!=)\s*(?P<value>[^\s!=(),]*)\s*")
_EXISTS = re.compile(r"\s*(?P<not>!?)\s*(?P<key>[^\s!=(),]+)\s*")
_COMMA = re.compile(r",(?![^()]*\))")


def selector(text: str) -> Selector:
    """What a label selector says of labels; ApiError (400) for one that is none."""
    terms = [_term(part) for part in _COMMA.split(text)] if text.strip() else []
    return lambda labels: all(term(labels) for term in terms)


def _term(text: str) -> Selector:
    if match := _SET.fullmatch(text):
        values = {value.strip() for value in match["values"].split(",")}
        return _among(match["key"], values, wanted=match["how"] == "in")
    if match := _EQUAL.fullmatch(text):
        return _among(match["key"], {match["value"]}, wanted=match["how"] != "!=")
    if match := _EXISTS.fullmatch(text):
        key, wanted = match["key"], not match["not"]
        return lambda labels: (key in labels) == wanted
    raise error_of(400, "BadRequest", f"'{text}' is no requirement of a label selector")


def _among(key: str, values: set[str], *, wanted: bool) -> Selector:
    """An absent label is among no values."""
    return lambda labels: (labels.get(key) in values) == wanted
