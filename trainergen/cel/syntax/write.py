"""Tree to text, in the plainest notation: every engine reads it alike."""

from __future__ import annotations

import re

from trainergen.cel.syntax.nodes import Call, Entry, Index, Item, ListOf, Literal, MapOf, Name, Node, Operation, Select

_ESCAPED = re.compile(r"[\\'\x00-\x1f\x7f-\x9f]")
_SHORT = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write(node: Node) -> str:
    """The expression of a tree."""
    match node:
        case Literal():
            return _literal(node)
        case Name(name=name):
            return name
        case Select(operand, field, optional):
            return f"{_operand(operand)}.{'?' if optional else ''}{field}"
        case Index(operand, key, optional):
            return f"{_operand(operand)}[{'?' if optional else ''}{write(key)}]"
        case Call(name, target, arguments):
            prefix = "" if target is None else f"{_operand(target)}."
            return f"{prefix}{name}({', '.join(map(write, arguments))})"
        case Operation(operator, operands):
            return _operation(operator, operands)
        case ListOf(items):
            return f"[{', '.join(map(_item, items))}]"
        case MapOf(entries, type_name):
            return f"{type_name}{{{', '.join(_entry(entry, fields=bool(type_name)) for entry in entries)}}}"


_TERNARY, _UNARY, _MEMBER = 0, 6, 7
_BINDING = {
    **dict.fromkeys(("||",), 1),
    **dict.fromkeys(("&&",), 2),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in"), 3),
    **dict.fromkeys(("+", "-"), 4),
    **dict.fromkeys(("*", "/", "%"), 5),
    **dict.fromkeys(("!_", "-_"), _UNARY),
    "?:": _TERNARY,
}
"""How tightly an operator binds. Parentheses only where they are needed: one engine counts them as nesting."""


def _operand(node: Node, least: int = _MEMBER) -> str:
    """``node`` where something that binds as tightly as ``least`` would take a part of it."""
    binding = _MEMBER
    if isinstance(node, Operation):
        binding = _BINDING[node.operator]
    elif isinstance(node, Literal) and node.kind in ("int", "uint", "double"):
        binding = _UNARY
    return f"({write(node)})" if binding < least else write(node)


def _operation(operator: str, operands: tuple[Node, ...]) -> str:
    binding = _BINDING[operator]
    if len(operands) == 1:
        return f"{operator[0]}{_operand(operands[0])}"
    if operator in ("||", "&&"):
        return f" {operator} ".join(_operand(operand, binding + 1) for operand in operands)
    if len(operands) == 2:
        left, right = _operand(operands[0], binding), _operand(operands[1], binding + 1)
        return f"{left} {operator} {right}"
    question, yes = (_operand(operand, _TERNARY + 1) for operand in operands[:2])
    return f"{question} ? {yes} : {write(operands[2])}"


def _item(item: Item) -> str:
    return f"{'?' if item.optional else ''}{write(item.value)}"


def _entry(entry: Entry, *, fields: bool) -> str:
    key = str(entry.key.value) if fields and isinstance(entry.key, Literal) else write(entry.key)
    return f"{'?' if entry.optional else ''}{key}: {write(entry.value)}"


def _literal(node: Literal) -> str:
    value = node.value
    if isinstance(value, str):
        return f"'{_ESCAPED.sub(_escape, value)}'"
    if isinstance(value, bytes):
        return "b'" + "".join(map(r"\x{:02x}".format, value)) + "'"
    if isinstance(value, float):
        return repr(value)
    if node.kind in ("bool", "null"):
        return {True: "true", False: "false", None: "null"}[value]  # type: ignore[index]
    return f"{value}{'u' if node.kind == 'uint' else ''}"


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _SHORT.get(character) or f"\\u{ord(character):04x}"
