"""The expressions of a policy: what they may refer to, and what is wrong with them.

Behaviour: kubernetes/apiserver pkg/admission/plugin/cel/compile.go @ v0.35.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from trainergen.cel.checking import Fault, check, free_names, selected
from trainergen.cel.syntax import Node, parse
from trainergen.cel.syntax.nodes import Call, Index, Literal, Name, Operation, Select, children

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

VARIABLES = ("object", "oldObject", "request", "namespaceObject", "variables", "authorizer")
"""What every expression of a policy may refer to; ``params`` comes with a ``paramKind``."""

_REQUEST = frozenset(
    {
        *("kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource", "name"),
        *("namespace", "operation", "userInfo", "dryRun", "options"),
    }
)
UNKNOWN_OF_REQUEST = ("userInfo", "options")
"""What of the request nobody knows before there is one."""


@lru_cache(maxsize=1024)
def tree(expression: str) -> Node:
    """The expression's tree; raises SyntaxFault."""
    return parse(expression)


def faults(expression: str, *, variables: Collection[str], params: bool) -> list[Fault]:
    """What is wrong with an expression of a policy that has these variables before it."""
    found = check(expression, (*VARIABLES, "params") if params else VARIABLES)
    if found:
        return found
    node = tree(expression)
    for select in selected(node, "variables"):
        if select.field not in variables:
            found.append(Fault(f"there is no variable 'variables.{select.field}'", select.at))
    for select in selected(node, "request"):
        if select.field not in _REQUEST:
            found.append(Fault(f"request has no field '{select.field}'", select.at))
    return found


@dataclass(frozen=True, slots=True)
class Uses:
    """What an expression uses: variables of the request and of the policy, and whether it tests for unknown parts."""

    names: frozenset[str]
    variables: tuple[str, ...]
    asks_who: bool
    """It uses what of the request nobody knows."""
    tests_who: bool
    tests_namespace: bool


def uses_of(node: Node) -> Uses:
    """What ``node`` uses."""
    return Uses(
        names=frozenset(name.name for name in free_names(node)),
        variables=tuple(dict.fromkeys(select.field for select in selected(node, "variables"))),
        asks_who=any(select.field in UNKNOWN_OF_REQUEST for select in selected(node, "request")),
        tests_who=asks_for_presence(node, "request", UNKNOWN_OF_REQUEST),
        tests_namespace=asks_for_presence(node, "namespaceObject"),
    )


@lru_cache(maxsize=1024)
def uses(expression: str) -> Uses:
    """What an expression uses."""
    return uses_of(tree(expression))


def asks_for_presence(node: Node, name: str, fields: Collection[str] = ()) -> bool:
    """Whether an expression tests if something of a variable (or of these fields of it) is there.

    Then an unknown part would look like an absent one, and the answer would be wrong rather than missing.
    """
    return any(_is_below(operand, name, fields) for operand in _tested(node))


def _tested(node: Node) -> Iterator[Node]:
    match node:
        case Call(name="has", arguments=(Select() as test,)):
            yield test
        case Select(optional=True) | Index(optional=True):
            yield node
        case _:
            pass
    for child in children(node):
        yield from _tested(child)


def _is_below(node: Node, name: str, fields: Collection[str]) -> bool:
    path: list[str] = []
    while isinstance(node, Select | Index):
        path.append(node.field if isinstance(node, Select) else "")
        node = node.operand
    if not isinstance(node, Name) or node.name != name:
        return False
    return not fields or not path or path[-1] in fields


def paths_of(node: Node, root: str) -> list[tuple[str | int, ...]]:
    """The fields of a variable that an expression looks at, each as far down as it is written out."""
    found: list[tuple[str | int, ...]] = []
    _collect(node, root, found)
    longest = [path for path in found if not any(path != other and path == other[: len(path)] for other in found)]
    return list(dict.fromkeys(longest))


def _collect(node: Node, root: str, found: list[tuple[str | int, ...]]) -> None:
    path = _path(node, root)
    if path:
        found.append(path)
        return
    for child in children(node):
        _collect(child, root, found)


def _path(node: Node, root: str) -> tuple[str | int, ...] | None:
    """``object.a['b'][0]`` as a path; None for anything else."""
    if isinstance(node, Name):
        return () if node.name == root else None
    if isinstance(node, Select):
        above = _path(node.operand, root)
        return None if above is None else (*above, node.field)
    if isinstance(node, Operation) and node.operator == "in" and isinstance(node.operands[0], Literal):
        # A test for a key is about what that key holds.
        return _path(Index(node.operands[1], node.operands[0]), root)
    if isinstance(node, Index) and isinstance(node.key, Literal) and isinstance(node.key.value, str | int):
        above = _path(node.operand, root)
        return None if above is None else (*above, node.key.value)
    return None
