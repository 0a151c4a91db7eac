"""What one pass over a TrainJob or runtime decides; an applier carries it out in the order of the fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from trainergen_controller.kinds import ApiKind

Object: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Apply:
    """A server-side apply, with force."""

    kind: ApiKind
    object: Object
    manager: str = "trainer"
    fallback: Object | None = None
    """To be applied instead when the server refuses ``object``: as much of it as JobSet lets change. The pass has
    failed all the same, so that what is left is reported and tried again."""
    once: bool = False
    """To be created, since it is written once: if another one is there by now, that one counts."""
    refused: tuple[str, ...] = ()
    """Where ``object`` differs from the live one in what JobSet does not let change: why there is a fallback."""
    uid: str = ""
    """Of the object that is to be changed: if it is gone by now, nothing is made in its place."""


@dataclass(frozen=True, slots=True)
class Delete:
    """A deletion of exactly the object that was seen."""

    kind: ApiKind
    namespace: str
    name: str
    uid: str = ""


@dataclass(frozen=True, slots=True)
class Patch:
    """A JSON merge patch of the object itself, not of its status; ``resource_version`` is its precondition."""

    kind: ApiKind
    namespace: str
    name: str
    patch: Object
    resource_version: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An Event to be recorded on the object that was reconciled."""

    type: str
    reason: str
    action: str
    note: str


@dataclass(frozen=True, slots=True)
class Actions:
    """The outcome of one pure pass. Empty actions mean that everything is as it should be."""

    applies: tuple[Apply, ...] = ()
    """In order; the first failure stops the rest, and what was applied stays."""
    deletes: tuple[Delete, ...] = ()
    patches: tuple[Patch, ...] = ()
    status: Object | None = None
    """The status the TrainJob should have; None if there is none and none is needed."""
    status_patch: Object | None = None
    """Body of the JSON merge patch, ``{"status": …}``, of the ``status`` subresource from the seen to the new status;
    None if they are equal."""
    events: tuple[Occurrence, ...] = ()
    notes: tuple[str, ...] = ()
    """What the log should say: remarks of the renderer, and where the controller departs from the Trainer's."""
    requeue_after: float | None = None
    """Seconds until time alone makes another pass necessary."""
    error: str | None = None
    """Why the pass has to be tried again with back-off; the rest of the actions holds nevertheless."""
