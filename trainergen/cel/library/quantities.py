"""Resource quantities in CEL.

Behaviour: kubernetes/apiserver pkg/cel/library/quantity.go @ v0.35.0.
"""

from __future__ import annotations

from typing import Any

from trainergen.api.quantity import parse_quantity
from trainergen.cel.library.function import Function
from trainergen.cel.library.opaque import accepts, unwrap, wrap

_NANO = 10**9
_INT64 = 2**63


def quantity(text: str) -> dict[str, str]:
    """``text`` as a quantity; ValueError when it is none."""
    return wrap("quantity", str(parse_quantity(str(text)).nano))


def is_quantity(text: str) -> bool:
    """Is ``text`` a quantity?"""
    return accepts(quantity, text)


def nano_of(value: Any) -> int:
    """Billionths of a quantity, or of an integer where one is taken for a quantity."""
    return value * _NANO if isinstance(value, int) else int(unwrap(value, "quantity")[1])


def is_integer(value: Any) -> bool:
    """Is the quantity a whole number that fits into 64 bits?"""
    nano = nano_of(value)
    return nano % _NANO == 0 and -_INT64 <= nano // _NANO < _INT64


def as_integer(value: Any) -> int:
    """The quantity as an integer; ValueError when it is none."""
    if not is_integer(value):
        raise ValueError("cannot convert value to integer")
    return nano_of(value) // _NANO


def as_float(value: Any) -> float:
    """The quantity as a double, perhaps rounded."""
    return nano_of(value) / _NANO


def sign(value: Any) -> int:
    """-1, 0 or 1."""
    nano = nano_of(value)
    return (nano > 0) - (nano < 0)


def add(value: Any, other: Any) -> dict[str, str]:
    """The sum of two quantities, or of one and an integer."""
    return wrap("quantity", str(nano_of(value) + nano_of(other)))


def subtract(value: Any, other: Any) -> dict[str, str]:
    """The difference of two quantities, or of one and an integer."""
    return wrap("quantity", str(nano_of(value) - nano_of(other)))


QUANTITIES = (
    Function("quantity", ("string",), "map", quantity, member=False),
    Function("isQuantity", ("string",), "bool", is_quantity, member=False),
    Function("isInteger", ("map",), "bool", is_integer),
    Function("asInteger", ("map",), "int", as_integer),
    Function("asApproximateFloat", ("map",), "double", as_float),
    Function("sign", ("map",), "int", sign),
    Function("add", ("map", "map"), "map", add),
    Function("add", ("map", "int"), "map", add),
    Function("sub", ("map", "map"), "map", subtract),
    Function("sub", ("map", "int"), "map", subtract),
)
