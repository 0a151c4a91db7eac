"""Functions that make lists of lists: slices, order, flat and distinct ones, ranges.

Behaviour: google/cel-go ext/lists.go (version 3) and kubernetes/apiserver pkg/cel/library/lists.go @ v0.37.0.
"""

from __future__ import annotations

from typing import Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.lists import SCALARS
from trainergen.cel.library.order import equal
from trainergen.cel.library.pairs import sorted_by


def distinct(items: list[Any]) -> list[Any]:
    """The entries without those that equal an earlier one."""
    kept: list[Any] = []
    for item in items:
        if not any(equal(item, other) for other in kept):
            kept.append(item)
    return kept


def flatten(items: list[Any], depth: int = 1) -> list[Any]:
    """The entries with lists replaced by theirs, ``depth`` levels down; ValueError when it is negative."""
    if depth < 0:
        raise ValueError("level must be non-negative")
    flat: list[Any] = []
    for item in items:
        flat += flatten(item, depth - 1) if isinstance(item, list) and depth > 0 else [item]
    return flat


def slice_of(items: list[Any], start: int, end: int) -> list[Any]:
    """The entries from ``start`` to before ``end``."""
    if not 0 <= start <= end <= len(items):
        raise ValueError(f"cannot slice({start}, {end}), list has {len(items)} entries")
    return items[start:end]


def sort(items: list[Any]) -> list[Any]:
    """The entries, the smallest first."""
    return sorted_by([[item, item] for item in items])


def backwards(items: list[Any]) -> list[Any]:
    """The entries, the last first."""
    return items[::-1]


def numbers(count: int) -> list[int]:
    """0 to before ``count``."""
    if count > 1_000_000:
        raise ValueError("range too large")
    return list(range(count))


def includes(container: Any, wanted: Any) -> bool:
    """Is ``wanted`` in the list, or the same as what is no list?"""
    entries = container if isinstance(container, list) else [container]
    return any(equal(wanted, entry) for entry in entries)


SEQUENCES = (
    Function("distinct", ("list",), "list", distinct),
    Function("flatten", ("list",), "list", flatten),
    Function("flatten", ("list", "int"), "list", flatten),
    *(Function("includes", ("list", scalar), "bool", includes) for scalar in SCALARS),
    *(Function("includes", (scalar, scalar), "bool", includes) for scalar in SCALARS),
    Function("lists.range", ("int",), "list", numbers, member=False),
    Function("reverse", ("list",), "list", backwards),
    Function("slice", ("list", "int", "int"), "list", slice_of),
    Function("sort", ("list",), "list", sort),
)
