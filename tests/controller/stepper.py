"""A controller without threads: caches are listed when the test says so, and passes run one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen_controller.applier import Applier
from trainergen_controller.caches import Caches
from trainergen_controller.engine import Engine
from trainergen_controller.errors import NotFoundError
from trainergen_controller.lease import Fence, FencedClient
from trainergen_controller.reconciling import ReconcileMode
from trainergen_controller.recorder import Recorder

from tests.controller.clocks import TurnedClock
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen_controller.cache import Change
    from trainergen_controller.client import Client
    from trainergen_controller.kinds import ApiKind


def same_keys() -> tuple[str, str]:
    """Keys that are the same each time, so that outcomes can be compared."""
    return "private", "public\n"


@dataclass
class Stepper:
    """A leader, from its start to the end of its work or of its life."""

    client: Client
    release: str = "2.3"
    clock: TurnedClock = field(default_factory=TurnedClock)

    def __post_init__(self) -> None:
        fence = Fence(self.clock)
        fence.open_until(float("inf"))
        writer = FencedClient(self.client, fence)
        self.caches = Caches(self.client, self._on_change, clock=self.clock)
        self.mode = ReconcileMode(
            self.caches,
            Applier(writer, self.caches.stores),
            Recorder(writer, self.clock, "trainergen-controller", "one"),
            get_release(self.release),
            {},
            same_keys,
            self.clock,
        )
        self.engine = Engine(self.mode, self.clock, fence)
        self.sync()
        self.engine.take_over()

    def sync(self) -> None:
        """Lists every kind, as after a 410."""
        for reflector in self.caches.reflectors:
            try:
                page = self.client.list(reflector.kind)
            except NotFoundError:
                continue
            for change in reflector.store.replace(page.items, page.resource_version):
                self.engine.on_change(reflector.kind, change)

    def work(self, patience: float = 0.0, limit: int = 200) -> int:
        """Passes until nothing waits, looking at the server after each; how many there were.

        With ``patience``, what is put off by no more seconds than that is waited for.
        """
        for number in range(limit):
            item = self.engine.queue.get(timeout=patience)
            if item is None:
                return number
            self.engine.step(item)
            self.sync()
        raise AssertionError(f"no end after {limit} passes")

    def _on_change(self, kind: ApiKind, change: Change) -> None:
        self.engine.on_change(kind, change)
