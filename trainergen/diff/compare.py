"""The walk over two values that finds where they differ in meaning, not in writing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.diff.change import Difference, Kind
from trainergen.diff.lists import keys_of
from trainergen.diff.texts import meaning_of
from trainergen.finding import Key

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

_AMOUNTS = frozenset({"capacity", "limits", "minResources", "overhead", "requests"})
_AMOUNT_FIELDS = frozenset({"divisor", "sizeLimit"})
# Taken apart also where one side lacks them, since each of their parts is a change of its own.
_FREE_KEYS = frozenset({"labels", "annotations", "nodeSelector"})
_OPENED = _FREE_KEYS | {"resources", "limits", "requests", "minResources"}


@dataclass(frozen=True, slots=True)
class _Place:
    """A path by keys, and the same by position on both sides."""

    path: Path = ()
    old_at: Path = ()
    new_at: Path = ()
    inside_text: bool = False

    def field(self, name: str) -> _Place:
        if self.path and self.path[-1] in _FREE_KEYS:
            name = Key(name)
        if self.inside_text:
            return _Place((*self.path, name), self.old_at, self.new_at, inside_text=True)
        return _Place((*self.path, name), (*self.old_at, name), (*self.new_at, name))

    def item(self, key: Key | int, old: int | None, new: int | None) -> _Place:
        if self.inside_text:
            return _Place((*self.path, key), self.old_at, self.new_at, inside_text=True)
        old_at = self.old_at if old is None else (*self.old_at, old)
        return _Place((*self.path, key), old_at, self.new_at if new is None else (*self.new_at, new))

    def text(self) -> _Place:
        return _Place(self.path, self.old_at, self.new_at, inside_text=True)

    def found(self, kind: Kind, old: JsonValue, new: JsonValue) -> Difference:
        return Difference(self.path, kind, old, new, self.old_at, self.new_at)


def differences(old: JsonObject, new: JsonObject) -> list[Difference]:
    """Where two versions of an object differ, in the order of the old one; what only the new one has comes last.

    Items of lists are matched by the keys that identify them. Amounts are equal when their values are, and YAML, JSON
    and host files in a ConfigMap when their content is.
    """
    walk = _Walk(texts=old.get("kind") == "ConfigMap")
    walk.objects(_Place(), old, new)
    return walk.found


class _Walk:
    def __init__(self, *, texts: bool) -> None:
        self.found: list[Difference] = []
        self._texts = texts

    def objects(self, place: _Place, old: JsonObject, new: JsonObject) -> None:
        for name in [*old, *(name for name in new if name not in old)]:
            inner = place.field(name)
            if name in old and name in new:
                self._values(inner, old[name], new[name])
            elif name in old:
                self._alone(inner, Kind.REMOVED, old[name])
            else:
                self._alone(inner, Kind.ADDED, new[name])

    def _values(self, place: _Place, old: JsonValue, new: JsonValue) -> None:
        if isinstance(old, dict) and isinstance(new, dict):
            self.objects(place, old, new)
        elif isinstance(old, list) and isinstance(new, list):
            self._lists(place, old, new)
        elif _same(old, new) or _same_amount(place.path, old, new):
            return
        elif self._texts and isinstance(old, str) and isinstance(new, str):
            self._embedded(place, old, new)
        else:
            self.found.append(place.found(Kind.CHANGED, old, new))

    def _alone(self, place: _Place, kind: Kind, value: JsonValue) -> None:
        """A value that one side lacks."""
        if isinstance(value, dict) and value and place.path[-1] in _OPENED:
            for name, part in value.items():
                self._alone(place.field(name), kind, part)
            return
        keys = keys_of(str(place.path[-1]), value) if isinstance(value, list) else None
        if keys and isinstance(value, list):
            items = dict(zip(keys, value, strict=True))
            self._keyed(place, *((items, {}) if kind is Kind.REMOVED else ({}, items)))
            return
        added = kind is Kind.ADDED
        self.found.append(place.found(kind, None if added else value, value if added else None))

    def _embedded(self, place: _Place, old: str, new: str) -> None:
        name = str(place.path[-1])
        before, after = meaning_of(name, old), meaning_of(name, new)
        if isinstance(before, str) or isinstance(after, str):
            self.found.append(place.found(Kind.CHANGED, old, new))
        else:
            self._values(place.text(), before, after)

    def _lists(self, place: _Place, old: list[JsonValue], new: list[JsonValue]) -> None:
        name = str(place.path[-1])
        old_keys, new_keys = keys_of(name, old), keys_of(name, new)
        if old_keys is not None and new_keys is not None:
            self._keyed(place, dict(zip(old_keys, old, strict=True)), dict(zip(new_keys, new, strict=True)))
        elif len(old) == len(new) and any(isinstance(item, dict | list) for item in (*old, *new)):
            for at, (before, after) in enumerate(zip(old, new, strict=True)):
                self._values(place.item(at, at, at), before, after)
        elif not _same(old, new):
            self.found.append(place.found(Kind.CHANGED, old, new))

    def _keyed(self, place: _Place, old: dict[Key, JsonValue], new: dict[Key, JsonValue]) -> None:
        old_places = {key: at for at, key in enumerate(old)}
        new_places = {key: at for at, key in enumerate(new)}
        shared_old = [key for key in old if key in new]
        shared_new = [key for key in new if key in old]
        if shared_old != shared_new:
            self.found.append(place.found(Kind.ORDER, [*shared_old], [*shared_new]))
        for key in [*old, *(key for key in new if key not in old)]:
            inner = place.item(key, old_places.get(key), new_places.get(key))
            if key not in new:
                self.found.append(inner.found(Kind.REMOVED, old[key], None))
            elif key not in old:
                self.found.append(inner.found(Kind.ADDED, None, new[key]))
            else:
                self._values(inner, old[key], new[key])


def _same(old: JsonValue, new: JsonValue) -> bool:
    """Whether two values are one to JSON, for which true is not 1."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_same(*pair) for pair in zip(old, new, strict=True))
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    return old == new


def _same_amount(path: Path, old: JsonValue, new: JsonValue) -> bool:
    if path[-1] not in _AMOUNT_FIELDS and (len(path) < 2 or path[-2] not in _AMOUNTS):
        return False
    try:
        return parse_quantity(old) == parse_quantity(new)
    except QuantityError:
        return False
