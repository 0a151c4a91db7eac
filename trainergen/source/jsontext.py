"""JSON that is no YAML: kubectl reads a file that starts with a brace as JSON first."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from trainergen.source.scalars import as_json_number

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")

if TYPE_CHECKING:
    from trainergen.finding import JsonValue
    from trainergen.source.limits import Limits


def read_json(text: str, limits: Limits) -> list[tuple[JsonValue, int, int]] | None:
    """The JSON objects of a text and where they lie in it, one after the other; None when it is not that.

    kubectl takes such a file, and YAML lacks escaped surrogate pairs, long keys and objects in a row: kubernetes/
    apimachinery pkg/util/yaml/decoder.go @ v0.35.0.
    """
    if not text.lstrip().startswith("{"):
        return None
    values: list[tuple[JsonValue, int, int]] = []
    decoder = json.JSONDecoder(
        object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_refuse
    )
    position = _skip_space(text, 0)
    try:
        while position < len(text):
            value, end = decoder.raw_decode(text, position)
            values.append((_replace_lone_surrogates(value, limits.depth), position, end))
            position = _skip_space(text, end)
    except (ValueError, RecursionError):
        return None
    return values


def without_surrogates(text: str) -> str:
    """JSON text of the same length that YAML can read, for finding places in it."""
    return _SURROGATE.sub(r"\\u0041", text)


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key is set twice")  # leave it to the YAML reader's finding
    return value


def _integer(text: str) -> int | float:
    return as_json_number(int(text)) if len(text) < 40 else _float(text)


def _float(text: str) -> int | float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(text)
    return as_json_number(value)


def _refuse(text: str) -> None:
    raise ValueError(text)


def _replace_lone_surrogates(value: JsonValue, depth: int) -> JsonValue:
    """Half a surrogate pair becomes U+FFFD, as in Go; raises ValueError below ``depth`` levels."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not isinstance(value, dict | list):
        return value
    if depth <= 0:
        raise ValueError("too deep")
    if isinstance(value, list):
        return [_replace_lone_surrogates(item, depth - 1) for item in value]
    return {
        str(_replace_lone_surrogates(key, 0)): _replace_lone_surrogates(item, depth - 1) for key, item in value.items()
    }
