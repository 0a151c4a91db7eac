"""JSON Patch (RFC 6902) on plain values, with the laxities of the API server: a list of one operation or many."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue


class PatchError(Exception):
    """The patch does not suit the object; the policy's failurePolicy decides then."""


def patched(obj: JsonObject, operations: Any) -> JsonObject:
    """A copy of ``obj`` with the operations carried out one after the other; raises PatchError."""
    if not isinstance(operations, list):
        raise PatchError("the expression gives no list of JSONPatch")
    result: JsonObject = deepcopy(obj)
    for operation in operations:
        if not isinstance(operation, dict):
            raise PatchError("the expression gives something else than JSONPatch")
        _carry_out(result, operation)
    return result


def _carry_out(root: JsonObject, operation: dict[str, Any]) -> None:
    name, path = operation.get("op"), operation.get("path")
    if not isinstance(path, str) or not path.startswith("/"):
        raise PatchError(f"'{path}' is no path below the object")
    steps = _steps(path)
    if name in ("add", "replace", "test"):
        _write(root, steps, str(name), deepcopy(operation.get("value")))
    elif name == "remove":
        _remove(root, steps)
    elif name in ("copy", "move"):
        source = _steps(str(operation.get("from", "")))
        value = deepcopy(_get(root, source))
        if name == "move":
            _remove(root, source)
        _write(root, steps, "add", value)
    else:
        raise PatchError(f"there is no operation '{name}'")


def _steps(path: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def _get(value: JsonValue, steps: list[str]) -> JsonValue:
    for step in steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list):
            value = value[_index(value, step)]
        else:
            raise PatchError(f"there is no '{step}' on the way to /{'/'.join(steps)}")
    return value


def _index(items: list[JsonValue], step: str, *, past: int = 0) -> int:
    if not step.isdecimal() or int(step) >= len(items) + past:
        raise PatchError(f"the list has no entry '{step}'")
    return int(step)


def _write(root: JsonObject, steps: list[str], name: str, value: JsonValue) -> None:
    holder, last = _get(root, steps[:-1]), steps[-1]
    if name == "test":
        if _get(root, steps) != value:
            raise PatchError(f"the test of /{'/'.join(steps)} fails")
    elif isinstance(holder, list):
        if name == "add":
            at = len(holder) if last == "-" else _index(holder, last, past=1)
            holder.insert(at, value)
        else:
            holder[_index(holder, last)] = value
    elif isinstance(holder, dict):
        if name == "replace" and last not in holder:
            raise PatchError(f"there is no /{'/'.join(steps)} to replace")
        holder[last] = value
    else:
        raise PatchError(f"there is nothing that could hold /{'/'.join(steps)}")


def _remove(root: JsonObject, steps: list[str]) -> None:
    holder, last = _get(root, steps[:-1]), steps[-1]
    _get(root, steps)
    if isinstance(holder, list):
        del holder[_index(holder, last)]
    elif isinstance(holder, dict):
        del holder[last]
