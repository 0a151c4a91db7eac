"""The operators, macros and conversions of cel-go, for cel-python's values; an error is a value here, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from math import copysign, inf, isnan
from typing import Any

from celpy import celtypes
from celpy.evaluation import CELEvalError
from celpy.evaluation import base_functions as BASE  # noqa: N812 - a table, named as such

from trainergen.cel.library.formatting import double_text
from trainergen.cel.library.order import equal, is_boolean, less
from trainergen.cel.re2 import compile_pattern


def _first_fault(values: Iterator[Any]) -> Any:
    """The first value that is no boolean, as an error; None when all are."""
    for value in values:
        if isinstance(value, CELEvalError):
            return value
        if not is_boolean(value):
            return CELEvalError("no such overload", TypeError, None)
    return None


def _all(_items: list[Any], results: list[list[Any]]) -> Any:
    if any(is_boolean(result) and not result for [result] in results):
        return celtypes.BoolType(False)
    return _first_fault(result for [result] in results) or celtypes.BoolType(True)


def _exists(_items: list[Any], results: list[list[Any]]) -> Any:
    if any(is_boolean(result) and bool(result) for [result] in results):
        return celtypes.BoolType(True)
    return _first_fault(result for [result] in results) or celtypes.BoolType(False)


def _exists_one(_items: list[Any], results: list[list[Any]]) -> Any:
    fault = _first_fault(result for [result] in results)
    return fault or celtypes.BoolType(sum(bool(result) for [result] in results) == 1)


def _filter(items: list[Any], results: list[list[Any]]) -> Any:
    fault = _first_fault(result for [result] in results)
    return fault or celtypes.ListType(item for item, [result] in zip(items, results, strict=True) if result)


def _map(_items: list[Any], results: list[list[Any]]) -> Any:
    if results and len(results[0]) == 2:
        fault = _first_fault(condition for condition, _ in results)
        if fault:
            return fault
        results = [[value] for condition, value in results if condition]
    for [value] in results:
        if isinstance(value, CELEvalError):
            return value
    return celtypes.ListType(value for [value] in results)


FOLDS: dict[str, Callable[[list[Any], list[list[Any]]], Any]] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
    "filter": _filter,
    "map": _map,
}
"""What a macro makes of the entries and of its results for each of them."""


def operators() -> dict[str, Callable[..., Any]]:
    """The functions that stand in for cel-python's own, by their names there."""
    return {
        "_==_": _absorbing(lambda a, b: celtypes.BoolType(equal(a, b))),
        "_!=_": _absorbing(lambda a, b: celtypes.BoolType(not equal(a, b))),
        "_in_": _absorbing(_contained),
        "_<_": _absorbing(lambda a, b: celtypes.BoolType(_ordered(a, b))),
        "_>_": _absorbing(lambda a, b: celtypes.BoolType(_ordered(b, a))),
        "_<=_": _absorbing(lambda a, b: celtypes.BoolType(not _ordered(b, a))),
        "_>=_": _absorbing(lambda a, b: celtypes.BoolType(not _ordered(a, b))),
        "_&&_": lambda a, b: _all([], [[a], [b]]),
        "_||_": lambda a, b: _exists([], [[a], [b]]),
        "_+_": _absorbing(_added),
        "_/_": _absorbing(_divided),
        "string": _to_string,
        "timestamp": _to_timestamp,
        "type": _type_of,
        "matches": lambda text, pattern: celtypes.BoolType(compile_pattern(pattern)(text)),
    }


def _to_string(value: Any) -> Any:
    """``string(value)``: doubles as Go writes them."""
    if isinstance(value, float):
        return celtypes.StringType(double_text(value))
    return celtypes.StringType("true" if value else "false") if is_boolean(value) else celtypes.StringType(value)


def _to_timestamp(value: Any) -> Any:
    """``timestamp(value)``: of a text, of seconds since 1970, or of a timestamp."""
    if isinstance(value, int) and not is_boolean(value):
        return celtypes.TimestampType(datetime.fromtimestamp(value, UTC))
    return celtypes.TimestampType(value)


def _added(left: Any, right: Any) -> Any:
    """``left + right``; two lists make one of cel-python's own."""
    if isinstance(left, list) and isinstance(right, list):
        return celtypes.ListType([*left, *right])
    return BASE["_+_"](left, right)


def _divided(left: Any, right: Any) -> Any:
    """``left / right``; doubles divide by zero, too."""
    # NB: cel-python's numbers refuse to be compared with plain ones of another kind.
    if isinstance(left, float) and isinstance(right, float) and float(right) == 0:
        nan = float(left) == 0 or isnan(left)
        return celtypes.DoubleType("nan" if nan else copysign(inf, left) * copysign(1, right))
    return BASE["_/_"](left, right)


def entry_of(container: Any, key: Any) -> Any:
    """``container[key]``; a double that is a whole number is as good as an integer."""
    if isinstance(key, float) and key.is_integer():
        key = celtypes.IntType(key)
    return BASE["_[_]"](container, key)


def _type_of(value: Any) -> Any:
    """``type(value)``, which is the function of that name where this module has one."""
    return _to_string if isinstance(value, str) else celtypes.TypeType(value)


def _absorbing(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator whose operands may be errors, which are its value then."""

    def apply(left: Any, right: Any) -> Any:
        for operand in (left, right):
            if isinstance(operand, CELEvalError):
                return operand
        return operator(left, right)

    return apply


def _ordered(left: Any, right: Any) -> bool:
    try:
        return less(left, right)
    except ValueError as error:
        raise TypeError(str(error)) from None


def _contained(item: Any, container: Any) -> Any:
    if not isinstance(container, celtypes.ListType | celtypes.MapType):
        raise TypeError("no such overload")
    return celtypes.BoolType(any(equal(item, entry) for entry in container))
