"""How the API server types a YAML scalar: YAML 1.1 words, Go's number literals, and JSON's numbers after that.

Behaviour: go.yaml.in/yaml v2 resolve.go (kubernetes-sigs/yaml goyaml.v2 @ v1.4.0) followed by Go's encoding/json.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from collections.abc import Callable
from typing import Final

_LONG_TAG = "tag:yaml.org,2002:"
MERGE_TAG = _LONG_TAG + "merge"

Scalar = None | bool | int | float | str

INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1


def _words(*words: str) -> list[str]:
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


# Plain text that stands for something else than itself. Infinity and NaN are here too; JSON cannot write them.
LITERALS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(_words("y", "yes", "true", "on"), True),
    **dict.fromkeys(_words("n", "no", "false", "off"), False),
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
}
_NOT_FINITE: Final[dict[str, float]] = {
    **dict.fromkeys([".nan", ".NaN", ".NAN"], math.nan),
    **dict.fromkeys([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], math.inf),
    **dict.fromkeys(["-.inf", "-.Inf", "-.INF"], -math.inf),
}
NUMBER_STARTS: Final = frozenset("+-.0123456789")

# What few documents have is compiled when it is first met, which is what starts of small checks can do without.
_DECIMAL = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII).fullmatch
_GO_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))").fullmatch
_YAML_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?").fullmatch
# Underscores as Go's floating-point literals allow them: between digits only.
_DOT_FLOAT = r"\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?"
_CLOCK = r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.[0-9]+)?"
_TIMESTAMP = rf"([0-9]{{4}})-([0-9]{{1,2}})-([0-9]{{1,2}})(?:[Tt]{_CLOCK}(?:Z|[-+][0-9]{{2}}:[0-9]{{2}})| {_CLOCK})?"
_SIGNED_BINARY = r"0b([-+][01]+)"


def plain(text: str) -> Scalar:
    """The value of a plain (unquoted, untagged) scalar; infinity and NaN come back as such floats."""
    if text in LITERALS:
        return LITERALS[text]
    return number(text) if text[0] in NUMBER_STARTS else text


def number(text: str) -> int | float | str:
    """The value of a plain scalar that starts like a number, as JSON carries it on; else the text itself."""
    if _DECIMAL(text):
        return int(text)
    value = _go_number(text)
    return text if value is None else as_json_number(value)


def _go_number(text: str) -> int | float | None:
    """What the reader takes the text for, before JSON; None for a string."""
    if text in _NOT_FINITE:
        return _NOT_FINITE[text]
    if text[0] == ".":
        return _go_float(text.replace("_", "")) if re.fullmatch(_DOT_FLOAT, text) else None
    text = text.replace("_", "")
    integer = _go_integer(text)
    if integer is not None:
        return integer
    if _YAML_FLOAT(text):
        return _go_float(text)
    signed = re.fullmatch(_SIGNED_BINARY, text)
    if signed and len(signed[1]) <= 65:
        value = int(signed[1], 2)
        return value if INT64_MIN <= value <= INT64_MAX else None
    return None


def _go_integer(text: str) -> int | None:
    """What strconv.ParseInt and ParseUint make of the text with base 0: 64 bits, a leading 0 means octal."""
    match = _GO_INTEGER(text)
    if match is None or len(text) > 70:
        return None
    sign, hexadecimal, binary, octal, decimal = match.groups()
    if hexadecimal:
        value = int(hexadecimal, 16)
    elif binary:
        value = int(binary, 2)
    else:
        value = int(octal, 8) if octal else int(decimal)
    if sign == "-":
        return -value if -value >= INT64_MIN else None
    return value if value <= (INT64_MAX if sign else UINT64_MAX) else None


def _go_float(text: str) -> float | None:
    value = float(text)
    return None if math.isinf(value) else value


def as_json_number(value: int | float) -> int | float:
    """The number as it comes out of Go's JSON encoder and the API server's decoder: int64 where it fits, else float.

    ``2.0`` and ``1e3`` are written without a fraction and so become integers.
    """
    if isinstance(value, int):
        return value if INT64_MIN <= value <= INT64_MAX else float(value)
    if not math.isfinite(value) or abs(value) >= 2.0**63 or not value.is_integer():
        return value
    if abs(value) < 2.0**53:
        return int(value)
    # Beyond 2**53 the encoder writes the shortest digits that read back the same, padded with zeros.
    mantissa, _, exponent = f"{value!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction.rstrip("0")).ljust(len(whole) + int(exponent or 0), "0")
    padded = int(digits)
    return padded if INT64_MIN <= padded <= INT64_MAX else value


class TagMismatchError(ValueError):
    """A tagged scalar whose text is nothing of that tag."""


def tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with an explicit tag; an unknown tag makes the text a string.

    Raises TagMismatchError where the API server's reader refuses it.
    """
    name = tag.removeprefix(_LONG_TAG)
    if name not in _CONVERTERS or tag == name:
        return text
    return _CONVERTERS[name](text)


def _bool(text: str) -> bool:
    value = LITERALS.get(text)
    if not isinstance(value, bool):
        raise TagMismatchError
    return value


def _null(text: str) -> None:
    if text not in LITERALS or LITERALS[text] is not None:
        raise TagMismatchError


def _int(text: str) -> int | float:
    value = _go_number(text) if text[:1] in NUMBER_STARTS else None
    if not isinstance(value, int):
        raise TagMismatchError
    return as_json_number(value)


def _float(text: str) -> int | float:
    value = _go_number(text) if text[:1] in NUMBER_STARTS else None
    if value is None or (isinstance(value, int) and value > INT64_MAX):
        raise TagMismatchError
    return as_json_number(float(value))


def _timestamp(text: str) -> str:
    import datetime

    match = re.fullmatch(_TIMESTAMP, text)
    if match is None:
        raise TagMismatchError
    try:
        year, month, day, *clock = (int(part) for part in match.groups() if part)
        hour, minute, second = clock or (0, 0, 0)
        datetime.datetime(year, month, day, hour, minute, second)
    except ValueError as error:
        raise TagMismatchError from error
    return text


def _binary(text: str) -> str:
    """The decoded bytes as a string; what is not UTF-8 is replaced, as Go's JSON encoder does."""
    try:
        return base64.b64decode(text.replace("\r", "").replace("\n", ""), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError) as error:
        raise TagMismatchError from error


_CONVERTERS: Final[dict[str, Callable[[str], Scalar]]] = {
    "str": str,
    "bool": _bool,
    "null": _null,
    "int": _int,
    "float": _float,
    "timestamp": _timestamp,
    "binary": _binary,
}


def plain_key(text: str) -> str | None:
    """A plain scalar as a mapping key, the way kubernetes-sigs/yaml yaml.go @ v1.6.0 writes it.

    None for what has no such form: null, and integers beyond 63 bits.
    """
    if text in LITERALS:
        return key_text(LITERALS[text])
    value = _go_number(text) if text[0] in NUMBER_STARTS else None
    if value is None:
        return text
    return None if isinstance(value, int) and value > INT64_MAX else key_text(value)


def key_text(value: Scalar) -> str | None:
    """A scalar value as a mapping key; None for null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _float_key(value)


def _float_key(value: float) -> str:
    """The shortest decimal that reads back as the same 32-bit float, in Go's %g notation."""
    try:
        single = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        single = math.copysign(math.inf, value)
    if not math.isfinite(single):
        return ".nan" if math.isnan(single) else ".inf" if single > 0 else "-.inf"
    for precision in range(9):
        text = f"{single:.{precision}e}"
        if struct.unpack("f", struct.pack("f", float(text)))[0] == single:
            break
    mantissa, _, exponent = text.partition("e")
    power = int(exponent)
    if -4 <= power < 6:
        return f"{float(text):.{max(0, precision - power)}f}"
    return f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"
