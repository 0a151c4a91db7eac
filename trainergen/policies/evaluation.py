"""The value of a policy's expressions for one request, with what is not known offline kept apart from what fails.

An unknown part of the request is left unbound, which makes it an error where it is used; ``&&``, ``||`` and the macros
absorb errors where the rest decides. So a value is right whatever the unknown part is, and an error that could be its
doing is an ``UnknownError``. Only a test for presence would take unknown for absent: those are not evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen.cel.engine import EvaluationError, UnsupportedError, evaluate
from trainergen.cel.syntax import Node, write
from trainergen.cel.syntax.nodes import Name, Select, rebuilt
from trainergen.policies.expressions import Uses, tree, uses, uses_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trainergen.cel.values import CelValue
    from trainergen.policies.model import Named, Policy


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
        used = uses(expression)
        self._refuse_unknown(used)
        variables = {name: self._variable(name) for name in used.variables}
        inline = {name: found.inline for name, found in variables.items() if found.inline is not None}
        if inline:
            node = _inlined(tree(expression), inline)
            expression, used = write(node), uses_of(node)
            variables = {name: self._variable(name) for name in used.variables}
        bindings = {name: value for name, value in self.bindings.items() if name in used.names}
        if variables:
            bindings["variables"] = {name: found.value for name, found in variables.items() if found.error is None}
        try:
            return evaluate(expression, bindings)
        except UnsupportedError as error:
            raise UnknownError(f"it cannot be computed here ({error})") from None
        except EvaluationError as error:
            raise self._explained(error, used, variables) from None

    def _variable(self, name: str) -> _Variable:
        if name not in self._variables:
            expression = next(variable.expression for variable in self.policy.variables if variable.name == name)
            self._variables[name] = self._evaluated(expression)
        return self._variables[name]

    def _evaluated(self, expression: str) -> _Variable:
        try:
            return _Variable(self.value(expression))
        except EvaluationError as error:
            return _Variable(error=error)
        except UnknownError as error:
            # Values that cannot leave an engine, such as optionals, are computed where they are used.
            if "not passed on" in str(error):
                below = [(name, self._variable(name).inline) for name in uses(expression).variables]
                inner = {name: node for name, node in below if node is not None}
                return _Variable(inline=_inlined(tree(expression), inner))
            return _Variable(error=error)

    def _refuse_unknown(self, used: Uses) -> None:
        if "authorizer" in used.names:
            raise UnknownError("it asks the authorizer, which only a cluster has")
        if used.tests_who:
            raise UnknownError("it asks who makes the request, which is not known")
        if not self.namespace_known and used.tests_namespace:
            raise UnknownError("the Namespace is not among the files")

    def _explained(
        self, error: EvaluationError, used: Uses, variables: Mapping[str, _Variable]
    ) -> EvaluationError | UnknownError:
        """Why there is no value: the fault of the expression, or of what is unknown."""
        errors = [found.error for found in variables.values() if found.error is not None]
        for found in errors:
            if isinstance(found, UnknownError):
                return found
        if used.asks_who:
            return UnknownError("it asks who makes the request, which is not known")
        if not self.namespace_known and "namespaceObject" in used.names:
            return UnknownError("the Namespace is not among the files")
        return errors[0] if errors else error


def _inlined(node: Node, trees: dict[str, Node]) -> Node:
    """``node`` with expressions in place of ``variables.name``."""
    if not trees:
        return node
    if isinstance(node, Select) and node.operand == Name("variables", getattr(node.operand, "at", 0)):
        return trees.get(node.field, node)
    return rebuilt(node, lambda child: _inlined(child, trees))


def whole(expression: str, variables: Iterable[Named]) -> Node:
    """An expression with all variables of its policy written out."""
    trees: dict[str, Node] = {}
    for variable in variables:
        trees[variable.name] = _inlined(tree(variable.expression), trees)
    return _inlined(tree(expression), trees)
