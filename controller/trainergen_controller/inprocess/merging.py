"""What server-side apply does with values: merge one into another, take fields out, compare, and list the fields.

Behaviour: kubernetes-sigs/structured-merge-diff typed @ v6.3.0. Values are never changed in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen_controller.inprocess import fieldsets
from trainergen_controller.inprocess.fieldsets import MEMBER, FieldSet, Steps, field_step

if TYPE_CHECKING:
    from trainergen_controller.inprocess.shapes import Shape


class Absent:
    """The type of ``ABSENT``, which is not null."""


ABSENT = Absent()


class Comparison(NamedTuple):
    """What differs between two values; no place is in two of the sets."""

    removed: FieldSet
    modified: FieldSet
    added: FieldSet

    def without(self, ignored: FieldSet) -> Comparison:
        """The same, but for places that do not count and all below them."""
        return Comparison(*(fieldsets.difference(part, ignored, recursive=True) for part in self))


def undeclared(value: Any, shape: Shape, before: Steps = ()) -> str:
    """The first field that the schema does not have, as refusals write it; empty if there is none."""
    if shape.merges_object(value):
        for name, child in value.items():
            steps = (*before, field_step(name))
            found = undeclared(child, shape.field(name), steps) if shape.takes(name) else fieldsets.written(steps)
            if found:
                return found
    elif shape.merges_list(value):
        for item in value:
            if found := undeclared(item, shape.item(), (*before, shape.step_to(item))):
                return found
    return ""


def nulls(value: Any, shape: Shape, before: str = "") -> Iterator[str]:
    """The places of nulls that may not be there, as refusals write them."""
    if value is None and not shape.takes_null:
        yield before
    elif shape.merges_object(value):
        for name, child in value.items():
            yield from nulls(child, shape.field(name), f"{before}.{name}" if before else name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from nulls(item, shape.item(), f"{before}[{index}]")


def fields_of(value: Any, shape: Shape) -> FieldSet:
    """The places that somebody owns who applies ``value``; ValueError for an entry without a key."""
    fields: FieldSet = {}
    if shape.merges_object(value):
        for name, child in value.items():
            below = fields_of(child, shape.field(name))
            if child is None or child == {} or not shape.knows(name):
                below = {**below, MEMBER: {}}
            if below:
                fields[field_step(name)] = below
    elif shape.merges_list(value):
        for item in value:
            fields[shape.step_to(item)] = {**fields_of(item, shape.item()), MEMBER: {}}
    elif not ((shape.is_object or shape.is_list) and value is None):
        fields[MEMBER] = {}
    return fields


def merge(old: Any, new: Any, shape: Shape) -> Any:
    """``new`` merged into ``old``; ValueError for a list in ``new`` with one key twice."""
    if new is ABSENT:
        return old
    if shape.merges_object(new):
        return _merge_objects(old if isinstance(old, dict) else {}, new, shape)
    if shape.merges_list(new):
        return _merge_lists(old if isinstance(old, list) else [], new, shape)
    keeps = new is None and old and (shape.merges_object(old) or shape.merges_list(old))
    return old if keeps else new


def _merge_objects(old: dict[str, Any], new: dict[str, Any], shape: Shape) -> dict[str, Any]:
    merged = {name: merge(child, new[name], shape.field(name)) if name in new else child for name, child in old.items()}
    added = {name: merge(ABSENT, child, shape.field(name)) for name, child in new.items() if name not in old}
    return {**merged, **added}


def _merge_lists(old: list[Any], new: list[Any], shape: Shape) -> list[Any]:
    """The entries of both: those of ``new`` in its order, the others where they were as far as that is possible."""
    before, wanted = _by_step(old, shape), _by_step(new, shape)
    if len(wanted) != len(new):
        raise ValueError("a list has two entries with one key")
    items = iter(old)
    steps = [shape.step_to(item) for item in old]
    shared = [step for step in wanted if step in before]
    ahead = list(wanted)
    done: set[str] = set()
    result = []
    for step, item in zip(steps, items, strict=True):
        if step not in wanted:
            result.append(item)
            continue
        if ahead and ahead[0] != step and shared and shared[0] != step:
            continue  # It is the turn of another entry that both have.
        while ahead and step not in done:
            taken = ahead.pop(0)
            done.add(taken)
            shared = [one for one in shared if one != taken]
            result.append(merge(before.get(taken, ABSENT), wanted[taken], shape.item()))
    return result + [merge(before.get(step, ABSENT), wanted[step], shape.item()) for step in ahead]


def _by_step(items: list[Any], shape: Shape) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in items:
        found.setdefault(shape.step_to(item), item)
    return found


def without(value: Any, fields: FieldSet, shape: Shape) -> Any:
    """``value`` without the members of a set; what is left empty becomes null, as in the original."""
    if shape.merges_object(value):
        kept_fields = {
            name: without(child, below, shape.field(name)) if below else child
            for name, child in value.items()
            if MEMBER not in (below := fields.get(field_step(name), {}))
        }
        return kept_fields or None
    if shape.merges_list(value):
        kept_items = [
            without(item, below, shape.item()) if below else item
            for item in value
            if MEMBER not in (below := fields.get(shape.step_to(item), {}))
        ]
        return kept_items or None
    return None if isinstance(value, dict | list) else value


def named_members(fields: FieldSet, shape: Shape) -> FieldSet:
    """A set with the fields around its members that the schema names; keys of maps and entries stay as they are."""
    result: FieldSet = {}
    for step, child in fields.items():
        if step == MEMBER:
            result[step] = {}
            continue
        is_field = step.startswith("f:")
        below = named_members(child, shape.field(step[2:]) if is_field else shape.item())
        result[step] = {**below, MEMBER: {}} if is_field and shape.knows(step[2:]) else below
    return result


def compare(old: Any, new: Any, shape: Shape) -> Comparison:
    """What is removed, modified and added on the way from ``old`` to ``new``."""
    result = Comparison({}, {}, {})
    _compare(old, new, shape, ((), result))
    return result


def _compare(old: Any, new: Any, shape: Shape, place: tuple[Steps, Comparison]) -> None:
    steps, result = place
    if not _descends(old, new, shape):
        if old is ABSENT or new is ABSENT:
            fieldsets.insert(result.added if old is ABSENT else result.removed, steps)
        elif not same(old, new):
            fieldsets.insert(result.modified, steps)
        return
    if shape.merges_object(old) or shape.merges_object(new):
        one, other = old if isinstance(old, dict) else {}, new if isinstance(new, dict) else {}
        for name in {**one, **other}:
            below = (*steps, field_step(name)), result
            _compare(one.get(name, ABSENT), other.get(name, ABSENT), shape.field(name), below)
    else:
        before = _by_step(old, shape) if isinstance(old, list) else {}
        after = _by_step(new, shape) if isinstance(new, list) else {}
        for step in {**before, **after}:
            below = (*steps, step), result
            _compare(before.get(step, ABSENT), after.get(step, ABSENT), shape.item(), below)
    if old is ABSENT:
        fieldsets.insert(result.added, steps)
    elif new is ABSENT:
        fieldsets.insert(result.removed, steps)


def _descends(old: Any, new: Any, shape: Shape) -> bool:
    """Is there anything below to compare? Two empty values, and values of different types, are leaves."""
    sides = [side for side in (old, new) if side is not ABSENT and side is not None]
    merged = [shape.merges_object(side) or shape.merges_list(side) for side in sides]
    return bool(merged) and all(merged) and any(sides) and len({type(side) for side in sides}) == 1


def same(one: Any, other: Any) -> bool:
    """Deep equality in which true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
