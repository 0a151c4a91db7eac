"""Names of a chart's values: what people call the thing, as far as it has such a name, else the end of its path."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Path
    from trainergen.generate.helm.differing import Slot

Name: TypeAlias = tuple[str, ...]
"""The keys below the thing's own values: ``("nodes",)``, ``("env", "LEARNING_RATE")``."""

_KNOWN: dict[Path, Name] = {
    ("metadata", "name"): ("name",),
    ("metadata", "labels", "kueue.x-k8s.io/queue-name"): ("queue",),
    ("spec", "trainer", "numNodes"): ("nodes",),
    ("spec", "mlPolicy", "numNodes"): ("nodes",),
    ("spec", "runtimeRef", "name"): ("runtime",),
    ("spec", "initializer", "dataset", "storageUri"): ("dataset",),
    ("spec", "initializer", "model", "storageUri"): ("model",),
    ("spec", "activeDeadlineSeconds"): ("deadlineSeconds",),
}
_RENAMED = {"resourcesPerNode": "resources"}
_VAGUE = frozenset({"name", "value", "key", "kind", "template", "spec", "metadata"})
_PARTS = re.compile(r"[A-Za-z0-9_]+")
RESERVED = frozenset({"enabled"})


def names(found: Iterable[Slot]) -> dict[int, Name]:
    """A name for each slot, by its identity; slots with the same values and the same short name share one."""
    waiting = list(found)
    lengths = {id(slot): 0 for slot in waiting}
    while True:
        out: dict[int, Name] = {id(slot): _name(slot.path, lengths[id(slot)]) for slot in waiting}
        clashes = [slot for slot in waiting if _clashes(slot, waiting, out)]
        longer = [slot for slot in clashes if lengths[id(slot)] < len(slot.path)]
        if not longer:
            # Whole paths that differ in nothing but signs, which no name has.
            numbered = {id(slot): (f"{''.join(out[id(slot)])}{n}",) for n, slot in enumerate(clashes, start=2)}
            return {**out, **numbered}
        for slot in longer:
            lengths[id(slot)] += 1


def _clashes(slot: Slot, others: Iterable[Slot], out: dict[int, Name]) -> bool:
    name = out[id(slot)]
    if name[0] in RESERVED:
        return True
    for other in others:
        if other is slot:
            continue
        theirs = out[id(other)]
        if name == theirs and not _alike(slot, other):
            return True
        length = min(len(name), len(theirs))
        if len(name) != len(theirs) and name[:length] == theirs[:length]:
            return True
    return False


def _alike(first: Slot, second: Slot) -> bool:
    texts = [json.dumps(dict(slot.values), sort_keys=True) for slot in (first, second)]
    return texts[0] == texts[1] and first.optional == second.optional


def _name(path: Path, more: int) -> Name:
    """The name of a path; ``more`` steps of it are put in front of the shortest one."""
    if more == 0 and path in _KNOWN:
        return _KNOWN[path]
    if more == 0 and len(path) >= 3 and path[-3] == "env" and path[-1] == "value":
        return ("env", _word([str(path[-2])]))
    steps = [str(step) for step in path]
    short = [_RENAMED.get(steps[-1], steps[-1])]
    rest = steps[:-1]
    while rest and short[0] in _VAGUE:
        short.insert(0, rest.pop())
    return (_word([*rest[len(rest) - more :], *short] if more else short),)


def _word(steps: list[str]) -> str:
    """Steps as one word in camel case, which a template can name: ``["node", "image"]`` is ``nodeImage``."""
    parts = [part for step in steps for part in _PARTS.findall(step)] or ["value"]
    word = parts[0] + "".join(part[:1].upper() + part[1:] for part in parts[1:])
    return word if not word[0].isdigit() else f"n{word}"
