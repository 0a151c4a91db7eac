"""Nodes and resources, and what the size of an environment makes of them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.quantity import Quantity, parse_quantity

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.spec import NodeSize, Size

_MILLI, _MEBI = 10**6, 2**20 * 10**9


class Resources(NamedTuple):
    """What a node has: amounts by the name of the resource."""

    amounts: dict[str, str]

    def changed(self, wanted: NodeSize, size: Size, *, gpu: str) -> Resources:
        """With what ``wanted`` names in place of what there is; ``gpu`` is what GPUs are called here."""
        amounts = dict(self.amounts)
        if wanted.cpu is not None:
            amounts["cpu"] = scaled(wanted.cpu, size.cpu, step=_MILLI)
        if wanted.memory is not None:
            amounts["memory"] = scaled(wanted.memory, size.memory, step=_MEBI)
        if wanted.gpus is not None:
            amounts.pop(gpu, None)
            if wanted.gpus:
                amounts[gpu] = str(scaled_count(wanted.gpus, size.gpus))
        return Resources(amounts)

    def resized(self, size: Size, *, gpu: str) -> Resources:
        """All amounts as the size of an environment has them."""
        amounts = dict(self.amounts)
        for name, factor, step in (("cpu", size.cpu, _MILLI), ("memory", size.memory, _MEBI)):
            if name in amounts:
                amounts[name] = scaled(amounts[name], factor, step=step)
        if gpu in amounts:
            amounts[gpu] = str(scaled_count(int(amounts[gpu]), size.gpus))
        return Resources(amounts)

    def written(self) -> JsonObject:
        """As containers and TrainJobs write them: requests equal limits."""
        return {"requests": dict(self.amounts), "limits": dict(self.amounts)}


def resources_of(written: JsonObject) -> Resources:
    """The resources that a container asks for; limits count where both are written."""
    amounts: dict[str, str] = {}
    for part in ("requests", "limits"):
        values = written.get(part)
        if isinstance(values, dict):
            amounts |= {name: parse_quantity(value).canonical() for name, value in values.items()}
    return Resources(amounts)


def scaled(amount: str, factor: float, *, step: int) -> str:
    """An amount times a factor, rounded up to a whole ``step`` of billionths."""
    if factor == 1:
        return amount
    quantity = parse_quantity(amount)
    nano = math.ceil(quantity.nano * Fraction(str(factor)) / step) * step
    return Quantity(nano, quantity.form).canonical()


def scaled_count(count: int, factor: float) -> int:
    """A number of nodes or devices times a factor, rounded up; none stays none."""
    return math.ceil(count * Fraction(str(factor)))
