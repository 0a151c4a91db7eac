"""Uniqueness in lists that are maps or sets to the API server.

Behaviour: kubernetes/apiextensions-apiserver pkg/apiserver/schema/listtype/validation.go @ v0.35.0, except that every
repeated entry is reported and not only the second one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainergen.finding import JsonValue


class Repeat(NamedTuple):
    """Entry ``at`` has the key or value that entry ``first`` already has."""

    at: int
    first: int
    key: dict[str, JsonValue] | None
    """The values of the list's keys; None for a set."""


def _identity(value: object) -> object:
    """A hashable stand-in: equal for what the server calls equal, so that 1, 1.0 and true stay apart."""
    if not isinstance(value, dict | list):
        return type(value), value
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        # Deeper than any schema goes: its type is a fault of its own.
        return id(value)


def _repeats(identities: list[object]) -> Iterator[tuple[int, int]]:
    first: dict[object, int] = {}
    for index, identity in enumerate(identities):
        before = first.setdefault(identity, index)
        if before != index:
            yield index, before


def repeated_values(items: Sequence[JsonValue]) -> list[Repeat]:
    """The entries of a set that repeat an earlier one."""
    if len(items) < 2:
        return []
    return [Repeat(index, first, None) for index, first in _repeats([_identity(item) for item in items])]


def repeated_keys(items: Sequence[JsonValue], keys: tuple[str, ...]) -> list[Repeat]:
    """The entries of a list map whose keys repeat an earlier entry's; an absent key equals an absent key.

    A list with an entry that is no mapping has no keys to compare: that fault is reported by itself.
    """
    if len(items) < 2:
        return []
    if _plainly_unique(items, keys) or not all(isinstance(item, dict) for item in items):
        return []
    identities = [_key_identity(item, keys) for item in items]
    found = []
    for index, first in _repeats(identities):
        item = items[index]
        assert isinstance(item, dict)
        found.append(Repeat(index, first, {name: item[name] for name in keys if name in item}))
    return found


def _plainly_unique(items: Sequence[JsonValue], keys: tuple[str, ...]) -> bool:
    """The everyday answer without building identities: one key, all texts, all different."""
    if len(keys) != 1:
        return False
    key = keys[0]
    try:
        values = [item[key] for item in items]  # type: ignore[index,call-overload]
    except (KeyError, TypeError, IndexError):
        return False
    return all(type(value) is str for value in values) and len(set(values)) == len(values)


def _key_identity(item: JsonValue, keys: tuple[str, ...]) -> object:
    assert isinstance(item, dict)
    return tuple((name, _identity(item[name])) for name in keys if name in item)
