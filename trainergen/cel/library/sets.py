"""Lists as sets.

Behaviour: google/cel-go ext/sets.go @ v0.26.0.
"""

from __future__ import annotations

from typing import Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.order import equal


def contains(items: list[Any], others: list[Any]) -> bool:
    """Is every one of the others in the list?"""
    return all(any(equal(item, other) for item in items) for other in others)


def equivalent(items: list[Any], others: list[Any]) -> bool:
    """Have both lists the same members?"""
    return contains(items, others) and contains(others, items)


def intersects(items: list[Any], others: list[Any]) -> bool:
    """Have the lists a member in common?"""
    return any(equal(item, other) for item in items for other in others)


SETS = (
    Function("sets.contains", ("list", "list"), "bool", contains, member=False),
    Function("sets.equivalent", ("list", "list"), "bool", equivalent, member=False),
    Function("sets.intersects", ("list", "list"), "bool", intersects, member=False),
)
