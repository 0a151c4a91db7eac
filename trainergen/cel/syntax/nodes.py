"""The nodes of an expression's tree; ``at`` is the offset in the text where a node starts or its operator stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: its value, and the kind that tells an int from a uint."""

    kind: str
    value: str | bytes | int | float | bool | None
    at: int = 0


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier that stands for a variable; it starts with a dot where the text says so."""

    name: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Select:
    """``operand.field`` or ``operand.?field``."""

    operand: Node
    field: str
    optional: bool = False
    at: int = 0


@dataclass(frozen=True, slots=True)
class Index:
    """``operand[key]`` or ``operand[?key]``."""

    operand: Node
    key: Node
    optional: bool = False
    at: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """``name(…)`` or ``target.name(…)``; macros are calls, too."""

    name: str
    target: Node | None
    arguments: tuple[Node, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with one, two or (``?:``) three operands; ``&&`` and ``||`` with two or more."""

    operator: str
    operands: tuple[Node, ...]
    at: int = 0


class Item(NamedTuple):
    """An entry of a list; an optional one is left out when it has no value."""

    value: Node
    optional: bool = False


class Entry(NamedTuple):
    """An entry of a map, or a field of an object."""

    key: Node
    value: Node
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ListOf:
    """``[…]``."""

    items: tuple[Item, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class MapOf:
    """``{…}``, or ``Type{…}`` with literals of the field names as keys."""

    entries: tuple[Entry, ...]
    type_name: str = ""
    at: int = 0


Node: TypeAlias = Literal | Name | Select | Index | Call | Operation | ListOf | MapOf


def children(node: Node) -> tuple[Node, ...]:
    """The nodes right below one."""
    match node:
        case Select(operand=operand):
            return (operand,)
        case Index(operand=operand, key=key):
            return (operand, key)
        case Call(target=target, arguments=arguments):
            return arguments if target is None else (target, *arguments)
        case Operation(operands=operands):
            return operands
        case ListOf(items=items):
            return tuple(item.value for item in items)
        case MapOf(entries=entries):
            return tuple(part for entry in entries for part in (entry.key, entry.value))
    return ()


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """``node`` with ``change`` applied to each of the nodes right below it."""
    match node:
        case Select(operand, field, optional, at):
            return Select(change(operand), field, optional, at)
        case Index(operand, key, optional, at):
            return Index(change(operand), change(key), optional, at)
        case Call(name, target, arguments, at):
            return Call(name, None if target is None else change(target), tuple(map(change, arguments)), at)
        case Operation(operator, operands, at):
            return Operation(operator, tuple(map(change, operands)), at)
        case ListOf(items, at):
            return ListOf(tuple(Item(change(value), optional) for value, optional in items), at)
        case MapOf(entries, type_name, at):
            changed = tuple(Entry(change(key), change(value), optional) for key, value, optional in entries)
            return MapOf(changed, type_name, at)
    return node


def qualified(node: Node | None) -> str:
    """``a.b.c`` when the node is nothing but names with dots between them, else empty."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Select) and not node.optional:
        prefix = qualified(node.operand)
        return f"{prefix}.{node.field}" if prefix else ""
    return ""
