"""An API server in one process: for the simulation, and for tests of everything that talks to a cluster."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trainergen_controller.inprocess.client import InProcessClient
from trainergen_controller.inprocess.faults import Faults
from trainergen_controller.inprocess.operations import Operations
from trainergen_controller.inprocess.resources import served
from trainergen_controller.inprocess.storage import Storage
from trainergen_controller.inprocess.validation import Validator
from trainergen_controller.inprocess.watching import Watches

if TYPE_CHECKING:
    from trainergen_controller.client import Object

HISTORY = 100_000
BOOKMARK_INTERVAL = 60.0


class InProcessServer:
    """The objects of a cluster with a Trainer release, and what requests do to them.

    ``clock`` gives the time that objects are stamped with, ``new_uid`` their uids. ``webhooks`` lets the admission
    webhooks of the Trainer and of JobSet have their say, as if their controllers were installed. Namespaces come to be
    when something is put into them, unless ``implicit_namespaces`` is off; what belongs to a deleted object is deleted
    with it, unless ``garbage_collection`` is off. ``history`` is the number of changes that are remembered for watches
    and pages.
    """

    def __init__(
        self,
        release: str = "2.3",
        *,
        clock: Callable[[], datetime] | None = None,
        new_uid: Callable[[], str] | None = None,
        webhooks: bool = False,
        implicit_namespaces: bool = True,
        garbage_collection: bool = True,
        history: int = HISTORY,
        bookmark_interval: float = BOOKMARK_INTERVAL,
    ) -> None:
        self._clock = clock or (lambda: datetime.now(UTC))
        self.storage = Storage(history)
        self.watches = Watches(self.storage, bookmark_interval=bookmark_interval)
        self.faults = Faults()
        validator = Validator(release, webhooks, self._objects, self._now)
        self.operations = Operations(self.storage, served(release), validator)
        self.operations.new_uid = new_uid or (lambda: str(uuid.uuid4()))
        self.operations.implicit_namespaces = implicit_namespaces
        self.operations.collects = garbage_collection

    def client(self, manager: str = "trainergen", *, faulty: bool = True) -> InProcessClient:
        """A client whose changes are noted under the name ``manager``; without ``faulty`` no fault is played to it."""
        return InProcessClient(self, manager, faulty=faulty)

    def compact(self, version: str | int | None = None) -> None:
        """Forgets the history up to a version, or all of it: older versions are answered with 410."""
        self.storage.compact(self.storage.version if version is None else int(version))

    def cut_watches(self) -> None:
        """Ends all watches, as a server that stops does."""
        self.watches.cut()

    def _objects(self) -> list[Object]:
        return [found for _, found in self.storage.every()]

    def _now(self) -> str:
        return self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
