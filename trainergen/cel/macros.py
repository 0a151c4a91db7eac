"""Macros and calls that no engine knows, in terms of what both know: two variables, ``sortBy``, optional results.

Behaviour: google/cel-go ext/{comprehensions.go,lists.go}, common/types/optional.go @ v0.26.0.
"""

from __future__ import annotations

from collections.abc import Callable

from trainergen.cel.syntax.nodes import Call, Index, Item, ListOf, Literal, MapOf, Name, Node, Operation, Select
from trainergen.cel.syntax.nodes import rebuilt as _rebuilt

ONE_VARIABLE = frozenset(
    {"all", "exists", "exists_one", "existsOne", "filter", "map", "sortBy", "optMap", "optFlatMap"}
)
TWO_VARIABLES = frozenset({"all", "exists", "existsOne", "transformList", "transformMap", "transformMapEntry"})
PAIR = "__pair"
"""The variable that runs over the pairs of keys and values."""


def bound(node: Call) -> tuple[str, ...]:
    """The variables that a macro introduces into its last arguments; none for a plain call."""
    if node.name == "bind" and node.target == Name("cel", getattr(node.target, "at", 0)):
        return _names(node.arguments[:1])
    if node.target is None or len(node.arguments) < 2:
        return ()
    both = _names(node.arguments[:2])
    if node.name in TWO_VARIABLES and len(node.arguments) >= 3 and len(both) == 2:
        return both
    return _names(node.arguments[:1]) if node.name in ONE_VARIABLE else ()


def _names(nodes: tuple[Node, ...]) -> tuple[str, ...]:
    names = tuple(node.name for node in nodes if isinstance(node, Name))
    return names if len(names) == len(nodes) else ()


def lowered(node: Node) -> Node:
    """``node`` without the macros and calls of this module."""
    node = _rebuilt(node, lowered)
    if isinstance(node, MapOf) and node.type_name:
        # Objects that a policy makes up: to compute with they are maps.
        return MapOf(node.entries, "", node.at)
    if not isinstance(node, Call):
        return node
    if node.target is not None and len(bound(node)) == 2:
        return _two_variables(node)
    change = _CHANGES.get((node.name, len(node.arguments)))
    return node if change is None else change(node)


def _call(name: str, *arguments: Node) -> Node:
    return Call(name, None, arguments)


def _two_variables(node: Call) -> Node:
    """``x.all(k, v, P)`` as ``__pairs(x).all(p, P')``, where P' has p.k and p.v for k and v."""
    pair = Name(_fresh(node))
    first, second = bound(node)
    swap: dict[str, Node] = {first: Select(pair, "k"), second: Select(pair, "v")}
    body = [substituted(part, swap) for part in node.arguments[2:]]
    pairs = _call("__pairs", _target(node))
    if node.name in ("all", "exists", "existsOne"):
        return Call(node.name.replace("existsOne", "exists_one"), pairs, (pair, *body), node.at)
    if node.name == "transformMap":
        body[-1] = ListOf((Item(Select(pair, "k")), Item(body[-1])))
    made = Call("map", pairs, (pair, *body), node.at)
    collect = {"transformMap": "__collected", "transformMapEntry": "__merged"}.get(node.name)
    return made if collect is None else _call(collect, made)


def _fresh(node: Node) -> str:
    """A variable's name that no expression around or inside uses."""
    return f"{PAIR}{node.at}"


def substituted(node: Node, swap: dict[str, Node]) -> Node:
    """``node`` with expressions for some of its free variables."""
    if isinstance(node, Name):
        return swap.get(node.name, node)
    if not isinstance(node, Call) or not bound(node):
        return _rebuilt(node, lambda child: substituted(child, swap))
    names = bound(node)
    inner = {name: value for name, value in swap.items() if name not in names}
    target = None if node.target is None else substituted(node.target, swap)
    kept, rest = node.arguments[: len(names)], node.arguments[len(names) :]
    return Call(node.name, target, (*kept, *(substituted(part, inner) for part in rest)), node.at)


def _target(node: Call) -> Node:
    assert node.target is not None
    return node.target


def _optional(node: Node) -> Node:
    return Call("ofNonZeroValue", Name("optional"), (node,))


def _sort_by(node: Call) -> Node:
    keyed = ListOf((Item(node.arguments[1]), Item(node.arguments[0])))
    return _call("__sorted", Call("map", _target(node), (node.arguments[0], keyed)))


def _exists_one(node: Call) -> Node:
    return Call("exists_one", node.target, node.arguments, node.at)


def _validate(node: Call) -> Node:
    return _optional(_call("__validate", _target(node), *node.arguments))


def _named(node: Call) -> Node:
    is_format = isinstance(node.target, Name) and node.target.name == "format"
    return _optional(_call("__named", *node.arguments)) if is_format else node


def _first(node: Call) -> Node:
    return node if node.target is None else Index(node.target, Literal("int", 0), optional=True)


def _last(node: Call) -> Node:
    if node.target is None:
        return node
    end = Operation("-", (Call("size", None, (node.target,)), Literal("int", 1)))
    return Index(node.target, end, optional=True)


def _unwrapped(node: Call) -> Node:
    if isinstance(node.target, Name) and node.target.name == "optional":
        return _present(node.arguments[0]) if node.arguments else node
    return node


def _unwrapped_member(node: Call) -> Node:
    return node if node.target is None else _present(node.target)


def _present(items: Node) -> Node:
    item = Name("__optional")
    return Call("map", items, (item, Call("hasValue", item, ()), Call("value", item, ())))


_CHANGES: dict[tuple[str, int], Callable[[Call], Node]] = {
    ("existsOne", 2): _exists_one,
    ("first", 0): _first,
    ("last", 0): _last,
    ("named", 1): _named,
    ("sortBy", 2): _sort_by,
    ("unwrap", 1): _unwrapped,
    ("unwrapOpt", 0): _unwrapped_member,
    ("validate", 1): _validate,
}
