"""What kustomize makes of a value: strategic merge by the schema in force, and JSON patches.

Behaviour as kyaml's merge2 with prepended list items has it: items of the patch come first, in the patch's order.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

Schema = dict[str, Any]
DIRECTIVE = "$patch"


class Schemas:
    """The OpenAPI schemas that rule a build; what they do not describe is replaced as a whole."""

    def __init__(self, documents: Sequence[JsonObject]) -> None:
        self._definitions: Schema = {}
        for document in documents:
            found = document.get("definitions")
            self._definitions.update(found if isinstance(found, dict) else {})

    def of_kind(self, kind: str) -> Schema | None:
        """The schema of a kind, None when no document has it."""
        return next((one for one in self._definitions.values() if kind in kinds_of(one)), None)

    def below(self, schema: Schema | None, key: str | None) -> Schema | None:
        """The schema of a property, or of the items with ``None``."""
        node = self._resolved(schema)
        inner = node.get("items") if key is None else _mapping(node.get("properties")).get(key)
        return inner if isinstance(inner, dict) else None

    def merge_key(self, schema: Schema | None) -> str:
        """The key that the items of a list are merged by; empty when the list is replaced."""
        key = self._resolved(schema).get("x-kubernetes-patch-merge-key")
        return key if isinstance(key, str) else ""

    def _resolved(self, schema: Schema | None) -> Schema:
        name = (schema or {}).get("$ref")
        target = self._definitions.get(name.rpartition("/")[2]) if isinstance(name, str) else None
        return {**_mapping(target), **(schema or {})}


def kinds_of(definition: object) -> frozenset[str]:
    """The kinds that a definition of an OpenAPI document is for."""
    kinds = _mapping(definition).get("x-kubernetes-group-version-kind")
    listed = kinds if isinstance(kinds, list) else []
    return frozenset(str(one.get("kind")) for one in listed if isinstance(one, dict))


def merged(old: JsonValue, patch: JsonValue, schema: Schema | None, schemas: Schemas) -> JsonValue:
    """``old`` with a strategic merge patch laid over it."""
    if isinstance(patch, dict):
        if not isinstance(old, dict) or patch.get(DIRECTIVE) == "replace":
            return {key: deepcopy(value) for key, value in patch.items() if key != DIRECTIVE and value is not None}
        return _merged_mapping(old, patch, schema, schemas)
    if isinstance(patch, list) and isinstance(old, list) and (key := schemas.merge_key(schema)):
        return _merged_list(old, patch, key=key, inner=schemas.below(schema, None), schemas=schemas)
    return deepcopy(patch)


def _merged_mapping(old: JsonObject, patch: JsonObject, schema: Schema | None, schemas: Schemas) -> JsonObject:
    result = dict(old)
    for key, value in patch.items():
        if value is None or (isinstance(value, dict) and value.get(DIRECTIVE) == "delete"):
            result.pop(key, None)
        elif key != DIRECTIVE:
            result[key] = merged(old.get(key), value, schemas.below(schema, key), schemas)
    return result


def _merged_list(
    old: list[JsonValue], patch: list[JsonValue], *, key: str, inner: Schema | None, schemas: Schemas
) -> list[JsonValue]:
    if any(isinstance(item, dict) and item.get(DIRECTIVE) == "replace" for item in patch):
        return [deepcopy(item) for item in patch if not (isinstance(item, dict) and DIRECTIVE in item)]
    by_key = {item.get(key): item for item in old if isinstance(item, dict)}
    named = {item.get(key) for item in patch if isinstance(item, dict)}
    first = [
        merged(by_key.get(item.get(key)) if isinstance(item, dict) else None, item, inner, schemas)
        for item in patch
        if not (isinstance(item, dict) and item.get(DIRECTIVE) == "delete")
    ]
    return [*first, *(item for item in old if not (isinstance(item, dict) and item.get(key) in named))]


class PatchError(Exception):
    """A JSON patch that kustomize fails on; the text says what is missing."""


def pointer(text: str) -> Path:
    """The steps of a JSON pointer; numbers and ``-`` stay text, for only the value tells what they are."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:])


def operated(value: JsonValue, operation: JsonObject) -> JsonValue:
    """The value after one operation of a JSON patch; raises PatchError where kustomize does.

    ``replace`` of a key that is missing adds it, as kustomize does.
    """
    name, path = operation.get("op"), operation.get("path")
    steps = pointer(path) if isinstance(path, str) else ()
    if not steps:
        return deepcopy(operation.get("value")) if name in ("add", "replace") else value
    result = deepcopy(value)
    parent = _parent(result, steps, path)
    if name == "test":
        if found(parent, str(steps[-1])) != operation.get("value"):
            raise PatchError(f"'{path}' is not {operation.get('value')!r}")
    elif name == "remove":
        _remove(parent, str(steps[-1]), path)
    elif name in ("add", "replace"):
        _put(parent, str(steps[-1]), operation.get("value"), insert=name == "add")
    elif name in ("copy", "move"):
        return _carried(result, operation, steps)
    return result


def found(value: object, *steps: str | int) -> Any:
    """The value at the steps of a JSON pointer, None when there is none."""
    for step in steps:
        index = _index(value, str(step))
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and index is not None and index < len(value):
            value = value[index]
        else:
            return None
    return value


def _parent(value: JsonValue, steps: Path, path: object) -> JsonObject | list[JsonValue]:
    parent = found(value, *steps[:-1])
    if not isinstance(parent, dict | list):
        missing = next((n for n in range(1, len(steps)) if found(value, *steps[:n]) is None), len(steps) - 1)
        raise PatchError(f"there is no '/{'/'.join(map(str, steps[:missing]))}' for '{path}'")
    return parent


def _remove(parent: JsonObject | list[JsonValue], step: str, path: object) -> None:
    index = _index(parent, step)
    if isinstance(parent, dict) and step in parent:
        del parent[step]
    elif isinstance(parent, list) and index is not None and index < len(parent):
        del parent[index]
    else:
        raise PatchError(f"there is no '{path}' to remove")


def _put(parent: JsonObject | list[JsonValue], step: str, value: JsonValue, *, insert: bool) -> None:
    if isinstance(parent, dict):
        parent[step] = deepcopy(value)
        return
    index = len(parent) if step == "-" else _index(parent, step)
    if index is None or index > len(parent) - (0 if insert else 1):
        raise PatchError(f"the list has no item {step}, only {len(parent)}")
    parent[index : index if insert else index + 1] = [deepcopy(value)]


def _carried(value: JsonValue, operation: JsonObject, steps: Path) -> JsonValue:
    origin = pointer(str(operation.get("from", "")))
    carried = deepcopy(found(value, *origin))
    if carried is None:
        raise PatchError(f"there is no '{operation.get('from')}'")
    if operation.get("op") == "move":
        _remove(_parent(value, origin, operation.get("from")), str(origin[-1]), operation.get("from"))
    _put(_parent(value, steps, operation.get("path")), str(steps[-1]), carried, insert=True)
    return value


def _index(value: object, step: str) -> int | None:
    return int(step) if isinstance(value, list) and step.isdecimal() else None


def _mapping(value: object) -> Schema:
    return value if isinstance(value, dict) else {}
