"""The CEL rules of the resource definitions: evaluated at every node of an object that has some.

Behaviour: kubernetes/apiextensions-apiserver pkg/apiserver/schema/cel/validation.go @ v0.35.0. Rules on ``oldSelf``
are evaluated on updates only, and only where the old object has a counterpart: fields by name, entries of list maps
by their keys. Other rules are forgiven on an update where nothing changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.admission import checks
from trainergen.admission.ratchet import Correlation, find_entry
from trainergen.admission.rule_tree import Rule, RuleNode, rule_tree
from trainergen.cel.proofs import IMMUTABLE, known
from trainergen.finding import Finding, JsonObject, JsonValue, Key, Layer, NotEvaluated, Path, format_path

if TYPE_CHECKING:
    from trainergen.admission.structural import StructuralResult
    from trainergen.api.structural import Kind, StructuralSchemas

_WORD = re.compile(r"\w+")
GENERATED = "aaaaa"
"""Stands for the characters that the server appends to ``generateName``."""


class RuleResult(NamedTuple):
    """What the rules say."""

    findings: tuple[Finding, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()


def evaluate_rules(result: StructuralResult, schemas: StructuralSchemas, kind: Kind) -> RuleResult:
    """The findings of the rules on an object that ``admit_structure`` has decoded.

    On a broken object no rule is evaluated, as on the server; the result says so, and which rules no engine knows.
    """
    tree = rule_tree(schemas, kind, update=result.old is not None)
    if tree is None:
        return RuleResult()
    if result.broken:
        if not _apply(tree, result.object, result.old):
            return RuleResult()
        reason = "the rules of the resource definition are evaluated once the faults of the schema are mended"
        return RuleResult((), (NotEvaluated(checks.RULE_FAILED.id, reason, Layer.CEL),))
    walk = _Walk(schemas, kind, result)
    walk.visit(tree, named(result.object), None if result.old is None else named(result.old), ())
    return RuleResult(tuple(walk.findings), tuple(walk.not_evaluated))


def _apply(node: RuleNode, value: JsonValue, old: JsonValue) -> bool:
    """Is there a rule at the value or below it?"""
    if value is None:
        return False
    if any(not rule.uses_old or old is not None for rule in node.rules):
        return True
    return any(_apply(child, entry, before) for child, entry, before, _ in _below(node, value, old))


def named(obj: JsonObject) -> JsonObject:
    """``obj`` with the name that the server would generate, if it asks for one."""
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("name"):
        return obj
    prefix = metadata.get("generateName")
    name = f"{prefix[:58]}{GENERATED}" if isinstance(prefix, str) else ""
    return {**obj, "metadata": {**metadata, "name": name}}


class _Walk:
    """One evaluation of the rules of a kind on an object."""

    def __init__(self, schemas: StructuralSchemas, kind: Kind, result: StructuralResult) -> None:
        self.schemas = schemas
        self.kind = kind
        self.result = result
        self.findings: list[Finding] = []
        self.not_evaluated: list[NotEvaluated] = []

    def visit(self, node: RuleNode, value: JsonValue, old: JsonValue, path: Path) -> None:
        """Evaluate the rules of ``node`` on ``value``, then those below."""
        if value is None:
            return
        for rule in node.rules:
            if rule.uses_old and old is None and not rule.optional_old:
                continue
            self._evaluate(node, rule, (value, old), path)
        for child, entry, before, step in _below(node, value, old):
            self.visit(child, entry, before, (*path, step))

    def _evaluate(self, node: RuleNode, rule: Rule, both: tuple[JsonValue, JsonValue], path: Path) -> None:
        value, old = both
        if self.result.mistyped and self._cannot_read(rule, path):
            return
        if rule.text == IMMUTABLE:
            from trainergen.cel.equality import same

            if not same(value, old, node.schema, self.schemas.resolve):
                from trainergen.admission.rule_messages import immutable

                self.findings.append(immutable(path, value, old))
            return
        fact = known(rule.text)
        if fact is not None and fact.proves(value):
            return
        self._ask(node, rule, both, path)

    def _cannot_read(self, rule: Rule, path: Path) -> bool:
        """Does a value stop the rule that an update leaves in place with a wrong type?

        The server reads values by their schema when a rule comes to them, and refuses the object if it cannot. A rule
        that compares everything comes to all; whether another one does depends on what it finds on its way.
        """
        found = [at for at in self.result.mistyped if at[: len(path)] == path]
        if not found:
            return False
        reason = f"{format_path(found[0])} is of another type than the field"
        if rule.text == IMMUTABLE or path in found:
            from trainergen.admission.rule_messages import rule_error

            self.findings.append(rule_error(rule, reason, path))
            return True
        words = set(_WORD.findall(rule.text))
        # Short of a comparison of everything, a rule gets to a value only by naming all fields on the way.
        if any(words.issuperset(step for step in at[len(path) :] if isinstance(step, str)) for at in found):
            text = f"whether rule '{rule.text}' comes to a value that it cannot read is open: {reason}"
            self.not_evaluated.append(NotEvaluated(checks.RULE_FAILED.id, text, Layer.CEL, path))
            return True
        return False

    def _ask(self, node: RuleNode, rule: Rule, both: tuple[JsonValue, JsonValue], path: Path) -> None:
        """Let an engine decide."""
        from trainergen.admission.rule_messages import failed, rule_error
        from trainergen.cel.engine import EvaluationError, UnsupportedError, holds

        bindings = self._bindings(node, both)
        try:
            if rule.optional_old:
                raise UnsupportedError("optional old values are not passed to an engine")
            if holds(rule.text, bindings) or self._forgiven(rule, path):
                return
            self.findings.append(failed(rule, bindings, both[0], path))
        except EvaluationError as error:
            self.findings.append(rule_error(rule, str(error), path))
        except UnsupportedError as error:
            reason = f"rule '{rule.text}' cannot be computed here ({error})"
            self.not_evaluated.append(NotEvaluated(checks.RULE_FAILED.id, reason, Layer.CEL, path))

    def _bindings(self, node: RuleNode, both: tuple[JsonValue, JsonValue]) -> dict[str, Any]:
        from trainergen.cel.values import typed

        names = ("self", "oldSelf")
        return {name: typed(value, node.schema, self.schemas.resolve) for name, value in zip(names, both, strict=True)}

    def _forgiven(self, rule: Rule, path: Path) -> bool:
        if self.result.old is None or rule.uses_old:
            return False
        return Correlation(self.schemas, self.kind).unchanged(path, (self.result.object, self.result.old))


def _below(
    node: RuleNode, value: JsonValue, old: JsonValue
) -> Iterator[tuple[RuleNode, JsonValue, JsonValue, str | int]]:
    """The children that have rules, each with its old counterpart (None without one) and the step to it."""
    if isinstance(value, dict):
        before = old if isinstance(old, dict) else {}
        for name, child in node.fields.items():
            if name in value:
                yield child, value[name], before.get(name), name
        if node.free is not None:
            for key, entry in value.items():
                yield node.free, entry, before.get(key), Key(key)
    elif isinstance(value, list) and node.item is not None:
        entries = old if isinstance(old, list) and node.keys else []
        for index, entry in enumerate(value):
            yield node.item, entry, find_entry(entries, entry, node.keys), index
