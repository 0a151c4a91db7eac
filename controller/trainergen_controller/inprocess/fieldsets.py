"""Sets of fields as managed fields write them: a tree of steps, in which ``.`` says that the place itself is a member.

A step is ``f:`` and a field's name, ``k:`` and the keys of a list's entry, or ``v:`` and the value of a set's entry.
Behaviour: kubernetes-sigs/structured-merge-diff fieldpath @ v6.3.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

FieldSet: TypeAlias = "dict[str, FieldSet]"
Steps: TypeAlias = tuple[str, ...]

MEMBER = "."


def insert(fields: FieldSet, steps: Steps) -> None:
    """Makes a place a member."""
    for step in steps:
        fields = fields.setdefault(step, {})
    fields[MEMBER] = {}


def union(one: FieldSet, other: FieldSet) -> FieldSet:
    """Everything that is in either."""
    if not one or not other:
        return one or other
    both = {step: union(child, other[step]) if step in other else child for step, child in one.items()}
    return {**both, **{step: child for step, child in other.items() if step not in one}}


def intersection(one: FieldSet, other: FieldSet) -> FieldSet:
    """Everything that is in both."""
    result: FieldSet = {}
    for step, child in one.items():
        if step == MEMBER:
            if step in other:
                result[step] = {}
        elif step in other and (common := intersection(child, other[step])):
            result[step] = common
    return result


def difference(one: FieldSet, other: FieldSet, *, recursive: bool = False) -> FieldSet:
    """What is in the first only; ``recursive`` also takes out what lies below the members of the other."""
    result: FieldSet = {}
    for step, child in one.items():
        without = other.get(step)
        if without is None:
            result[step] = child
        elif step == MEMBER or (recursive and MEMBER in without):
            continue
        elif rest := difference(child, without, recursive=recursive):
            result[step] = rest
    return result


def paths(fields: FieldSet, before: Steps = ()) -> Iterator[Steps]:
    """All members, in order."""
    for step in sorted(fields):
        if step == MEMBER:
            yield before
        else:
            yield from paths(fields[step], (*before, step))


def of(*places: Steps) -> FieldSet:
    """The set of some places."""
    fields: FieldSet = {}
    for place in places:
        insert(fields, place)
    return fields


def encode(fields: FieldSet) -> dict[str, Any]:
    """As ``fieldsV1`` has it: a place without anything below it is an empty object."""
    leaf: FieldSet = {MEMBER: {}}
    return {step: {} if fields[step] == leaf else encode(fields[step]) for step in sorted(fields)}


def decode(written: dict[str, Any]) -> FieldSet:
    """The set that ``fieldsV1`` writes."""
    return {step: {} if step == MEMBER else decode(child) if child else {MEMBER: {}} for step, child in written.items()}


def field_step(name: str) -> str:
    """The step to a field."""
    return f"f:{name}"


def value_step(value: Any) -> str:
    """The step to an entry of a set."""
    return f"v:{_compact(value)}"


def keys_step(keys: dict[str, Any]) -> str:
    """The step to the entry of a list with these keys."""
    return f"k:{_compact(keys)}"


def written(steps: Steps) -> str:
    """A place as refusals write it: ``.spec.containers[name="node"].image``."""
    parts = []
    for step in steps:
        if step.startswith("f:"):
            parts.append(f".{step[2:]}")
        elif step.startswith("v:"):
            parts.append(f"[={step[2:]}]")
        else:
            parts.append(
                "[" + ",".join(f"{key}={_compact(value)}" for key, value in json.loads(step[2:]).items()) + "]"
            )
    return "".join(parts)


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
