"""Strategic merge of Kubernetes objects, driven by the patch merge keys of a structural schema.

Source of the behaviour: kubernetes/apimachinery pkg/util/strategicpatch/patch.go @ v0.36.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonObject, JsonValue

_DIRECTIVE = "$patch"
_RETAIN_KEYS = "$retainKeys"
_ELEMENT_ORDER = "$setElementOrder/"
_DELETE_FROM_LIST = "$deleteFromPrimitiveList/"


class MergeError(ValueError):
    """The patch cannot be merged: it holds a directive that is unknown or misshapen, or a list item lacks its key."""


def strategic_merge(original: JsonObject, patch: JsonObject, node: Schema, schemas: StructuralSchemas) -> JsonObject:
    """``original`` with ``patch`` merged into it, as new values: neither argument is changed.

    ``node`` is the schema of ``original``. Arrays in it that carry ``x-kubernetes-patch-merge-key`` merge by that key,
    other lists and all scalars are replaced, objects and maps merge key by key. In a list merged by key the patch's
    items keep their order, and an item that only the original has comes before a patch item if it preceded it in the
    original, otherwise after. A patch that cannot be merged raises MergeError.
    """
    return _Merge(schemas).objects(original, patch, node)


class _Merge:
    def __init__(self, schemas: StructuralSchemas) -> None:
        self._resolve = schemas.resolve

    def objects(self, original: JsonObject, patch: JsonObject, node: Schema) -> JsonObject:
        if _DIRECTIVE in patch:
            return _whole(patch)
        merged = _retained(original, patch)
        schema = self._resolve(node)
        # Deletions come first. The real merge takes the keys in random order, which matters only for absurd patches.
        for key, value in patch.items():
            if key.startswith(_ELEMENT_ORDER):
                raise MergeError(f"'{key}' cannot be obeyed")
            if key.startswith(_DELETE_FROM_LIST):
                self._delete(merged, key.removeprefix(_DELETE_FROM_LIST), value)
        for key, value in patch.items():
            if key != _RETAIN_KEYS and not key.startswith(_DELETE_FROM_LIST):
                self._put(merged, key, value, schema)
        return merged

    def _put(self, merged: JsonObject, key: str, value: JsonValue, schema: Schema) -> None:
        if value is None:
            merged.pop(key, None)
            return
        old = merged.get(key)
        child = _child(schema, key)
        if isinstance(value, dict) and isinstance(old, dict):
            merged[key] = self.objects(old, value, child)
        elif isinstance(value, list) and isinstance(old, list):
            merged[key] = self._lists(old, value, child)
        elif isinstance(value, dict) and _DIRECTIVE in value:
            merged.pop(key, None)
        else:
            merged[key] = _without_directives(value)

    @staticmethod
    def _delete(merged: JsonObject, key: str, value: JsonValue) -> None:
        old = merged.get(key)
        if isinstance(old, list) and isinstance(value, list):
            merged[key] = [item for item in old if item not in value]

    def _lists(self, original: list[JsonValue], patch: list[JsonValue], node: Schema) -> list[JsonValue]:
        schema = self._resolve(node)
        strategy = schema.get("x-kubernetes-patch-strategy", "")
        if "merge" not in strategy.split(","):
            return patch
        if not original and not patch:
            return original
        if not any(isinstance(item, dict) for item in (*original, *patch)):
            return _ordered_scalars(original, patch)
        key = schema.get("x-kubernetes-patch-merge-key", "")
        return self._keyed(_objects(original, key), patch, key, schema.get("items", {}))

    def _keyed(self, original: list[JsonObject], patch: list[JsonValue], key: str, items: Schema) -> list[JsonValue]:
        original, changes = _special_items(original, patch, key)
        merged = list(original)
        for change in changes:
            at = _position(merged, change, key)
            if at < 0:
                merged.append(change)
            else:
                merged[at] = self.objects(merged[at], change, items)
        order = _positions(original, key)
        wanted = _positions(changes, key)
        patched = sorted((item for item in merged if item[key] in wanted), key=lambda item: wanted[item[key]])
        untouched = sorted((item for item in merged if item[key] not in wanted), key=lambda item: order[item[key]])
        return list(_woven(untouched, patched, key, order))


def _child(schema: Schema, key: str) -> Schema:
    properties: dict[str, Schema] = schema.get("properties", {})
    if key in properties:
        return properties[key]
    rest = schema.get("additionalProperties")
    return rest if isinstance(rest, dict) else {}


def _whole(patch: JsonObject) -> JsonObject:
    """What a map with a directive of its own becomes."""
    directive = patch[_DIRECTIVE]
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != _DIRECTIVE}
    if directive == "delete":
        return {}
    raise MergeError(f"'{_DIRECTIVE}' is '{directive}', but only replace and delete exist")


def _retained(original: JsonObject, patch: JsonObject) -> JsonObject:
    if _RETAIN_KEYS not in patch:
        return dict(original)
    keys = patch[_RETAIN_KEYS]
    if not isinstance(keys, list):
        raise MergeError(f"'{_RETAIN_KEYS}' is '{keys}', but must be a list of keys")
    unlisted = [
        key for key, value in patch.items() if not key.startswith("$") and value is not None and key not in keys
    ]
    if unlisted:
        raise MergeError(f"'{_RETAIN_KEYS}' does not list '{unlisted[0]}', which the patch sets")
    return {key: value for key, value in original.items() if key in keys}


def _without_directives(value: JsonValue) -> JsonValue:
    """``value`` as it is taken over where the original has nothing: parts with a directive and nulls left out."""
    if isinstance(value, dict):
        return {key: _without_directives(child) for key, child in value.items() if _kept(child) and child is not None}
    if isinstance(value, list):
        return [_without_directives(child) for child in value if _kept(child)]
    return value


def _kept(value: JsonValue) -> bool:
    return not (isinstance(value, dict) and _DIRECTIVE in value)


def _objects(items: list[JsonValue], key: str) -> list[JsonObject]:
    """``items`` as objects that all have ``key``."""
    if not key:
        raise MergeError("a list of objects has no merge key")
    out: list[JsonObject] = []
    for item in items:
        if not isinstance(item, dict):
            raise MergeError("a list mixes objects and other values")
        if key not in item:
            raise MergeError(f"a list item has no '{key}' to merge by")
        out.append(item)
    return out


def _special_items(
    original: list[JsonObject], patch: list[JsonValue], key: str
) -> tuple[list[JsonObject], list[JsonObject]]:
    """Obey the items of ``patch`` that are directives; returns what is left of the original and the ordinary items."""
    ordinary: list[JsonValue] = []
    replaced = False
    for item in patch:
        directive = item.get(_DIRECTIVE) if isinstance(item, dict) else None
        if directive is None:
            ordinary.append(item)
        elif directive == "delete":
            (gone,) = _objects([item], key)
            original = [kept for kept in original if kept[key] != gone[key]]
        elif directive == "replace":
            replaced = True
        else:
            raise MergeError(f"'{_DIRECTIVE}' of a list item is '{directive}', but only replace and delete exist")
    if replaced:
        return _objects(ordinary, key), []
    return original, _objects(ordinary, key)


def _position(items: list[JsonObject], item: JsonObject, key: str) -> int:
    return next((at for at, other in enumerate(items) if other[key] == item[key]), -1)


def _positions(items: list[JsonObject], key: str) -> dict[JsonValue, int]:
    positions: dict[JsonValue, int] = {}
    for at, item in enumerate(items):
        positions.setdefault(_hashable(item[key]), at)
    return positions


def _hashable(value: JsonValue) -> JsonValue:
    if isinstance(value, dict | list):
        raise MergeError("a merge key is an object or a list")
    return value


def _woven(
    untouched: list[JsonObject], patched: list[JsonObject], key: str, order: dict[JsonValue, int]
) -> list[JsonObject]:
    """Both lists in one: an untouched item goes first only where the original had it before the next patched item."""
    out: list[JsonObject] = []
    waiting = list(reversed(untouched))
    for item in patched:
        place = order.get(item[key], -1)
        while waiting and order[waiting[-1][key]] < place:
            out.append(waiting.pop())
        out.append(item)
    out.extend(reversed(waiting))
    return out


def _ordered_scalars(original: list[JsonValue], patch: list[JsonValue]) -> list[JsonValue]:
    """The union of two lists of scalars, in the order that lists merged by key have."""
    if any(isinstance(item, list) for item in (*original, *patch)):
        raise MergeError("lists of lists cannot be merged")
    old: list[JsonObject] = [{"": item} for item in dict.fromkeys(original)]
    new: list[JsonObject] = [{"": item} for item in dict.fromkeys(patch)]
    wanted = {item[""] for item in new}
    untouched = [item for item in old if item[""] not in wanted]
    return [item[""] for item in _woven(untouched, new, "", _positions(old, ""))]
