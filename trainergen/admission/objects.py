"""The compiled node of an object with named fields; see ``nodes`` for what a visit does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from trainergen.admission import checks
from trainergen.admission.faults import Fault
from trainergen.admission.nodes import Node

if TYPE_CHECKING:
    from trainergen.admission.faults import Faults
    from trainergen.admission.limits import Size
    from trainergen.finding import JsonObject, JsonValue, Path


class Fields(dict[str, "Node | None"]):
    """The fields of an object by name, each compiled when it is first met; None for a name that is no field.

    A subscript is all that a known field costs. Unknown names are not kept, so that odd input cannot fill the table.
    """

    __slots__ = ("_compile", "_names")

    def __init__(self, names: frozenset[str], compile_field: Callable[[str], Node]) -> None:
        super().__init__()
        self._names = names
        self._compile = compile_field

    def __missing__(self, name: str) -> Node | None:
        if name not in self._names:
            return None
        node = self[name] = self._compile(name)
        return node


Defaults: TypeAlias = tuple[tuple[str, Node], ...]


class ObjectNode(Node):
    """An object with named fields."""

    __slots__ = ("defaults", "fields", "preserve", "required", "size")

    def __init__(self, wanted: str, fields: Fields, size: Size | None) -> None:
        super().__init__(wanted)
        self.fields = fields
        self.size = size
        self.required: frozenset[str] = frozenset()
        self.defaults: Defaults = ()
        self.preserve = False

    def visit(self, value: JsonValue, path: Path, faults: Faults) -> JsonValue:
        if not isinstance(value, dict):
            return self.mismatch(value, path, faults)
        fields = self.fields
        changes: dict[str, JsonValue] | None = None
        for key, child in value.items():
            node = fields[key]
            if node is not None and type(child) is node.plain:
                continue
            if node is None or child is None:
                seen = self._visit_odd(key, child, path, faults)
            else:
                seen = node.visit(child, (*path, key), faults)
            if seen is not child or seen is None:
                changes = {} if changes is None else changes
                changes[key] = seen
        result = value if changes is None else self._changed(value, changes)
        for key, node in self.defaults:
            if key not in result:
                result = dict(result) if result is value else result
                result[key] = node.visit(node.fresh_default(), (*path, key), faults)
        if not self.required <= result.keys():
            self._note_missing(result, value, path, faults)
        if self.size is not None:
            self.size.check(result, path, faults)
        return result

    def _visit_odd(self, key: str, child: JsonValue, path: Path, faults: Faults) -> JsonValue:
        """What is stored for an unknown field or a null, None to leave it out (``_changed`` keeps some nulls)."""
        if self.fields[key] is None and not self.preserve:
            faults.append(Fault(checks.UNKNOWN_FIELD, (*path, key), child))
            return None
        return child

    def _changed(self, value: JsonObject, changes: JsonObject) -> JsonObject:
        """``value`` with its changed fields; those changed to null go, except where null may stay."""
        result: JsonObject = {}
        for key, child in value.items():
            seen = changes.get(key, child)
            if seen is not None or self._keeps_null(key, child):
                result[key] = seen
        return result

    def _keeps_null(self, key: str, child: JsonValue) -> bool:
        if child is not None:
            return False
        node = self.fields[key]
        return self.preserve if node is None else node.nullable

    def _note_missing(self, result: JsonObject, sent: JsonObject, path: Path, faults: Faults) -> None:
        """Required fields that are absent after nulls went and defaults came."""
        for name in sorted(self.required - result.keys()):
            faults.append(Fault(checks.MISSING_FIELD, (*path, name), None, "null" if name in sent else "absent"))
