"""The value of a policy's expressions for one request, with what is not known offline kept apart from what fails.

An unknown part of the request is left unbound, which makes it an error where it is used; ``&&``, ``||`` and the macros
absorb errors where the rest decides. So a value is right whatever the unknown part is, and an error that could be its
doing is an ``UnknownError``. Only a test for presence would take unknown for absent: those are not evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen.cel.checking import free_names
from trainergen.cel.engine import EvaluationError, UnsupportedError, evaluate
from trainergen.cel.syntax import Node, write
from trainergen.cel.syntax.nodes import Name, Select, rebuilt
from trainergen.policies.expressions import UNKNOWN_OF_REQUEST, asks_for_presence, refers_to, tree, variables_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.cel.values import CelValue
    from trainergen.policies.model import Policy


class UnknownError(Exception):
    """The expression's value depends on something that is not known, or that cannot be computed, offline."""


@dataclass(slots=True)
class _Variable:
    """A variable of the policy: its value, or why it has none, or an expression to be written in its place."""

    value: CelValue = None
    error: EvaluationError | UnknownError | None = None
    inline: Node | None = None


@dataclass(slots=True)
class Environment:
    """What the expressions of one policy see in one request; variables are evaluated when first used."""

    policy: Policy
    bindings: Mapping[str, Any]
    """The variables that are known; ``namespaceObject`` is missing, or has a name only, when it is not."""
    namespace_known: bool = True
    _variables: dict[str, _Variable] = field(default_factory=dict)

    def value(self, expression: str) -> CelValue:
        """The value; EvaluationError when it has none, UnknownError when nobody can tell."""
        return self._value(tree(expression), expression)

    def _value(self, node: Node, text: str) -> CelValue:
        self._refuse_unknown(node)
        used = {name: self._variable(name) for name in variables_of(node)}
        inlined = _inlined(node, {name: found.inline for name, found in used.items() if found.inline is not None})
        known = {
            name: found.value for name, found in used.items() if found.error is None and found.inline is None
        } | self._known_below(inlined, used)
        try:
            return evaluate(text if inlined is node else write(inlined), {**self.bindings, "variables": known})
        except UnsupportedError as error:
            raise UnknownError(f"it cannot be computed here ({error})") from None
        except EvaluationError as error:
            raise self._explained(error, inlined, used) from None

    def _known_below(self, node: Node, used: dict[str, _Variable]) -> dict[str, CelValue]:
        """The variables that come in with inlined ones."""
        names = [name for name in variables_of(node) if name not in used]
        return {name: found.value for name in names if (found := self._variable(name)).error is None}

    def _variable(self, name: str) -> _Variable:
        if name not in self._variables:
            expression = next(variable.expression for variable in self.policy.variables if variable.name == name)
            self._variables[name] = self._evaluated(tree(expression), expression)
        return self._variables[name]

    def _evaluated(self, node: Node, text: str) -> _Variable:
        try:
            return _Variable(self._value(node, text))
        except EvaluationError as error:
            return _Variable(error=error)
        except UnknownError as error:
            # Values that cannot leave an engine, such as optionals, are computed where they are used.
            if "not passed on" in str(error):
                inner = {name: self._variable(name).inline for name in variables_of(node)}
                return _Variable(inline=_inlined(node, {name: tree for name, tree in inner.items() if tree}))
            return _Variable(error=error)

    def _refuse_unknown(self, node: Node) -> None:
        if refers_to(node, "authorizer"):
            raise UnknownError("it asks the authorizer, which only a cluster has")
        if asks_for_presence(node, "request", UNKNOWN_OF_REQUEST):
            raise UnknownError("it asks who makes the request, which is not known")
        if not self.namespace_known and asks_for_presence(node, "namespaceObject"):
            raise UnknownError("the Namespace is not among the files")

    def _explained(
        self, error: EvaluationError, node: Node, used: dict[str, _Variable]
    ) -> EvaluationError | UnknownError:
        """Why there is no value: the fault of the expression, or of what is unknown."""
        errors = [found.error for found in used.values() if found.error is not None]
        for found in errors:
            if isinstance(found, UnknownError):
                return found
        if any(select.field in UNKNOWN_OF_REQUEST for select in _selects(node, "request")):
            return UnknownError("it asks who makes the request, which is not known")
        if not self.namespace_known and refers_to(node, "namespaceObject"):
            return UnknownError("the Namespace is not among the files")
        return errors[0] if errors else error


def _selects(node: Node, variable: str) -> list[Select]:
    from trainergen.cel.checking import selected

    return list(selected(node, variable))


def _inlined(node: Node, trees: dict[str, Node]) -> Node:
    """``node`` with expressions in place of ``variables.name``."""
    if not trees:
        return node
    if isinstance(node, Select) and node.operand == Name("variables", getattr(node.operand, "at", 0)):
        return trees.get(node.field, node)
    return rebuilt(node, lambda child: _inlined(child, trees))


def whole(node: Node, policy: Policy) -> Node:
    """An expression with all variables of the policy written out."""
    trees: dict[str, Node] = {}
    for variable in policy.variables:
        trees[variable.name] = _inlined(tree(variable.expression), trees)
    return _inlined(node, trees)


def uses(node: Node, name: str) -> bool:
    """Whether a variable of the request is used in an expression that is written out."""
    return any(found.name == name for found in free_names(node))
