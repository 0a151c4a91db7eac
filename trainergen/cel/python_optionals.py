"""Optional values for cel-python, which has neither them nor their syntax.

Behaviour: google/cel-go common/types/optional.go, cel/library.go @ v0.26.0. The syntax becomes calls of the functions
below before cel-python reads the expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from celpy import celtypes
from celpy.evaluation import CELEvalError

from trainergen.cel.library.order import is_boolean
from trainergen.cel.syntax.nodes import Call, Entry, Index, Item, ListOf, Literal, MapOf, Name, Node, Select, rebuilt
from trainergen.cel.syntax.nodes import Operation as _Operation


class Optional:
    """A value that may be absent; ``found`` is empty then."""

    __slots__ = ("found",)

    def __init__(self, *found: Any) -> None:
        self.found = found

    def __eq__(self, other: object) -> bool:
        from trainergen.cel.library.order import equal

        if not isinstance(other, Optional) or len(self.found) != len(other.found):
            return False
        return all(equal(a, b) for a, b in zip(self.found, other.found, strict=True))

    def __hash__(self) -> int:
        return hash(len(self.found))


class _Maybe:
    """Marks an entry of a literal that is left out when its optional is absent."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        if not isinstance(value, Optional):
            raise TypeError("no such overload")
        self.value = value


def plain_syntax(node: Node) -> Node:
    """``node`` with calls in place of the optional syntax."""
    node = rebuilt(node, plain_syntax)
    match node:
        case Select(operand, field, True, at):
            return Call("__select", None, (operand, Literal("string", field)), at)
        case Index(operand, key, True, at):
            return Call("__index", None, (operand, key), at)
        case ListOf(items, at) if any(item.optional for item in items):
            entries = tuple(Item(_maybe(value) if optional else value) for value, optional in items)
            return Call("__list", None, (ListOf(entries),), at)
        case MapOf(entries, "", at) if any(entry.optional for entry in entries):
            return Call("__map", None, (ListOf(tuple(map(_pair, entries))),), at)
        case Call("optMap" | "optFlatMap", target, (Name(), _)) if target is not None:
            return _mapped(node, target)
    return node


def _maybe(node: Node) -> Node:
    return Call("__maybe", None, (node,))


def _pair(entry: Entry) -> Item:
    value = _maybe(entry.value) if entry.optional else entry.value
    return Item(ListOf((Item(entry.key), Item(value))))


def _mapped(node: Call, target: Node) -> Node:
    """``o.optMap(x, E)`` as ``o.hasValue() ? optional.of([o.value()].map(x, E)[0]) : optional.none()``."""
    value = ListOf((Item(Call("value", target, ())),))
    result: Node = Index(Call("map", value, node.arguments), Literal("int", 0))
    optional = Name("optional")
    if node.name == "optMap":
        result = Call("of", optional, (result,))
    return _Operation("?:", (Call("hasValue", target, ()), result, Call("none", optional, ())), node.at)


def select(value: Any, key: Any) -> Optional:
    """``value.?key`` and ``value[?key]``: absent where the key, the index or the value itself is."""
    if isinstance(value, Optional):
        return select(value.found[0], key) if value.found else value
    if isinstance(value, celtypes.MapType):
        return Optional(value[key]) if key in value else Optional()
    if isinstance(value, celtypes.ListType) and isinstance(key, int) and not is_boolean(key):
        return Optional(value[key]) if 0 <= key < len(value) else Optional()
    raise TypeError("no such overload")


def _of_non_zero(value: Any) -> Optional:
    if isinstance(value, Optional):
        return Optional(value) if value.found else value
    zero = value is None or (not value and isinstance(value, int | float | str | bytes | list | dict))
    return Optional() if zero else Optional(value)


def _optional(value: Any) -> Optional:
    if not isinstance(value, Optional):
        raise TypeError("no such overload")
    return value


def _value(optional: Any) -> Any:
    found = _optional(optional).found
    return found[0] if found else CELEvalError("optional.none() dereference", ValueError, None)


def _or_value(optional: Any, other: Any) -> Any:
    found = _optional(optional).found
    return found[0] if found else other


def _or(optional: Any, other: Any) -> Any:
    return optional if _optional(optional).found else _optional(other)


def _kept(items: Iterable[Any]) -> list[Any]:
    """The items without the absent ones."""
    kept: list[Any] = []
    for item in items:
        kept += item.value.found if isinstance(item, _Maybe) else (item,)
    return kept


def _list(items: Any) -> Any:
    return celtypes.ListType(_kept(items))


def _map(pairs: Any) -> Any:
    made = celtypes.MapType()
    for key, value in pairs:
        for present in _kept([value]):
            if key in made:
                raise ValueError(f"duplicate key: {key}")
            made[key] = present
    return made


OPTIONALS: dict[str, Callable[..., Any]] = {
    "__index": select,
    "__list": _list,
    "__map": _map,
    "__maybe": _Maybe,
    "__select": select,
    "hasValue": lambda optional: celtypes.BoolType(bool(_optional(optional).found)),
    "optional.none": Optional,
    "optional.of": Optional,
    "optional.ofNonZeroValue": _of_non_zero,
    "or": _or,
    "orValue": _or_value,
    "value": _value,
}
"""The functions by their names in cel-python."""
