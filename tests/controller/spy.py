"""A client that notes every write of one replica, asks whether it held the lease, and can die in the middle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen_controller.errors import NotFoundError
from trainergen_controller.kinds import EVENT, LEASE, ApiKind

if TYPE_CHECKING:
    from trainergen_controller.client import Client
    from trainergen_controller.inprocess import InProcessServer

WRITES = ("create", "update", "apply", "merge_patch", "delete")


class DeadError(BaseException):
    """The process is gone: nothing catches this but the test."""


@dataclass
class Log:
    """What one replica wrote: verb, kind and name; and what it wrote without holding the lease."""

    writes: list[tuple[str, str, str]] = field(default_factory=list)
    unfenced: list[tuple[str, str, str]] = field(default_factory=list)
    dies_at: int = -1
    """The number of the write at which the process dies."""
    after: bool = False
    """Whether that write is carried out first."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class SpyClient:
    """Passes everything on; ``holder`` says who holds the lease at the moment of a write."""

    def __init__(self, client: Client, log: Log, identity: str, holder: Callable[[], str]) -> None:
        self._client = client
        self._log = log
        self._identity = identity
        self._holder = holder

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        return self._spied(name, method) if name in WRITES else method

    def _spied(self, verb: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(kind: ApiKind, *args: Any, **kwargs: Any) -> Any:
            if kind in (LEASE, EVENT):
                return method(kind, *args, **kwargs)
            first = args[0]
            note = (verb, kind.kind, first["metadata"]["name"] if isinstance(first, dict) else first)
            with self._log.lock:
                number = len(self._log.writes)
                self._log.writes.append(note)
            if self._holder() != self._identity:
                self._log.unfenced.append(note)
            if number == self._log.dies_at and not self._log.after:
                raise DeadError
            answer = method(kind, *args, **kwargs)
            if number == self._log.dies_at:
                raise DeadError
            return answer

        return call


def holder_of(server: InProcessServer, lease: str = "trainergen-controller-reconcile") -> Callable[[], str]:
    """Who holds a lease on the server now."""
    client = server.client("test", faulty=False)

    def read() -> str:
        try:
            return str(client.get(LEASE, lease, "kubeflow-system")["spec"].get("holderIdentity", ""))
        except NotFoundError:
            return ""

    return read
