"""Functions on lists: order, sums, extremes, positions.

Behaviour: kubernetes/apiserver pkg/cel/library/lists.go @ v0.35.0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import timedelta
from functools import reduce
from typing import Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.order import equal, less


def is_sorted(items: list[Any]) -> bool:
    """Is no entry smaller than the one before it?"""
    return not any(less(after, before) for before, after in itertools.pairwise(items))


def total(items: list[Any]) -> Any:
    """The sum of numbers or durations; 0 for an empty list."""
    if not items:
        return 0
    start: Any = timedelta() if isinstance(items[0], timedelta) else type(items[0])(0)
    return reduce(lambda a, b: a + b, items, start)


def smallest(items: list[Any]) -> Any:
    """The smallest entry."""
    return _extreme(items, "min", less)


def largest(items: list[Any]) -> Any:
    """The largest entry."""
    return _extreme(items, "max", lambda a, b: less(b, a))


def _extreme(items: list[Any], name: str, before: Callable[[Any, Any], bool]) -> Any:
    if not items:
        raise ValueError(f"{name} called on empty list")
    return reduce(lambda best, item: item if before(item, best) else best, items)


def index_of(items: list[Any], wanted: Any) -> int:
    """The first position of ``wanted``, -1 when it is not there."""
    return next((index for index, item in enumerate(items) if equal(item, wanted)), -1)


def last_index_of(items: list[Any], wanted: Any) -> int:
    """The last position of ``wanted``, -1 when it is not there."""
    return next((index for index in range(len(items) - 1, -1, -1) if equal(items[index], wanted)), -1)


SCALARS = ("int", "double", "string", "bool", "bytes", "timestamp", "duration")
"""The types of entries to look for: one of the engines finds no overload for an argument of any type."""

LISTS = (
    Function("isSorted", ("list",), "bool", is_sorted),
    Function("sum", ("list",), "dyn", total),
    Function("min", ("list",), "dyn", smallest),
    Function("max", ("list",), "dyn", largest),
    *(Function("indexOf", ("list", scalar), "int", index_of) for scalar in SCALARS),
    *(Function("lastIndexOf", ("list", scalar), "int", last_index_of) for scalar in SCALARS),
)
