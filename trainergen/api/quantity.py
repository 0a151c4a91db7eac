"""Kubernetes quantities (``500m``, ``2Gi``): parsed exactly, compared by value, written in canonical form.

Source of the behaviour: kubernetes/apimachinery pkg/api/resource/quantity.go, amount.go, suffix.go @ v0.36.2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

Form = Literal["decimal", "binary", "exponent"]

_PARTS = r"([+-]?)(?=\.?[0-9])0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)"
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_SUFFIX = {exponent: suffix for suffix, exponent in _BINARY.items()}
_NANO = 10**9
_MAX_INT64 = 2**63 - 1
# The real parser has no bound and computes for minutes; nothing real is near this one.
_MAX_EXPONENT = 10_000


class QuantityError(ValueError):
    """The text is no quantity."""


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """An amount in billionths, the finest step a quantity knows; ordered and compared by amount alone."""

    nano: int
    form: Form = field(default="decimal", compare=False)
    """How the amount was written, which is how it is written again."""
    text: str = field(default="", compare=False)
    """The text it was parsed from, where the server keeps that instead of writing the amount anew."""

    @property
    def is_zero(self) -> bool:
        """True for no amount at all."""
        return self.nano == 0

    def ceil(self) -> int:
        """The amount as an integer, rounded away from zero (``1500m`` is 2)."""
        whole = -(-abs(self.nano) // _NANO)
        return -whole if self.nano < 0 else whole

    def canonical(self) -> str:
        """The amount as the server writes it: ``0.5`` as ``500m``, ``2048Mi`` as ``2Gi``."""
        if self.text:
            return self.text
        if self.nano == 0:
            return "0"
        if self.form == "binary" and abs(self.nano) >= 1024 * _NANO and self.nano % _NANO == 0:
            number, times = _without_factor(self.nano // _NANO, 1024)
            return f"{number}{_BINARY_SUFFIX.get(times * 10, '')}"
        number, times = _without_factor(self.nano, 10)
        exponent = times - 9
        while exponent % 3:
            number *= 10
            exponent -= 1
        if self.form == "exponent":
            return f"{number}e{exponent}" if exponent else str(number)
        return f"{number}{_DECIMAL_SUFFIX.get(exponent, '')}"

    def plus(self, other: Quantity) -> Quantity:
        """The sum, in the form of the first amount that is not zero."""
        return Quantity(self.nano + other.nano, other.form if self.is_zero else self.form)

    def times(self, factor: int) -> Quantity:
        """This amount ``factor`` times over."""
        return Quantity(self.nano * factor, self.form)


def parse_quantity(value: object) -> Quantity:
    """Parse a manifest's value: a string, or an integer as JSON carries it. Anything else raises QuantityError."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise QuantityError(f"'{value}' is no quantity")
    return _parsed(value)


@lru_cache(maxsize=4096)
def _parsed(value: str | int) -> Quantity:
    """Manifests repeat the same few amounts over and over."""
    text = value.strip() if isinstance(value, str) else str(value)
    match = re.fullmatch(_PARTS, text, re.ASCII)
    if match is None:
        raise QuantityError(f"'{text}' is no quantity")
    sign, number, fraction, suffix = match.groups(default="")
    form, exponent = _suffix(suffix, text)
    number = number or "0"
    amount = _amount(number, fraction, form, exponent)
    nano = -amount if sign == "-" else amount
    if text == "0" or _kept_as_written(number, fraction, form, exponent):
        return Quantity(nano, form, text)
    return Quantity(nano, "decimal" if form == "binary" and 0 < abs(nano) < _NANO else form)


def _suffix(suffix: str, text: str) -> tuple[Form, int]:
    if suffix in _DECIMAL:
        return "decimal", _DECIMAL[suffix]
    if suffix in _BINARY:
        return "binary", _BINARY[suffix]
    if suffix[0] in "eE" and re.fullmatch(r"[+-]?[0-9]+", suffix[1:]):
        exponent = int(suffix[1:])
        if abs(exponent) <= _MAX_EXPONENT:
            return "exponent", exponent
    raise QuantityError(f"'{text}' has the unknown unit '{suffix}'")


def _kept_as_written(number: str, fraction: str, form: Form, exponent: int) -> bool:
    """True when the server keeps the text: it fits 64 bits and already looks canonical to the parser."""
    if form == "binary":
        fits = not fraction and len(number) + exponent * 3 // 10 + 1 <= 15
        return fits and int(number) & 7 != 0 and (int(number) << exponent) <= _MAX_INT64
    scale = exponent - len(fraction)
    digits = number + fraction
    fits = len(digits) <= 18 and scale >= -9
    return fits and scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _amount(number: str, fraction: str, form: Form, exponent: int) -> int:
    digits = int(number + fraction)
    if form == "binary":
        return min(_scaled(digits * 2**exponent, 9 - len(fraction)), _MAX_INT64 * _NANO)
    return _scaled(digits, exponent + 9 - len(fraction))


def _scaled(digits: int, exponent: int) -> int:
    """``digits`` times ten to the ``exponent``, rounded up: the least amount is better than none."""
    if exponent >= 0:
        return int(digits * 10**exponent)
    return int(-(-digits // 10**-exponent))


def _without_factor(number: int, factor: int) -> tuple[int, int]:
    times = 0
    while number % factor == 0:
        number //= factor
        times += 1
    return number, times
