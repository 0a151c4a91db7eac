"""What an update forgives: faults of parts that are just as they were before.

Behaviour: kubernetes/apiextensions-apiserver pkg/apiserver/validation/ratcheting.go and kubernetes/apiserver
pkg/cel/common/equality.go @ v0.35.0 (CRDValidationRatcheting, generally available since Kubernetes 1.33).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission import checks

if TYPE_CHECKING:
    from trainergen.admission.faults import Fault, Faults
    from trainergen.api.structural import Kind, Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue, Path

_NEVER = frozenset({checks.UNKNOWN_FIELD, checks.DUPLICATE, checks.WRONG_KIND})
"""Decoding forgives nothing; repeated list entries have a rule of their own."""


class Correlation:
    """Finds, for a place in a new object, the value that the old object has there."""

    def __init__(self, schemas: StructuralSchemas, kind: Kind) -> None:
        self._schemas = schemas
        self._root = kind.schema

    def unforgiven(self, faults: Faults, old_faults: Faults, both: tuple[JsonObject, JsonObject]) -> Faults:
        """The faults that an update from the second to the first object of ``both`` still has."""
        stale = any(fault.check is checks.DUPLICATE for fault in old_faults)
        return [fault for fault in faults if not self._forgiven(fault, both, stale=stale)]

    def _forgiven(self, fault: Fault, both: tuple[JsonObject, JsonObject], *, stale: bool) -> bool:
        if fault.check is checks.DUPLICATE:
            return stale
        if fault.check in _NEVER or fault.path[:1] == ("metadata",):
            return False
        about = fault.path[:-1] if fault.check is checks.MISSING_FIELD else fault.path
        return self.unchanged(about, both)

    def unchanged(self, path: Path, both: tuple[JsonObject, JsonObject]) -> bool:
        """Is the value at ``path``, or the nearest one around it that can be found in the old object, as it was?"""
        new: JsonValue
        old: JsonValue
        new, old = both
        node = self._schemas.resolve(self._root)
        for step in path:
            pair = _step(new, old, node, step)
            child = _child(node, step)
            if pair is None or child is None:
                break
            new, old = pair
            node = self._schemas.resolve(child)
        return self._equal(new, old, node)

    def _equal(self, new: JsonValue, old: JsonValue, node: Schema) -> bool:
        """Deep equality, where entries of a list map are compared by key; 1 and true differ."""
        if isinstance(new, dict) and isinstance(old, dict):
            return new.keys() == old.keys() and all(self._equal_child(new, old, node, key) for key in new)
        if isinstance(new, list) and isinstance(old, list):
            return len(new) == len(old) and all(self._equal_child(new, old, node, index) for index in range(len(new)))
        return type(new) is type(old) and new == old

    def _equal_child(self, new: JsonValue, old: JsonValue, node: Schema, step: str | int) -> bool:
        pair = _step(new, old, node, step)
        child = _child(node, step) or {}
        if pair is None and isinstance(step, int) and not _map_keys(node):
            assert isinstance(new, list)
            assert isinstance(old, list)
            pair = new[step], old[step]
        return pair is not None and self._equal(*pair, self._schemas.resolve(child))


def _child(node: Schema, step: str | int) -> Schema | None:
    if isinstance(step, int):
        child = node.get("items")
    else:
        child = node.get("properties", {}).get(step) or node.get("additionalProperties")
    return child if isinstance(child, dict) else None


def _map_keys(node: Schema) -> tuple[str, ...]:
    return tuple(node["x-kubernetes-list-map-keys"]) if node.get("x-kubernetes-list-type") == "map" else ()


def _step(new: JsonValue, old: JsonValue, node: Schema, step: str | int) -> tuple[JsonValue, JsonValue] | None:
    """The two values one step further in, None when the old object has no counterpart."""
    if isinstance(step, str):
        if isinstance(new, dict) and isinstance(old, dict) and step in new and step in old:
            return new[step], old[step]
        return None
    keys = _map_keys(node)
    if not keys or not isinstance(new, list) or not isinstance(old, list) or step >= len(new):
        return None
    match = find_entry(old, new[step], keys)
    return None if match is None else (new[step], match)


def find_entry(entries: list[JsonValue], like: JsonValue, keys: tuple[str, ...]) -> JsonValue:
    """The entry of a list map with the keys of ``like``, None when there is none or a key is absent or no scalar."""
    if not isinstance(like, dict) or not all(isinstance(like.get(key), str | int | float) for key in keys):
        return None
    wanted = [like.get(key) for key in keys]
    for entry in entries:
        if isinstance(entry, dict) and [entry.get(key) for key in keys] == wanted:
            return entry
    return None
