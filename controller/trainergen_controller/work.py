"""What waits in the queue, and what a pass over it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trainergen_controller.cache import Change, Key
    from trainergen_controller.kinds import ApiKind


class Item(NamedTuple):
    """One object to pass over."""

    kind: ApiKind
    key: Key


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a pass went."""

    error: str = ""
    """Not empty: pass again, later each time."""
    retry_after: float = 0.0
    """Seconds that the server asks to wait before it is tried again."""
    requeue_after: float | None = None
    """Seconds until time alone makes another pass necessary."""
    stale: bool = False
    """Something changed meanwhile: pass again soon, and count no failure."""


class Wish(NamedTuple):
    """An item that a change makes necessary, and how many seconds later."""

    item: Item
    after: float = 0.0


class Mode(Protocol):
    """What the controller does with what it sees."""

    name: str

    def wishes(self, kind: ApiKind, change: Change) -> Iterable[Wish]:
        """What a change makes necessary to pass over."""

    def all_items(self) -> Iterable[Item]:
        """Everything there is to pass over, asked for when this replica starts to lead."""

    def complaints(self) -> Mapping[Item, str]:
        """What is wrong with objects, told once all were passed over; passes that failed are no part of it."""

    def retire(self) -> None:
        """Another replica leads from now on: what this one knows is out of date, and no metric of it may go on saying
        so."""

    def pass_over(self, item: Item) -> Outcome:
        """One pass; may raise ``lease.NotLeadingError``."""
