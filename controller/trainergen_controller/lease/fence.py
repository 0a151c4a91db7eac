"""Every write asks the fence, and a client behind it cannot forget to."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object, Page, WatchEvent
    from trainergen_controller.clocks import Clock
    from trainergen_controller.kinds import ApiKind


class NotLeadingError(Exception):
    """This replica may not write now; nothing was sent."""


class Fence:
    """Open until a moment on the monotonic clock, which each renewal of the lease moves on.

    The moment lies so that a request begun before it is over, or given up, before another replica can take the lease.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0
        self._lock = threading.Lock()

    def open_until(self, moment: float) -> None:
        """Lets writes begin until then."""
        with self._lock:
            self._until = moment

    def close(self) -> None:
        """No write begins any more."""
        self.open_until(0.0)

    @property
    def is_open(self) -> bool:
        """Whether a write may begin."""
        return self._clock.monotonic() < self._until

    def ask(self) -> None:
        """NotLeadingError unless a write may begin."""
        if not self.is_open:
            raise NotLeadingError


class FencedClient:
    """A client whose writes ask the fence; reads pass."""

    def __init__(self, client: Client, fence: Fence) -> None:
        self._client = client
        self._fence = fence

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        return self._client.get(kind, name, namespace)

    def list(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        label_selector: str = "",
        limit: int = 0,
        continue_token: str = "",
        resource_version: str = "",
    ) -> Page:
        return self._client.list(
            kind,
            namespace,
            label_selector=label_selector,
            limit=limit,
            continue_token=continue_token,
            resource_version=resource_version,
        )

    def watch(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        resource_version: str,
        label_selector: str = "",
        timeout: float = 300.0,
    ) -> Iterator[WatchEvent]:
        return self._client.watch(
            kind, namespace, resource_version=resource_version, label_selector=label_selector, timeout=timeout
        )

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        self._fence.ask()
        return self._client.create(kind, body, namespace, manager=manager, dry_run=dry_run)

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        self._fence.ask()
        return self._client.update(kind, body, subresource=subresource, dry_run=dry_run)

    def apply(
        self, kind: ApiKind, body: Object, *, manager: str, force: bool, subresource: str = "", dry_run: bool = False
    ) -> Object:
        self._fence.ask()
        return self._client.apply(kind, body, manager=manager, force=force, subresource=subresource, dry_run=dry_run)

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        self._fence.ask()
        return self._client.merge_patch(kind, name, namespace, patch, subresource=subresource)

    def delete(
        self, kind: ApiKind, name: str, namespace: str = "", *, uid: str = "", propagation: str = "Background"
    ) -> None:
        self._fence.ask()
        self._client.delete(kind, name, namespace, uid=uid, propagation=propagation)

    def close(self) -> None:
        self._client.close()
