"""The difference of two objects, as operations of a JSON patch and as a patch to be merged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue


def operations(old: JsonValue, new: JsonValue, pointer: str = "") -> list[JsonValue]:
    """The operations that make ``new`` of ``old``; a list whose items are no longer the same is replaced as a whole."""
    return list(_operations(old, new, pointer))


def _operations(old: JsonValue, new: JsonValue, pointer: str) -> Iterator[JsonValue]:
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                yield {"op": "remove", "path": f"{pointer}/{_step(key)}"}
        for key, value in new.items():
            if key in old:
                yield from _operations(old[key], value, f"{pointer}/{_step(key)}")
            else:
                yield {"op": "add", "path": f"{pointer}/{_step(key)}", "value": value}
    elif isinstance(old, list) and isinstance(new, list) and _are_same_items(old, new):
        for at, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from _operations(one, other, f"{pointer}/{at}")
        yield from ({"op": "add", "path": f"{pointer}/-", "value": value} for value in new[len(old) :])
    else:
        yield {"op": "replace", "path": pointer, "value": new}


def _are_same_items(old: list[JsonValue], new: list[JsonValue]) -> bool:
    """Whether the items of one list are those of the other, perhaps changed, with some added at the end."""
    if not old or len(new) < len(old):
        return False
    return all(one == other or _identity(one) == _identity(other) != "" for one, other in zip(old, new, strict=False))


def _identity(item: JsonValue) -> str:
    keys = ("name", "manager")
    return next((f"{key} {item[key]}" for key in keys if key in item), "") if isinstance(item, dict) else ""


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def merge_patch(old: JsonObject, new: JsonObject) -> JsonObject:
    """What has to be merged into ``old`` to make ``new`` of it, where lists are replaced and null removes."""
    out: JsonObject = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            inner = merge_patch(before, value)
            if inner:
                out[key] = inner
        elif key not in old or before != value or type(before) is not type(value):
            out[key] = value
    return out
