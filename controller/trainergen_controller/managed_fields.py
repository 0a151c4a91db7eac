"""What managed fields say: which part of an object a manager owns by server-side apply, and who owns a field.

Source: kubernetes-sigs/structured-merge-diff v6 fieldpath/serialize.go (FieldsV1).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trainergen.api.access import list_at, object_at, text_at

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path


def applied_fields(found: Mapping[str, Any], manager: str) -> JsonObject | None:
    """The fields that ``manager`` applied; empty if it applied none, None if the object does not say who owns what."""
    entries = list_at({**found}, "metadata", "managedFields")
    if not entries:
        return None
    for entry in entries:
        if _is_applied(entry) and text_at(entry, "manager") == manager:
            return object_at(entry, "fieldsV1")
    return {}


def _is_applied(entry: JsonValue) -> bool:
    return text_at(entry, "operation") == "Apply" and not text_at(entry, "subresource")


def owned_part(value: JsonValue, fields: JsonObject) -> JsonValue:
    """As much of ``value`` as ``fields`` cover."""
    steps = {step: inner for step, inner in fields.items() if step != "."}
    if not steps:
        return value
    if isinstance(value, dict):
        return {
            step[2:]: owned_part(value[step[2:]], _object(inner))
            for step, inner in steps.items()
            if step.startswith("f:") and step[2:] in value
        }
    if isinstance(value, list):
        kept = ((_step_to(item, steps), item) for item in value)
        return [owned_part(item, _object(steps[step])) for step, item in kept if step is not None]
    return value


def managers_of(found: Mapping[str, Any], path: Path) -> set[str]:
    """The managers that own the field at ``path``, by positions, or something in it."""
    return {
        text_at(entry, "manager")
        for entry in list_at({**found}, "metadata", "managedFields")
        if _reaches(object_at(entry, "fieldsV1"), {**found}, path)
    }


def _reaches(fields: JsonObject, value: JsonValue, path: Path) -> bool:
    for at in path:
        if not [step for step in fields if step != "."]:
            return bool(fields)  # a leaf that is owned as a whole
        step: str | None
        if isinstance(value, list) and isinstance(at, int):
            value = value[at]
            step = _step_to(value, fields)
        elif isinstance(value, dict) and isinstance(at, str):
            value = value.get(str(at))
            step = f"f:{at}"
        else:
            return False
        if step is None or step not in fields:
            return False
        fields = _object(fields[step]) or {".": {}}
    return True


def _step_to(item: JsonValue, steps: Mapping[str, Any]) -> str | None:
    """The step among ``steps`` that leads to an item of a list."""
    for step, wanted in _readable(steps):
        if step.startswith("v:") and wanted == item:
            return step
        # A key that has a default may be missing from what is written.
        keyed = step.startswith("k:") and isinstance(item, dict)
        if keyed and all(object_at(item).get(key, value) == value for key, value in wanted.items()):
            return step
    return None


def _readable(steps: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for step in steps:
        if step.startswith(("k:", "v:")):
            yield step, json.loads(step[2:])


def _object(value: Any) -> JsonObject:
    return value if isinstance(value, dict) else {}
