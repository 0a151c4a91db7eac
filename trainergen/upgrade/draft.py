"""A document in the making: what stays as it is written, what moves with its text, and what is new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path


class Moved(NamedTuple):
    """A value of the document as it was read, to be written with the text it has at ``path`` there."""

    path: Path
    value: JsonValue


Part: TypeAlias = "Moved | bool | int | float | str | list[Part] | dict[str, Part] | None"


def plain(part: Part) -> JsonValue:
    """The value that a part stands for."""
    if isinstance(part, Moved):
        return part.value
    if isinstance(part, dict):
        return {key: plain(value) for key, value in part.items()}
    if isinstance(part, list):
        return [plain(item) for item in part]
    return part


def entries(part: Part) -> dict[str, Part]:
    """The entries of a mapping, each as a part of its own; empty for anything else."""
    if isinstance(part, Moved):
        value = part.value
        return {key: Moved((*part.path, key), value[key]) for key in value} if isinstance(value, dict) else {}
    return part if isinstance(part, dict) else {}


def items(part: Part) -> list[Part]:
    """The items of a list, each as a part of its own; empty for anything else."""
    if isinstance(part, Moved):
        value = part.value
        return [Moved((*part.path, at), item) for at, item in enumerate(value)] if isinstance(value, list) else []
    return part if isinstance(part, list) else []


class Draft:
    """The document that is made of a value: at first the same, then with entries put, replaced and dropped.

    ``instead`` names for a new entry the one whose place it takes.
    """

    def __init__(self, value: JsonValue) -> None:
        self._original = value
        self.root: Part = Moved((), value)
        self.instead: dict[Path, str] = {}

    @property
    def value(self) -> JsonValue:
        """The document as it is meant to be."""
        return plain(self.root)

    @property
    def object(self) -> JsonObject:
        """The same, empty when it is no mapping."""
        value = self.value
        return value if isinstance(value, dict) else {}

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was read."""
        return not isinstance(self.root, Moved) and self.value != self._original

    def part(self, *path: str | int) -> Part:
        """What is at a path, None when there is nothing."""
        part: Part = self.root
        for step in path:
            if isinstance(step, int):
                found = items(part)
                part = found[step] if step < len(found) else None
            else:
                part = entries(part).get(step)
        return part

    def has(self, *path: str | int) -> bool:
        """Whether there is an entry at a path, be it null."""
        return path[-1] in entries(self.part(*path[:-1]))

    def get(self, *path: str | int) -> JsonValue:
        """The value at a path, None when there is none."""
        return plain(self.part(*path))

    def put(self, path: Path, part: Part, *, instead: str = "") -> None:
        """Write an entry, making the mappings on the way; ``instead`` is the key of the one that makes room for it."""
        mapping = self._opened(path[:-1])
        key = str(path[-1])
        if instead and instead in mapping:
            kept = [(old, value) for old, value in mapping.items() if old != key]
            mapping.clear()
            mapping.update((key, part) if old == instead else (old, value) for old, value in kept)
            # What was itself put in the place of another entry hands that place on.
            self.instead[path] = self.instead.pop((*path[:-1], instead), instead)
        else:
            mapping[key] = part

    def drop(self, path: Path) -> None:
        """Take an entry out."""
        self._opened(path[:-1]).pop(str(path[-1]), None)

    def append(self, path: Path, part: Part) -> None:
        """Add an item to a list."""
        mapping = self._opened(path[:-1])
        mapping[str(path[-1])] = [*items(mapping.get(str(path[-1]))), part]

    def _opened(self, path: Path) -> dict[str, Part]:
        """The mapping at a path, ready to be changed."""
        if isinstance(self.root, Moved):
            self.root = dict(entries(self.root))
        node: Part = self.root
        for step in path:
            node = _open_below(node, step)
        if not isinstance(node, dict):
            raise TypeError(f"no mapping at {path}")
        return node


def _open_below(node: Part, step: str | int) -> Part:
    if isinstance(node, list) and isinstance(step, int):
        child = node[step]
        if isinstance(child, Moved):
            node[step] = items(child) if isinstance(child.value, list) else dict(entries(child))
        return node[step]
    if isinstance(node, dict) and isinstance(step, str):
        below = node.get(step)
        if isinstance(below, Moved) or below is None:
            node[step] = items(below) if isinstance(plain(below), list) else dict(entries(below))
        return node[step]
    raise TypeError(f"no step {step} below {type(node).__name__}")


def as_part(value: JsonValue) -> Part:
    """A value as a part that is written anew."""
    if isinstance(value, dict):
        return {key: as_part(each) for key, each in value.items()}
    if isinstance(value, list):
        return [as_part(each) for each in value]
    return value


def moved_in(part: Part) -> Iterator[Moved]:
    """Everything that moves with its text."""
    if isinstance(part, Moved):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from moved_in(value)
    elif isinstance(part, list):
        for item in part:
            yield from moved_in(item)
