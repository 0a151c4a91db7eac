"""The things of a workspace: each with its shape over all environments, and the names and values of what differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.generate.helm.differing import Shape, Slot, same, shape, slots
from trainergen.generate.helm.naming import names
from trainergen.generate.helm.template import NAMESPACE
from trainergen.generate.resolved import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonValue
    from trainergen.generate.helm.naming import Name
    from trainergen.generate.resolved import Placed, Resolved

_Found = dict[tuple[str, str], dict[str, "Placed"]]


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing: an object in each environment that has it."""

    part: str
    key: str
    shape: Shape
    names: Mapping[int, Name]
    """The name of the value of each slot, by the slot's identity."""
    environments: frozenset[str]
    everywhere: bool

    @property
    def slots(self) -> dict[Name, Slot]:
        """The slots by the names of their values; those with one name have the same values."""
        return {self.names[id(slot)]: slot for slot in slots(self.shape) if self.names[id(slot)] != NAMESPACE}


def things(resolved: Resolved) -> list[Thing]:
    """All things, by part and file."""
    every = [environment.name for environment in resolved.environments]
    namespaces: dict[str, JsonValue] = {each.name: each.namespace for each in resolved.environments}
    found = _collect(resolved)
    out = []
    for (part, key), placed in found.items():
        whole = shape({name: one.object for name, one in placed.items()})
        own = _names(whole, {name: namespaces[name] for name in placed})
        out.append(Thing(part, key, whole, own, frozenset(placed), len(placed) == len(every)))
    return sorted(out, key=lambda thing: (PARTS.index(thing.part), thing.key))


def _collect(resolved: Resolved) -> _Found:
    found: _Found = {}
    for environment in resolved.environments:
        for placed in environment.objects:
            found.setdefault((placed.part, placed.key), {})[environment.name] = placed
    return found


def _names(whole: Shape, namespaces: Mapping[str, JsonValue]) -> dict[int, Name]:
    own: list[Slot] = []
    out: dict[int, Name] = {}
    for slot in slots(whole):
        if not slot.optional and same(dict(slot.values), dict(namespaces)):
            out[id(slot)] = NAMESPACE
        else:
            own.append(slot)
    out.update(names(own))
    return out
