"""The texts of an object that are long enough to hold a credential."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue, Path
    from trainergen.rules import Source

_SHORT = 8
COMMANDS = ("args", "command")


class Text(NamedTuple):
    """A text, its path, and what it is called: the name beside a ``value``, else its key or that of its list."""

    path: Path
    name: str
    text: str
    before: str = ""
    """What stands before it in a command, so that ``["--token", "…"]`` can be told."""


def texts_of(source: Source) -> list[Text]:
    """All texts of an object of at least eight characters, in no particular order."""
    return source.once(_texts)


def _texts(source: Source) -> list[Text]:
    return list(_found(source.value))


def _found(value: JsonValue) -> Iterator[Text]:
    stack: list[tuple[JsonValue, Path, str]] = [(value, (), "")]
    while stack:
        value, path, name = stack.pop()
        if value.__class__ is dict:
            called = value.get("name")
            called = called if isinstance(called, str) else ""
            for key, below in value.items():
                if below.__class__ is not str:
                    stack.append((below, (*path, key), key))
                elif len(below) >= _SHORT:
                    yield Text((*path, key), (key == "value" and called) or key, below)
        elif value.__class__ is list:
            before = ""
            for index, below in enumerate(value):
                if below.__class__ is not str:
                    stack.append((below, (*path, index), name))
                    continue
                if len(below) >= _SHORT:
                    yield Text((*path, index), name, below, before)
                before = below
