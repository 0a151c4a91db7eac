"""What the macros of trainergen.cel.macros are made of: maps and lists as pairs of key and value, and back.

Their names start with two underscores, which no function of Kubernetes does.
"""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.order import less


def pairs(container: Any) -> list[dict[str, Any]]:
    """The entries of a map by key, or of a list by index."""
    entries = container.items() if isinstance(container, dict) else enumerate(container)
    return [{"k": key, "v": value} for key, value in entries]


def collected(entries: list[Any]) -> dict[Any, Any]:
    """A map of entries that are lists of key and value."""
    return dict(entries)


def merged(maps: list[Any]) -> dict[Any, Any]:
    """One map of several; ValueError when a key is in two of them."""
    made: dict[Any, Any] = {}
    for each in maps:
        if not isinstance(each, dict):
            raise ValueError("no such overload")
        for key, value in each.items():
            if key in made:
                raise ValueError(f"insert failed: key {key} already exists")
            made[key] = value
    return made


def sorted_by(keyed: list[Any]) -> list[Any]:
    """The second of each entry, in the order of the first; entries of equal keys stay in their order."""

    def compare(left: Any, right: Any) -> int:
        return -1 if less(left[0], right[0]) else int(less(right[0], left[0]))

    return [value for _, value in sorted(keyed, key=cmp_to_key(compare))]


PAIRS = (
    Function("__pairs", ("map",), "list", pairs, member=False),
    Function("__pairs", ("list",), "list", pairs, member=False),
    Function("__collected", ("list",), "map", collected, member=False),
    Function("__merged", ("list",), "map", merged, member=False),
    Function("__sorted", ("list",), "list", sorted_by, member=False),
)
