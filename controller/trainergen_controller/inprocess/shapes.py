"""How values merge, by their schema: what is one field, what a list with keys, and what an indivisible whole.

Behaviour: kubernetes/kube-openapi pkg/schemaconv and kubernetes-sigs/structured-merge-diff schema @ v6.3.0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from trainergen_controller.inprocess import fieldsets

if TYPE_CHECKING:
    from trainergen.api.structural import Schema

Resolve: TypeAlias = "Callable[[Schema], Schema]"
"""Gives a node of a schema without ``$ref``."""


class Shape:
    """One node: an object when ``is_object``, a list with keys or a set when ``is_list``, and a leaf else.

    What a schema leaves open is ``FREE``: objects are merged field by field and lists are leaves.
    """

    __slots__ = ("_children", "_known", "_resolve", "_schema", "free", "is_list", "is_object", "keys")

    def __init__(self, schema: Schema | None, resolve: Resolve) -> None:
        self._resolve = resolve
        self._schema = resolve(schema) if schema is not None else {}
        self._children: dict[str, Shape] = {}
        self._known: frozenset[str] = frozenset(self._schema.get("properties", ()))
        kind = self._schema.get("type")
        self.free = kind is None and not self._schema.get("x-kubernetes-int-or-string")
        self.is_object = kind == "object" and self._schema.get("x-kubernetes-map-type") != "atomic"
        self.is_list = kind == "array" and self._schema.get("x-kubernetes-list-type") in ("map", "set")
        self.keys: tuple[str, ...] = tuple(self._schema.get("x-kubernetes-list-map-keys", ()))

    def merges_object(self, value: Any) -> bool:
        """Is ``value`` an object that is merged field by field?"""
        return isinstance(value, dict) and (self.is_object or self.free)

    def merges_list(self, value: Any) -> bool:
        """Is ``value`` a list that is merged entry by entry?"""
        return isinstance(value, list) and self.is_list

    def knows(self, name: str) -> bool:
        """Has the schema a field of that name, as opposed to a key of a map?"""
        return name in self._known

    def takes(self, name: str) -> bool:
        """May an object have a field of that name at all?"""
        return (
            self.free
            or name in self._known
            or not self.is_object
            or bool(self._schema.get("additionalProperties"))
            or bool(self._schema.get("x-kubernetes-preserve-unknown-fields"))
            or not self._known
        )

    @property
    def takes_null(self) -> bool:
        """May a null stay where it is, or does a default come in its place?"""
        return self.free or bool(self._schema.get("nullable")) or self._schema.get("default") is not None

    def field(self, name: str) -> Shape:
        """The shape of a field, or of a map's values."""
        if name in self._known:
            return self._child(name, self._schema["properties"][name])
        inner = self._schema.get("additionalProperties")
        return self._child("", inner) if isinstance(inner, dict) else FREE

    def item(self) -> Shape:
        """The shape of a list's entries."""
        return self._child("", self._schema.get("items"))

    def step_to(self, item: Any) -> str:
        """The step to an entry of this list; ValueError if it has none of its keys."""
        if not self.keys:
            return fieldsets.value_step(item)
        found = {key: value for key in self.keys if (value := self._key(item, key)) is not None}
        if not found:
            raise ValueError(f"an entry has none of the keys {', '.join(self.keys)}")
        return fieldsets.keys_step(found)

    def _key(self, item: Any, key: str) -> Any:
        if isinstance(item, dict) and key in item:
            return item[key]
        entry = self._resolve(self._schema.get("items", {}))
        described = entry.get("properties", {}).get(key)
        return None if described is None else self._resolve(described).get("default")

    def _child(self, name: str, schema: Schema | None) -> Shape:
        if schema is None:
            return FREE
        if name not in self._children:
            self._children[name] = Shape(schema, self._resolve)
        return self._children[name]


FREE = Shape(None, lambda schema: schema)
