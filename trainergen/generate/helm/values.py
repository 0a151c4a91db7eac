"""The values files of a chart: ``values.yaml`` and one for each environment with what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.helm.differing import same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.helm.differing import Slot
    from trainergen.generate.helm.naming import Name
    from trainergen.generate.helm.things import Thing
    from trainergen.generate.resolved import Environment

ENABLED = "enabled"


def default_values(environments: Sequence[Environment], found: Sequence[Thing], *, test_image: str) -> JsonObject:
    """``values.yaml``: what each value is in the first environment that has it, so that the chart works by itself."""
    first = environments[0]
    out: JsonObject = {
        "environment": {"name": first.name, "namespace": first.namespace},
        "parts": dict.fromkeys(dict.fromkeys(thing.part for thing in found), True),
    }
    for thing in found:
        own = _own_defaults(thing, first.name)
        # A template looks into the values of its thing even where all of them are left out.
        if own or thing.slots:
            _section(out, thing.part)[thing.key] = own
    out["test"] = {"image": test_image}
    return out


def environment_values(environment: Environment, found: Iterable[Thing], *, first: str) -> JsonObject:
    """``values-<environment>.yaml``: what differs between environments; ``first`` is that of ``values.yaml``."""
    out: JsonObject = {"environment": {"name": environment.name, "namespace": environment.namespace}}
    for thing in found:
        own = _own_values(thing, environment.name, first)
        if own:
            _section(out, thing.part)[thing.key] = own
    return out


def _own_defaults(thing: Thing, first: str) -> JsonObject:
    out: JsonObject = {} if thing.everywhere else {ENABLED: first in thing.environments}
    for name, slot in thing.slots.items():
        if _has_default(thing, slot, first):
            _set(out, name, _default(slot))
    return out


def _own_values(thing: Thing, environment: str, first: str) -> JsonObject:
    if environment not in thing.environments:
        return {ENABLED: False}
    out: JsonObject = {} if thing.everywhere else {ENABLED: True}
    for name, slot in thing.slots.items():
        if not is_constant(slot):
            default = _default(slot) if _has_default(thing, slot, first) else None
            value = slot.values.get(environment)
            if value is not None or default is not None:
                _set(out, name, _without_rest(value, default))
    return out


def _has_default(thing: Thing, slot: Slot, first: str) -> bool:
    return first not in thing.environments or first in slot.values


def is_constant(slot: Slot) -> bool:
    """Whether a value is the same everywhere, so that it is none of an environment's."""
    first, *others = slot.values.values()
    return not slot.optional and all(same(first, other) for other in others)


def _default(slot: Slot) -> JsonValue:
    return next(iter(slot.values.values()))


def _without_rest(value: JsonValue, default: JsonValue) -> JsonValue:
    """``value``, with null for what Helm would otherwise keep of the default when it merges the two."""
    if not isinstance(value, dict) or not isinstance(default, dict):
        return value
    merged = {key: _without_rest(each, default.get(key)) for key, each in value.items()}
    return {**merged, **{key: None for key in default if key not in value}}


def _set(out: JsonObject, name: Name, value: JsonValue) -> None:
    place = out
    for step in name[:-1]:
        place = _section(place, step)
    place[name[-1]] = value


def _section(out: JsonObject, name: str) -> JsonObject:
    section = out.setdefault(name, {})
    assert isinstance(section, dict)
    return section
