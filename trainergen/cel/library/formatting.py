"""``'%s of %d'.format([…])``, and values as Go writes them.

Behaviour: google/cel-go ext/formatting.go, common/types/double.go @ v0.26.0 (strings library, version 2). Types, and
numbers that the server's locale writes in a way of its own (thousands, infinity), are not reproduced: a rule that needs
them is not evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import isfinite
from typing import Any

from trainergen.cel.library.function import UNSUPPORTED, Function
from trainergen.cel.library.order import is_boolean

_CLAUSE = r"%(?:%|(?:\.([0-9]+))?([sdfebxXo]))"
_BASES = {"b": "b", "o": "o", "x": "x", "X": "X"}


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
        return text_of(value)
    if verb in "fe":
        return _fraction(value, verb, match[1] or "6")
    if verb in "xX" and isinstance(value, str | bytes | bytearray):
        written = (value.encode() if isinstance(value, str) else bytes(value)).hex()
        return written if verb == "x" else written.upper()
    if verb == "b" and is_boolean(value):
        return "1" if value else "0"
    if not isinstance(value, int) or is_boolean(value):
        raise ValueError(f"%{verb} does not take {value}")
    return f"{int(value):{_BASES.get(verb, 'd')}}"


_MISSING = object()


def _fraction(value: Any, verb: str, digits: str) -> str:
    if not isinstance(value, float):
        raise ValueError(f"%{verb} takes a double")
    if not isfinite(value) or (verb == "f" and abs(value) >= 1000):
        raise ValueError(f"%{verb} of {value} {UNSUPPORTED}")
    return f"{float(value):.{digits}{verb}}"


def text_of(value: Any) -> str:
    """``%s``: a scalar as ``string()`` writes it, a list or map with its entries written for CEL."""
    if is_boolean(value):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float):
        return double_text(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_entry, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(sorted_pairs(value))}}}"
    if isinstance(value, datetime | timedelta):
        return _time_text(value)
    raise ValueError(f"%s of a {type(value).__name__} {UNSUPPORTED}")


def sorted_pairs(value: dict[Any, Any]) -> list[str]:
    """The entries of a map for CEL, in the order of their keys as written."""
    for key in value:
        if isinstance(key, float):
            raise ValueError("no formatting function for map key of type double")
    pairs = sorted(((_entry(key), _entry(entry)) for key, entry in value.items()), key=lambda pair: pair[0])
    return [f"{key}:{entry}" for key, entry in pairs]


def _entry(value: Any) -> str:
    """An entry of a list or map: quoted, and doubles with six digits."""
    from trainergen.cel.library.strings import quote

    if isinstance(value, float):
        return f"{float(value):.6f}" if isfinite(value) else f'"{double_text(value)}"'
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bytes | bytearray):
        return f"b{quote(text_of(value))}"
    if isinstance(value, datetime | timedelta):
        kind = "timestamp" if isinstance(value, datetime) else "duration"
        return f'{kind}("{_time_text(value)}")'
    return text_of(value)


def _time_text(value: datetime | timedelta) -> str:
    if isinstance(value, timedelta):
        microseconds = value // timedelta(microseconds=1)
        return f"{_decimal(microseconds)}s"
    from datetime import UTC

    moment = value.astimezone(UTC)
    fraction = f".{moment.microsecond:06d}".rstrip("0").rstrip(".")
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def _decimal(millionths: int) -> str:
    whole, rest = divmod(abs(millionths), 1_000_000)
    return f"{'-' if millionths < 0 else ''}{whole}" + f".{rest:06d}".rstrip("0").rstrip(".")


def double_text(value: float) -> str:
    """A double as Go's ``%g`` writes it: the fewest digits that mean it, an exponent from a million on."""
    number = float(value)
    if not isfinite(number):
        return "NaN" if number != number else f"{'+' if number > 0 else '-'}Inf"  # noqa: PLR0124
    shortest = next(text for text in (f"{number:.{count}e}" for count in range(18)) if float(text) == number)
    mantissa, _, power = shortest.partition("e")
    exponent = int(power)
    if not -4 <= exponent < 6:
        return f"{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    places = max(len(mantissa.partition(".")[2]) - exponent, 0)
    return f"{number:.{places}f}"


FORMATTING = (Function("format", ("string", "list"), "string", formatted),)
