"""``'%s of %d'.format([…])``.

Behaviour: google/cel-go ext/formatting.go @ v0.26.0. Lists, maps, times and doubles under ``%s`` are written in ways
of their own there, which are not reproduced: a rule that needs one is not evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from trainergen.cel.library.function import UNSUPPORTED, Function

_CLAUSE = r"%(?:%|(?:\.([0-9]+))?([sdfebxXo]))"


def formatted(template: str, values: list[Any]) -> str:
    """``template`` with its clauses filled in order; ValueError when a clause does not suit its value or has none."""
    given = iter(values)
    without = re.sub(_CLAUSE, "", str(template))
    if "%" in without:
        raise ValueError("could not parse formatting clause")
    return re.sub(_CLAUSE, lambda match: "%" if match[0] == "%%" else _clause(match, given), str(template))


def _clause(match: re.Match[str], given: Iterator[Any]) -> str:
    value = next(given, _MISSING)
    if value is _MISSING:
        raise ValueError("index out of range for formatting clause")
    verb = match[2]
    if verb == "s":
        return _text(value)
    if verb in "fe":
        return f"{_number(value, verb):.{match[1] or 6}{verb}}"
    if verb in "xX" and isinstance(value, str):
        return value.encode().hex() if verb == "x" else value.encode().hex().upper()
    if isinstance(value, float) or (isinstance(value, bool) and verb != "b"):
        raise ValueError(f"%{verb} does not take {value}")
    return f"{_number(value, verb):{verb}}"


_MISSING = object()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str | int):
        return str(value)
    raise ValueError(f"%s of a {type(value).__name__} {UNSUPPORTED}")


def _number(value: Any, verb: str) -> Any:
    if not isinstance(value, int | float):
        raise ValueError(f"%{verb} takes a number")
    return int(value) if isinstance(value, bool) else value


FORMATTING = (Function("format", ("string", "list"), "string", formatted),)
