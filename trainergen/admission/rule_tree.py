"""The parts of a kind's schema that have CEL rules, without all the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from trainergen.api.structural import Kind, Schema, StructuralSchemas

_OLD = re.compile(r"\boldSelf\b")
_STRING = {"type": "string"}


class Rule(NamedTuple):
    """One entry of ``x-kubernetes-validations``."""

    text: str
    message: str
    message_expression: str
    field_path: str
    optional_old: bool
    uses_old: bool


class RuleNode:
    """A schema node that has rules, or has them below."""

    __slots__ = ("fields", "free", "item", "keys", "rules", "schema")

    def __init__(self, schema: Schema, rules: tuple[Rule, ...]) -> None:
        self.schema = schema
        self.rules = rules
        self.fields: dict[str, RuleNode] = {}
        self.free: RuleNode | None = None
        self.item: RuleNode | None = None
        self.keys: tuple[str, ...] = ()
        """The keys of a list map, by which old entries are found."""


_trees: dict[tuple[int, str, bool], tuple[StructuralSchemas, RuleNode | None]] = {}


def rule_tree(schemas: StructuralSchemas, kind: Kind, *, update: bool) -> RuleNode | None:
    """The nodes of ``kind`` with rules, None when there are none; for a create without those on ``oldSelf``."""
    key = (id(schemas), kind.kind, update)
    known = _trees.get(key)
    if known is None or known[0] is not schemas:
        known = _trees[key] = (schemas, _Builder(schemas, update=update).node(_named_root(schemas, kind)))
    return known[1]


def _named_root(schemas: StructuralSchemas, kind: Kind) -> Schema:
    """The root schema with what rules may see of an object's type and metadata."""
    root = schemas.resolve(kind.schema)
    metadata: dict[str, Any] = {"type": "object", "properties": {"name": _STRING, "generateName": _STRING}}
    own = {"apiVersion": _STRING, "kind": _STRING, "metadata": metadata}
    return {**root, "properties": {**root.get("properties", {}), **own}}


class _Builder:
    def __init__(self, schemas: StructuralSchemas, *, update: bool) -> None:
        self._schemas = schemas
        self._update = update
        self._shared: dict[str, RuleNode | None] = {}

    def node(self, schema: Schema) -> RuleNode | None:
        name = schema.get("$ref")
        if name is None or len(schema) > 1:
            return self._build(self._schemas.resolve(schema))
        if name not in self._shared:
            self._shared[name] = self._build(self._schemas.resolve(schema))
        return self._shared[name]

    def _build(self, schema: Schema) -> RuleNode | None:
        result = RuleNode(schema, tuple(self._rules(schema.get("x-kubernetes-validations", ()))))
        for name, child in schema.get("properties", {}).items():
            found = self.node(child)
            if found is not None:
                result.fields[name] = found
        free = schema.get("additionalProperties")
        if isinstance(free, dict):
            result.free = self.node(free)
        if "items" in schema:
            result.item = self.node(schema["items"])
        if schema.get("x-kubernetes-list-type") == "map":
            result.keys = tuple(schema["x-kubernetes-list-map-keys"])
        empty = not (result.rules or result.fields or result.free or result.item)
        return None if empty else result

    def _rules(self, entries: Any) -> list[Rule]:
        rules = [_rule(entry) for entry in entries]
        return [rule for rule in rules if self._update or not rule.uses_old or rule.optional_old]


def _rule(entry: dict[str, Any]) -> Rule:
    text = entry["rule"].strip()
    return Rule(
        text=text,
        message=entry.get("message", "").strip(),
        message_expression=entry.get("messageExpression", "").strip(),
        field_path=entry.get("fieldPath", ""),
        optional_old=bool(entry.get("optionalOldSelf")),
        uses_old=_OLD.search(text) is not None,
    )
