"""Equality and order of CEL values: numbers compare across types, everything else only with its own kind."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

_ORDERED: tuple[type[Any], ...] = (str, bytes, datetime, timedelta)


def is_number(value: Any) -> bool:
    """An int, uint or double; booleans are none."""
    return isinstance(value, int | float) and not is_boolean(value)


def is_boolean(value: Any) -> bool:
    """A boolean, cel-python's included, which is an int to Python."""
    return isinstance(value, bool) or type(value).__name__ == "BoolType"


def equal(left: Any, right: Any) -> bool:
    """CEL's ``==``: values of different kinds are unequal, never an error.

    google/cel-go common/types (heterogeneous equality) @ v0.26.0.
    """
    if is_boolean(left) or is_boolean(right):
        return is_boolean(left) and is_boolean(right) and bool(left) == bool(right)
    if is_number(left) or is_number(right):
        return is_number(left) and is_number(right) and _same_number(*_pair(left, right))
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    for kind in _ORDERED:
        if isinstance(left, kind):
            return isinstance(right, kind) and _plain(left, kind) == _plain(right, kind)
    # What is left are null, types and optional values.
    return type(left) is type(right) and bool(left == right)


def _pair(left: Any, right: Any) -> tuple[int | float, int | float]:
    """Two numbers as they are compared: as doubles when one of them is a double."""
    kind = float if isinstance(left, float) or isinstance(right, float) else int
    return kind(left), kind(right)


def _plain(value: Any, kind: type) -> Any:
    """``value`` compared as ``kind`` compares, whatever its class makes of equality."""
    return kind(value) if kind in (str, bytes) else value


def _same_number(left: int | float, right: int | float) -> bool:
    return left == right


def less(left: Any, right: Any) -> bool:
    """CEL's ``<``; ValueError for values that have no order between them."""
    if is_boolean(left) and is_boolean(right):
        return bool(left) < bool(right)
    if is_number(left) and is_number(right):
        one, other = _pair(left, right)
        return one < other
    for kind in _ORDERED:
        if isinstance(left, kind) and isinstance(right, kind):
            return bool(left < right)
    raise ValueError("no such overload")
