"""A part of an object, with the way to read it and the place to report at."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from trainergen.rules.found import Spot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.rules.found import Located

    class Root(Protocol):
        """The whole that parts belong to: it knows where a path of it was written."""

        def spot(self, path: Path) -> Spot:
            """The place of a path."""


Subject = TypeVar("Subject")
Made = TypeVar("Made")


class DocumentRoot:
    """A document as written: every path is its own place."""

    __slots__ = ("_where",)

    def __init__(self, where: Located) -> None:
        self._where = where

    def spot(self, path: Path) -> Spot:
        """The place of a path of the document."""
        return Spot(self._where, path)


class ElsewhereRoot:
    """An object that is in no file of the run: everything in it is reported at one place, which refers to it."""

    __slots__ = ("_spot",)

    def __init__(self, spot: Spot) -> None:
        self._spot = spot

    def spot(self, path: Path) -> Spot:  # noqa: ARG002 - the protocol's
        """The place that refers to the object."""
        return self._spot


class Part:
    """A value inside an object.

    Paths are relative to the part: a dotted text, then single steps, e.g. ``get("spec.trainer.env", 0, "name")`` or
    ``get("metadata.labels", "kueue.x-k8s.io/queue-name")``. What is absent or of another type reads as None or empty,
    so that a rule needs no checks of shape.
    """

    __slots__ = ("path", "root", "value")

    def __init__(self, value: JsonValue, root: Root, path: Path = ()) -> None:
        self.value = value
        self.root = root
        self.path = path

    def get(self, dotted: str = "", *steps: str | int) -> JsonValue:
        """The value there, None when there is none."""
        return _below(self.value, steps_of(dotted) + steps)

    def text(self, dotted: str = "", *steps: str | int) -> str:
        """The text there, else ``""``."""
        value = _below(self.value, steps_of(dotted) + steps)
        return value if isinstance(value, str) else ""

    def integer(self, dotted: str = "", *steps: str | int) -> int | None:
        """The integer there, else None; true and false are no integers."""
        value = _below(self.value, steps_of(dotted) + steps)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def mapping(self, dotted: str = "", *steps: str | int) -> JsonObject:
        """The mapping there, else an empty one."""
        value = _below(self.value, steps_of(dotted) + steps)
        return value if isinstance(value, dict) else {}

    def values(self, dotted: str = "", *steps: str | int) -> list[JsonValue]:
        """The list there, else an empty one."""
        value = _below(self.value, steps_of(dotted) + steps)
        return value if isinstance(value, list) else []

    def texts(self, dotted: str = "", *steps: str | int) -> list[str]:
        """The texts of the list there."""
        return [value for value in self.values(dotted, *steps) if isinstance(value, str)]

    def has(self, dotted: str, *steps: str | int) -> bool:
        """Whether something other than null is there."""
        return _below(self.value, steps_of(dotted) + steps) is not None

    def part(self, dotted: str = "", *steps: str | int) -> Part:
        """The part there; its value is None when there is nothing."""
        way = steps_of(dotted) + steps
        return Part(_below(self.value, way), self.root, self.path + way)

    def parts(self, dotted: str = "", *steps: str | int) -> Iterator[Part]:
        """The items of the list there that are mappings, as parts."""
        way = self.path + steps_of(dotted) + steps
        for index, value in enumerate(self.values(dotted, *steps)):
            if isinstance(value, dict):
                yield Part(value, self.root, (*way, index))

    def entries(self, dotted: str = "", *steps: str | int) -> Iterator[tuple[str, Part]]:
        """The keys and values of the mapping there, the values as parts."""
        way = self.path + steps_of(dotted) + steps
        for key, value in self.mapping(dotted, *steps).items():
            yield key, Part(value, self.root, (*way, key))

    def at(self, dotted: str = "", *steps: str | int) -> Spot:
        """The place to report at; for what is not written, the nearest parent."""
        return self.root.spot(self.path + steps_of(dotted) + steps)


def _below(value: Any, way: Path) -> JsonValue:
    """What lies below a value, None where the way ends before."""
    for step in way:
        if value.__class__ is dict:
            value = value.get(step)
        elif value.__class__ is list and step.__class__ is int and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value  # type: ignore[no-any-return]


class Memory:
    """What several rules work out of one subject, kept for the others."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[Callable[..., object], object] = {}

    def once(self, subject: Subject, work: Callable[[Subject], Made]) -> Made:
        """What ``work`` makes of the subject, made when first asked for."""
        if work not in self._kept:
            self._kept[work] = work(subject)
        return cast("Made", self._kept[work])


@lru_cache(maxsize=4096)
def steps_of(dotted: str) -> tuple[str | int, ...]:
    """The steps of a dotted path: ``spec.trainer`` is two."""
    return tuple(dotted.split(".")) if dotted else ()
