"""Finding a path of a built object in what it was written as: items of lists by their names, not by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path

_NAMES = ("name", "key", "mountPath", "containerPort", "podSet")


class Aligned(NamedTuple):
    """How far a path leads in another value: its steps there, and whether all of them are the same ones."""

    path: Path
    same: bool


def aligned(built: JsonValue, source: JsonValue, path: Path) -> Aligned:
    """The part of a path of ``built`` that exists in ``source``, as a path there."""
    found: list[str | int] = []
    same = True
    for step in path:
        there: str | int | None = None
        if isinstance(source, dict) and isinstance(step, str):
            there = step if step in source else None
        elif isinstance(source, list) and isinstance(step, int):
            there = _index(built, source, step)
        if there is None:
            break
        same = same and there == step
        found.append(there)
        source = source[there]  # type: ignore[index]
        built = value_at(built, (step,))
    return Aligned(tuple(found), same)


def value_at(value: JsonValue, path: Path) -> JsonValue:
    """The value there, None when there is none."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def reach(value: JsonValue, path: Path) -> int:
    """How many steps of a path exist."""
    return len(aligned(value, value, path).path)


def path_in(value: JsonValue, text: str) -> Path:
    """The path that is written so, as far as it leads in a value."""
    from trainergen.finding import format_path

    found: Path = ()
    while True:
        steps: list[str | int] = []
        if isinstance(value, dict):
            steps = [*sorted(value, key=len, reverse=True)]
        elif isinstance(value, list):
            steps = list(reversed(range(len(value))))
        for step in steps:
            written = format_path((*found, step))
            if text == written or text.startswith((f"{written}.", f"{written}[")):
                found = (*found, step)
                value = value_at(value, (step,))
                break
        else:
            return found


def _index(built: JsonValue, source: list[JsonValue], step: int) -> int | None:
    item = value_at(built, (step,))
    if isinstance(item, dict):
        for key in _NAMES:
            name = item.get(key)
            if name is None:
                continue
            return next((at for at, one in enumerate(source) if isinstance(one, dict) and one.get(key) == name), None)
    elif item is not None and item in source:
        return step if value_at(source, (step,)) == item else source.index(item)
    return step if 0 <= step < len(source) else None
