"""What becomes of every leaf of the input, so that nothing is lost without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue, Path

Outcome = Literal["mapped", "same", "reported", "default"]
"""Written into the output, equal to another role's value, named by a warning, or without effect."""


class Mapped(NamedTuple):
    """What became of one leaf: ``kind`` and ``target`` are the place in the output, ``check`` the id of a warning."""

    source: Path
    outcome: Outcome
    kind: str = ""
    target: Path = ()
    check: str = ""


class Ledger:
    """Marks of places in the input; the mark of a place counts for everything below it without a mark of its own."""

    def __init__(self, obj: JsonValue) -> None:
        self._obj = obj
        self._marks: dict[Path, Mapped] = {}

    def mapped(self, source: Path, kind: str, target: Path) -> None:
        """The value at ``source`` is in the output, perhaps rewritten."""
        self._marks[source] = Mapped(source, "mapped", kind, target)

    def unmap(self, source: Path) -> None:
        """The value is not in the output after all."""
        self._marks.pop(source, None)

    def same(self, source: Path) -> None:
        """The value equals one that is mapped."""
        self._marks.setdefault(source, Mapped(source, "same"))

    def reported(self, source: Path, check: str) -> None:
        """A warning names the value, or the change it makes."""
        self._marks.setdefault(source, Mapped(source, "reported", check=check))

    def default(self, source: Path) -> None:
        """The value says what holds anyway, or said nothing before."""
        self._marks.setdefault(source, Mapped(source, "default"))

    def find(self, path: Path) -> Mapped | None:
        """The mark that counts for a place."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._marks:
                return self._marks[path[:length]]
        return None

    def left(self) -> list[Path]:
        """The leaves without a mark."""
        return [path for path in leaves(self._obj) if self.find(path) is None]

    def entries(self) -> tuple[Mapped, ...]:
        """All leaves with what became of them."""
        found = ((path, self.find(path)) for path in leaves(self._obj))
        return tuple(mark._replace(source=path) for path, mark in found if mark is not None)

    @property
    def marks(self) -> tuple[Mapped, ...]:
        """The marks as they were made, for places and not for leaves."""
        return tuple(self._marks.values())


def leaves(value: JsonValue, path: Path = ()) -> Iterator[Path]:
    """The paths of all values that hold no other ones; empty objects and lists are leaves too."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    else:
        yield path
