"""What is wrong with an expression before it is evaluated: names and functions that the API server does not know.

Types are left to the engines: the server checks those of literals and of ``request``, too.
Behaviour: kubernetes/apiserver pkg/cel/environment/base.go, pkg/admission/plugin/cel/compile.go @ v0.35.0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from trainergen.cel.macros import ONE_VARIABLE, TWO_VARIABLES, bound
from trainergen.cel.syntax import Node, SyntaxFault, parse
from trainergen.cel.syntax.nodes import Call, MapOf, Name, Select, children, qualified

TYPES = frozenset(
    {
        *("bool", "bytes", "double", "dyn", "int", "list", "map", "null_type", "optional_type", "string", "type"),
        *("uint", "google", "net", "kubernetes"),
    }
)
"""The names that stand for types, or for where types are."""
_STANDARD = frozenset(
    {
        *("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"),
        *("contains", "endsWith", "matches", "size", "startsWith", "has"),
        *("getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds"),
        *("getMinutes", "getMonth", "getSeconds"),
        *("hasValue", "or", "orValue", "value", "unwrapOpt", "first", "last"),
        *("optional.of", "optional.none", "optional.ofNonZeroValue", "optional.unwrap"),
    }
)
_RESULTS_OF_MACROS = frozenset({"validate", "format.named"})
AUTHORIZER = frozenset(
    {
        *("allowed", "check", "error", "errored", "fieldSelector", "group", "labelSelector", "name", "namespace"),
        *("path", "reason", "resource", "serviceAccount", "subresource"),
    }
)
"""The functions of ``authorizer`` and of what it gives."""


class Fault(NamedTuple):
    """What is wrong, and at which offset of the text."""

    message: str
    at: int


@cache
def functions() -> frozenset[str]:
    """The names of everything that can be called in Kubernetes."""
    from trainergen.cel.library import FUNCTIONS

    library = frozenset(function.name for function in FUNCTIONS if not function.name.startswith("__"))
    return library | _STANDARD | _RESULTS_OF_MACROS | ONE_VARIABLE | TWO_VARIABLES | AUTHORIZER


@cache
def namespaces() -> frozenset[str]:
    """What stands before the dot of functions that are called by a qualified name."""
    return frozenset(name.partition(".")[0] for name in functions() if "." in name)


_ELSEWHERE = frozenset({"base64", "cel", "math", "proto", "regex"})
"""Namespaces of libraries that other users of CEL have, and Kubernetes has not."""


def called(node: Call) -> str:
    """The function's name, with its namespace where it has one."""
    target = node.target
    if isinstance(target, Name) and target.name in namespaces() | _ELSEWHERE:
        return f"{target.name}.{node.name}"
    return node.name


def free_names(node: Node, within: Collection[str] = ()) -> Iterator[Name]:
    """The variables that ``node`` refers to, but for those of its macros and of ``within``."""
    if isinstance(node, Name):
        if node.name not in within:
            yield node
        return
    if not isinstance(node, Call):
        for child in children(node):
            yield from free_names(child, within)
        return
    if node.target is not None and called(node) == node.name:
        yield from free_names(node.target, within)
    names = bound(node)
    for argument in node.arguments[len(names) :]:
        yield from free_names(argument, {*within, *names})


def check(expression: str, variables: Collection[str]) -> list[Fault]:
    """The faults of an expression over ``variables``, in their order in the text."""
    try:
        node = parse(expression)
    except SyntaxFault as fault:
        return [Fault(str(fault), fault.at)]
    except RecursionError:
        return [Fault("the nesting is too deep", 0)]
    faults = [
        Fault(f"there is no variable '{name.name}'", name.at)
        for name in free_names(node)
        if name.name not in variables and name.name not in TYPES
    ]
    return sorted([*faults, *call_faults(node), *_type_faults(node)], key=lambda fault: fault.at)


def call_faults(node: Node) -> Iterator[Fault]:
    """The calls of functions that Kubernetes does not have."""
    if isinstance(node, Call):
        name = called(node)
        if name not in functions():
            yield Fault(f"Kubernetes has no function '{name}'", node.at)
        elif name == "has" and not (len(node.arguments) == 1 and isinstance(node.arguments[0], Select)):
            yield Fault("has() takes a field, as in has(a.b)", node.at)
    for child in children(node):
        yield from call_faults(child)


def _type_faults(node: Node) -> Iterator[Fault]:
    """Objects are made only where a policy changes some."""
    if isinstance(node, MapOf) and node.type_name and node.type_name.partition(".")[0] not in ("Object", "JSONPatch"):
        yield Fault(f"there is no type '{node.type_name}'", node.at)
    for child in children(node):
        yield from _type_faults(child)


def selected(node: Node, variable: str) -> Iterator[Select]:
    """Every ``variable.field`` in ``node``."""
    if isinstance(node, Select) and qualified(node.operand) == variable:
        yield node
    for child in children(node):
        yield from selected(child, variable)
