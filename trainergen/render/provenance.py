"""Where the parts of rendered objects come from.

The values flow through the phases as plain dicts and lists; their origins are kept beside them, by identity, and only
where the way from a source to the output is not the path itself: roots, items of lists, and single fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

Source: TypeAlias = Literal["trainjob", "runtime", "snapshot", "patch", "object", "plugin", "default", "controller"]

_MIRRORED = frozenset({"trainjob", "runtime", "snapshot", "patch", "object"})


class Origin(NamedTuple):
    """The source of a value.

    ``trainjob``, ``runtime``, ``snapshot``, ``patch`` and ``object`` have the ``path`` of the value in that document (a
    patch is a part of the TrainJob); ``default`` the path of the field that was not written there. ``plugin`` and
    ``controller`` made the value up, from what lies at ``path`` of the TrainJob if there is one. ``detail`` names the
    source: kind and name of the runtime or object, the patch's manager, the plugin.
    """

    kind: Source
    path: Path = ()
    detail: str = ""

    def below(self, *steps: str | int) -> Origin:
        """The origin of a part of the value that has this origin."""
        if not steps or self.kind not in _MIRRORED:
            return self
        return Origin(self.kind, self.path + steps, self.detail)


NOWHERE = Origin("controller")
_NO_FIELDS: dict[str, Origin] = {}


class Superseded(NamedTuple):
    """A value that another one took the place of, with its origin."""

    value: JsonValue
    origin: Origin


class Trace:
    """The origins of values, found by the identity of the containers on the way to them."""

    __slots__ = ("_fields", "_kept", "_superseded", "_whole")

    def __init__(self) -> None:
        self._whole: dict[int, Origin] = {}
        self._fields: dict[int, dict[str, Origin]] = {}
        # By container and field; the field is empty for what an item of a list took the place of.
        self._superseded: dict[tuple[int, str], tuple[Superseded, ...]] = {}
        # NB: the containers are kept, so that no other object can get the identity of one that is gone.
        self._kept: list[JsonObject] = []

    def take_over(self, other: Trace) -> None:
        """Know the origins that ``other`` knows of values that several renderings share."""
        self._whole.update(other._whole)
        self._fields.update((key, dict(fields)) for key, fields in other._fields.items())
        self._kept += other._kept

    def whole(self, value: JsonObject, origin: Origin) -> None:
        """Note the origin of an object and all its parts that have none of their own."""
        self._whole[id(value)] = origin
        self._kept.append(value)

    def field(self, owner: JsonObject, key: str, origin: Origin) -> None:
        """Note the origin of one field of an object, with all its parts that have none of their own."""
        fields = self._fields.get(id(owner))
        if fields is None:
            fields = self._fields[id(owner)] = {}
            self._kept.append(owner)
        fields[key] = origin

    def field_origin(self, owner: JsonObject, key: str) -> Origin | None:
        """The origin noted for a field itself."""
        return self._fields.get(id(owner), {}).get(key)

    def supersede(self, item: JsonObject, old: JsonObject) -> None:
        """Note that an item of a list took the place of another; an item from the same source is the same again."""
        history = self._superseded.get((id(old), ""), ())
        origin = self._whole.get(id(old), NOWHERE)
        if origin != self._whole.get(id(item)):
            history = (*history, Superseded(old, origin))
        if history:
            self._superseded[id(item), ""] = history

    def supersede_field(self, owner: JsonObject, key: str, *old: Superseded) -> None:
        """Note the values that a field had before, oldest first."""
        self._superseded[id(owner), key] = (*self._superseded.get((id(owner), key), ()), *old)

    def superseded(self, owner: JsonValue, key: str = "") -> tuple[Superseded, ...]:
        """What had to make way for an item of a list, or for a field of an object, oldest first."""
        return self._superseded.get((id(owner), key), ())

    def find(self, value: JsonValue, path: Path, otherwise: Origin = NOWHERE) -> Origin:
        """The origin of what lies at ``path`` below ``value``: that of the nearest part on the way that has one."""
        origin, since = otherwise, 0
        whole, fields = self._whole, self._fields
        for number, step in enumerate(path):
            if value.__class__ is dict:
                key = id(value)
                if key in whole:
                    origin, since = whole[key], number
                if key in fields and step in fields[key]:
                    origin, since = fields[key][step], number + 1
                value = value.get(step)  # type: ignore[arg-type]
            elif value.__class__ is list and step.__class__ is int and step < len(value):
                value = value[step]
            else:
                break
        else:
            if id(value) in whole:
                origin, since = whole[id(value)], len(path)
        return origin.below(*path[since:])

    def cloned(self, value: JsonValue) -> JsonValue:
        """``value`` new in all its parts, with the origins of the old ones."""
        if isinstance(value, list):
            return [self.cloned(item) if isinstance(item, dict | list) else item for item in value]
        if not isinstance(value, dict):
            return value
        new = {key: self.cloned(item) if isinstance(item, dict | list) else item for key, item in value.items()}
        if id(value) in self._whole:
            self.whole(new, self._whole[id(value)])
        for key, origin in self._fields.get(id(value), _NO_FIELDS).items():
            self.field(new, key, origin)
            if (id(value), key) in self._superseded:
                self._superseded[id(new), key] = self._superseded[id(value), key]
        return new


class SourceWitness(NamedTuple):
    """Notes on the way through trainergen.api.decode where the parts of a source document went."""

    trace: Trace
    kind: Source
    detail: str

    def item(self, made: JsonObject, path: Path) -> None:
        """Note a list item or the root."""
        self.trace.whole(made, Origin(self.kind, path, self.detail))

    def default(self, made: JsonObject, field: str, path: Path) -> None:
        """Note a field that the document did not have."""
        self.trace.field(made, field, Origin("default", (*path, field), self.detail))
