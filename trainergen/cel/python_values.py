"""Plain values and those of cel-python, one into the other."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from celpy import celtypes

from trainergen.cel.library.order import is_boolean


def to_cel(value: Any) -> Any:
    """A plain value as cel-python computes with it."""
    convert = _BY_TYPE.get(type(value))
    if convert is not None:
        return convert(value)
    if isinstance(value, dict):
        return _mapping(value)
    if isinstance(value, list):
        return _listing(value)
    for plain, own in _WRAPPERS:
        if isinstance(value, plain):
            return value if isinstance(value, own) else own(value)
    return value


_WRAPPERS: tuple[tuple[type, Any], ...] = (
    (int, celtypes.IntType),
    (float, celtypes.DoubleType),
    (str, celtypes.StringType),
    (bytes, celtypes.BytesType),
    (datetime, celtypes.TimestampType),
    (timedelta, celtypes.DurationType),
)


def _mapping(value: dict[Any, Any]) -> Any:
    return celtypes.MapType({to_cel(key): to_cel(entry) for key, entry in value.items()})


def _listing(value: list[Any]) -> Any:
    return celtypes.ListType([to_cel(entry) for entry in value])


# What nearly all values are, found at once.
_BY_TYPE: dict[type, Any] = {
    bool: celtypes.BoolType,
    dict: _mapping,
    float: celtypes.DoubleType,
    int: celtypes.IntType,
    list: _listing,
    str: celtypes.StringType,
}

_PLAIN: tuple[type[Any], ...] = (int, float, str, bytes)


def from_cel(value: Any) -> Any:
    """A value of cel-python as a plain one."""
    if is_boolean(value):
        return bool(value)
    if isinstance(value, dict):
        return {from_cel(key): from_cel(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [from_cel(entry) for entry in value]
    for plain in _PLAIN:
        if isinstance(value, plain):
            return plain(value)
    return value
