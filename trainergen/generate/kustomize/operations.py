"""JSON patches between two objects, which fail loudly when the base is not what they were made for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

_KEY = "name"


def operations(base: JsonObject, wanted: JsonObject) -> list[JsonValue]:
    """The operations that make ``wanted`` of ``base``; items of lists are guarded by a test of their name."""
    found: list[JsonValue] = []
    guarded: set[str] = set()
    for guards, operation in _mapping(base, wanted, "", ()):
        for path, name in guards:
            if path not in guarded:
                guarded.add(path)
                found.append({"op": "test", "path": path, "value": name})
        found.append(operation)
    return found


_Guards = tuple[tuple[str, str], ...]
_Step = tuple[_Guards, "JsonObject"]


def _mapping(base: JsonObject, wanted: JsonObject, path: str, guards: _Guards) -> Iterator[_Step]:
    for key, old in base.items():
        below = f"{path}/{_escaped(key)}"
        if key not in wanted:
            yield guards, {"op": "remove", "path": below}
        else:
            yield from _value(old, wanted[key], below, guards)
    for key, new in wanted.items():
        if key not in base:
            yield guards, {"op": "add", "path": f"{path}/{_escaped(key)}", "value": new}


def _value(old: JsonValue, new: JsonValue, path: str, guards: _Guards) -> Iterator[_Step]:
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _mapping(old, new, path, guards)
    elif isinstance(old, list) and isinstance(new, list) and _is_extended(old, new):
        for index, (before, after) in enumerate(zip(old, new, strict=False)):
            assert isinstance(before, dict)
            assert isinstance(after, dict)
            item = f"{path}/{index}"
            yield from _mapping(before, after, item, (*guards, (f"{item}/{_KEY}", str(before[_KEY]))))
        for each in new[len(old) :]:
            yield guards, {"op": "add", "path": f"{path}/-", "value": each}
    else:
        yield guards, {"op": "replace", "path": path, "value": new}


def _is_extended(old: list[JsonValue], new: list[JsonValue]) -> bool:
    """Whether two lists of named items begin with the same ones, so that they can be patched item by item."""
    names = [_name(each) for each in old]
    return bool(names) and None not in names and names == [_name(each) for each in new[: len(old)]]


def _name(item: JsonValue) -> JsonValue:
    return item.get(_KEY) if isinstance(item, dict) else None


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
