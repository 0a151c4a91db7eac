"""Equality of two JSON values by their schema, as the API server compares them in ``self == oldSelf``.

Lists that are maps or sets compare without their order, times as moments, numbers by their schema's type; cel engines
know nothing of it. Behaviour: kubernetes/apiserver pkg/cel/common/valuesunstructured.go @ v0.35.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainergen.cel.library.order import equal
from trainergen.cel.values import Resolve, typed


def same(new: Any, old: Any, schema: Mapping[str, Any], resolve: Resolve) -> bool:
    """Does ``self == oldSelf`` hold for two values of ``schema``?"""
    schema = resolve(schema)
    if isinstance(new, dict) and isinstance(old, dict):
        return len(new) == len(old) and all(
            key in old and same(entry, old[key], _below(schema, key), resolve) for key, entry in new.items()
        )
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and _same_list(new, old, schema, resolve)
    return equal(typed(new, schema, resolve), typed(old, schema, resolve))


def _below(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    child = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
    return child if isinstance(child, dict) else {}


def _same_list(new: list[Any], old: list[Any], schema: Mapping[str, Any], resolve: Resolve) -> bool:
    item = schema.get("items", {})
    kind = schema.get("x-kubernetes-list-type", "atomic")
    if kind == "map":
        keys = schema["x-kubernetes-list-map-keys"]
        by_key = {_key(entry, keys): entry for entry in new}
        return len(by_key) == len({_key(entry, keys) for entry in old}) and all(
            _key(entry, keys) in by_key and same(by_key[_key(entry, keys)], entry, item, resolve) for entry in old
        )
    if kind == "set":
        return all(any(same(a, b, item, resolve) for b in old) for a in new)
    return all(same(a, b, item, resolve) for a, b in zip(new, old, strict=True))


def _key(entry: Any, keys: list[str]) -> tuple[tuple[type, Any], ...]:
    values = [entry.get(key) if isinstance(entry, dict) else None for key in keys]
    return tuple((type(value), value if isinstance(value, str | int | float) else repr(value)) for value in values)
