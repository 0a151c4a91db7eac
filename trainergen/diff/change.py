"""What a comparison finds: changes with their place, their kind and their impact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from trainergen.finding import format_path

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, ObjectRef, Path


class Impact(StrEnum):
    """What a change means for the TrainJob in the cluster, the mildest first."""

    COSMETIC = "cosmetic"
    """Written differently, but the same: defaults spelled out, order without meaning, the runtime's snapshot."""
    NOTHING = "nothing"
    """A real change that leaves the Pods as they are."""
    RESTART = "restart"
    """The Pods would be others; a job that runs gets them only when it is created anew."""
    RESOURCES = "resources"
    """The Pods ask for other resources."""
    PROCESSES = "processes"
    """The number of nodes, Pods or processes is another."""
    REFUSED = "refused"
    """The API server or a webhook refuses the change of what exists, or the object as such."""


_SECRET = frozenset({"data", "stringData"})
_RANKS = {impact: rank for rank, impact in enumerate(Impact)}


def rank_of(impact: Impact) -> int:
    """The place of an impact among all, the mildest 0."""
    return _RANKS[impact]


def worst_of(impacts: Iterable[Impact]) -> Impact | None:
    """The worst of several impacts, None without any."""
    return max(impacts, key=rank_of, default=None)


class Kind(StrEnum):
    """How a value differs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    ORDER = "order"
    """The items of a list are the same and in another order."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two values differ.

    ``path`` names items of keyed lists by their key; ``old_at`` and ``new_at`` are the same place by position on each
    side, and end where an embedded text begins. For ORDER the values are the keys that both sides have.
    """

    path: Path
    kind: Kind
    old: JsonValue = None
    new: JsonValue = None
    old_at: Path = ()
    new_at: Path = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A difference with its impacts, the worst first, and the reason for them.

    An empty ``path`` is the object as a whole. ``refusal`` says who refuses the change in place and why, and ``remedy``
    what to do about that. ``origin`` says in words whose value it is, if that is known, and ``origin_path`` where it
    is written there.
    """

    path: Path
    kind: Kind
    impacts: tuple[Impact, ...]
    reason: str
    refusal: str = ""
    remedy: str = ""
    old: JsonValue = None
    new: JsonValue = None
    origin: str = ""
    origin_path: str = ""

    @property
    def impact(self) -> Impact:
        """The worst of the impacts."""
        return self.impacts[0]

    @property
    def place(self) -> str:
        """The path as text, ``spec.replicatedJobs[node].replicas``."""
        return format_path(self.path)


@dataclass(frozen=True, slots=True)
class ObjectChanges:
    """The changes of one object; ``kind`` is ADDED or REMOVED when only one side has it."""

    ref: ObjectRef
    kind: Kind
    changes: tuple[Change, ...]


def hidden(value: JsonObject) -> JsonObject:
    """A Secret without its content, of which only the names remain."""
    return {
        key: dict.fromkeys(content, "<hidden>") if key in _SECRET and isinstance(content, dict) else content
        for key, content in value.items()
    }
