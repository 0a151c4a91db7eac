"""One thing as it is in several environments: what is the same everywhere, and slots for what differs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonValue, Path


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that values fill: the value of each environment, none for one in which it is not there."""

    path: Path
    """The keys that lead there; an item of a list by its ``name``, if it has one."""
    values: Mapping[str, JsonValue]
    optional: bool
    """Whether some environment that has the object lacks this."""


Shape: TypeAlias = "bool | int | float | str | list[Shape] | dict[str, Shape] | Slot | None"

WHOLE = frozenset({"resources", "resourcesPerNode", "nodeSelector", "tolerations", "affinity"})
"""Fields that people set as a whole, even if only a part of them differs."""
_BRACES = ("{{", "{%")
_NAMESPACE = ("metadata", "namespace")


def same(first: JsonValue, second: JsonValue) -> bool:
    """Equality of JSON values: ``True`` is not 1."""
    return first == second and json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def shape(found: Mapping[str, JsonValue], path: Path = ()) -> Shape:
    """The common shape of the values of all environments (by name), which must not be empty."""
    first, *others = found.values()
    if path == _NAMESPACE:
        return Slot(path, found, optional=False)
    equal = all(same(first, other) for other in others)
    # The way down to the namespace is always gone, since a chart takes that from its values.
    if equal and path not in (_NAMESPACE[:0], _NAMESPACE[:1]) and not _has_braces(first):
        return first  # type: ignore[return-value]  # a JSON value without slots is a shape
    if path and path[-1] in WHOLE and not equal:
        return Slot(path, found, optional=False)
    if all(isinstance(value, dict) for value in found.values()):
        return _mapping(found, path)
    if all(isinstance(value, list) for value in found.values()):
        return _list(found, path, equal=equal)
    return Slot(path, found, optional=False)


def _mapping(found: Mapping[str, JsonValue], path: Path) -> Shape:
    maps = {name: value for name, value in found.items() if isinstance(value, dict)}
    keys = list(dict.fromkeys(key for value in maps.values() for key in value))
    common = [key for key in keys if all(key in value for value in maps.values())]
    # Where no key is certain, an environment could be left with a key that holds nothing instead of an empty mapping.
    if not common or any(_is_foreign(key) for key in keys):
        return Slot(path, found, optional=False)
    out: dict[str, Shape] = {}
    for key in keys:
        there = {name: value[key] for name, value in maps.items() if key in value}
        place = (*path, key)
        out[key] = shape(there, place) if key in common else Slot(place, there, optional=True)
    return out


def _list(found: Mapping[str, JsonValue], path: Path, *, equal: bool) -> Shape:
    lists = {name: value for name, value in found.items() if isinstance(value, list)}
    names = {name: [_name(item) for item in value] for name, value in lists.items()}
    first = next(iter(names.values()))
    is_keyed = None not in first and len(set(first)) == len(first)
    if not equal and not (is_keyed and all(other == first for other in names.values())):
        return Slot(path, found, optional=False)
    return [
        shape({name: value[index] for name, value in lists.items()}, (*path, key if is_keyed and key else index))
        for index, key in enumerate(first)
    ]


def _name(item: JsonValue) -> str | None:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def _is_foreign(text: str) -> bool:
    return any(brace in text for brace in _BRACES)


def _has_braces(value: JsonValue) -> bool:
    """Whether a text in the value would be taken for a template by Helm."""
    if isinstance(value, str):
        return _is_foreign(value)
    if isinstance(value, dict):
        return any(_is_foreign(key) or _has_braces(each) for key, each in value.items())
    return isinstance(value, list) and any(_has_braces(each) for each in value)


def slots(value: Shape) -> list[Slot]:
    """The slots of a shape, in the order in which they are written."""
    if isinstance(value, Slot):
        return [value]
    if isinstance(value, dict):
        return [slot for each in value.values() for slot in slots(each)]
    return [slot for each in value for slot in slots(each)] if isinstance(value, list) else []
