"""An apply configuration merged into an object by its schema, as server-side apply does.

Behaviour: kubernetes/apiserver pkg/admission/plugin/policy/mutating/patch/smd.go @ v0.35.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from trainergen.policies.json_patch import PatchError

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

Schema: TypeAlias = Mapping[str, Any]
Resolve: TypeAlias = Callable[[Any], Mapping[str, Any]]


def merged(obj: JsonObject, config: JsonObject, schema: Schema, resolve: Resolve) -> JsonObject:
    """A copy of ``obj`` with what ``config`` says; raises PatchError for what can only be replaced as a whole."""
    schema = resolve(schema)
    if schema.get("x-kubernetes-map-type") == "atomic":
        raise PatchError("an apply configuration may not change atomic maps")
    fields, free = schema.get("properties", {}), schema.get("additionalProperties")
    result = dict(obj)
    for key, value in config.items():
        child = fields.get(key) or (free if isinstance(free, dict) else {})
        result[key] = _value(obj.get(key), value, child, resolve)
    return result


def _value(old: JsonValue, new: JsonValue, schema: Schema, resolve: Resolve) -> JsonValue:
    if isinstance(new, dict):
        return merged(old if isinstance(old, dict) else {}, new, schema, resolve)
    if isinstance(new, list):
        return _list(old if isinstance(old, list) else [], new, resolve(schema), resolve)
    return new


def _list(old: list[JsonValue], new: list[JsonValue], schema: Schema, resolve: Resolve) -> list[JsonValue]:
    kind = schema.get("x-kubernetes-list-type", "atomic")
    if kind == "set":
        return [*old, *(item for item in new if item not in old)]
    if kind != "map":
        raise PatchError("an apply configuration may not change atomic lists")
    keys = schema["x-kubernetes-list-map-keys"]
    result = list(old)
    for item in new:
        at = next((index for index, other in enumerate(result) if _same(other, item, keys)), None)
        if at is None:
            result.append(item)
        else:
            result[at] = _value(result[at], item, schema.get("items", {}), resolve)
    return result


def _same(one: JsonValue, other: JsonValue, keys: list[str]) -> bool:
    return isinstance(one, dict) and isinstance(other, dict) and all(one.get(key) == other.get(key) for key in keys)
