"""Watches: the changes of a kind from a version on, as one client with one selector sees them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from trainergen_controller.client import WatchEvent
from trainergen_controller.inprocess.metadata import metadata_of
from trainergen_controller.inprocess.storage import ADDED, BOOKMARK, DELETED, MODIFIED, Change, Storage

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.inprocess.selectors import Selector
    from trainergen_controller.kinds import ApiKind


@dataclass(frozen=True, slots=True)
class Scope:
    """Which objects a list or watch is about; without ``namespace`` those of all."""

    kind: ApiKind
    namespace: str
    selector: Selector

    def has(self, obj: Object) -> bool:
        """Is the object one of them?"""
        metadata = metadata_of(obj)
        if self.namespace and self.kind.namespaced and metadata.get("namespace") != self.namespace:
            return False
        return self.selector(metadata.get("labels") or {})


class _Limits(NamedTuple):
    deadline: float
    bookmarks: bool
    goes_on: Callable[[], bool]


class Watches:
    """Hands changes out; ``cut`` ends all watches there are, as a server that stops does."""

    def __init__(self, storage: Storage, *, bookmark_interval: float) -> None:
        self._storage = storage
        self._interval = bookmark_interval
        self._epoch = 0

    def cut(self) -> None:
        """Ends all watches."""
        self._epoch += 1
        self.wake()

    def wake(self) -> None:
        """Lets all watches see whether they are still wanted."""
        with self._storage.changed:
            self._storage.changed.notify_all()

    def watch(
        self,
        scope: Scope,
        version: str,
        *,
        timeout: float,
        bookmarks: bool = True,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Iterator[WatchEvent]:
        """The events after ``version``, or first all objects without one; GoneError if it is forgotten.

        Ends early when ``wanted`` says so, which is asked after every change and ``wake``. The first look is taken at
        once, so that a version that is too old is refused before anything is sent.
        """
        with self._storage.lock:
            epoch = self._epoch
            if version in ("", "0"):
                seen = self._storage.version
                objects = self._storage.snapshot(scope.kind, seen).values()
                first = [WatchEvent(ADDED, found) for found in objects if scope.has(found)]
            else:
                seen = int(version)
                first = [event for change in self._storage.since(scope.kind, seen) if (event := _event(scope, change))]
                seen = max(seen, self._storage.version)
        limits = _Limits(time.monotonic() + timeout, bookmarks, lambda: epoch == self._epoch and wanted())
        return self._stream(scope, first, seen, limits)

    def _stream(self, scope: Scope, first: list[WatchEvent], seen: int, limits: _Limits) -> Iterator[WatchEvent]:
        deadline, bookmarks, goes_on = limits
        yield from first
        marked = time.monotonic()
        while goes_on() and time.monotonic() < deadline:
            changes, seen = self._wait(scope, seen, min(deadline, marked + self._interval), goes_on)
            yield from (event for change in changes if (event := _event(scope, change)))
            if bookmarks and time.monotonic() >= marked + self._interval:
                marked = time.monotonic()
                yield _bookmark(scope.kind, seen)
        if bookmarks and goes_on():
            yield _bookmark(scope.kind, seen)

    def _wait(self, scope: Scope, seen: int, until: float, goes_on: Callable[[], bool]) -> tuple[list[Change], int]:
        """The next changes, or none at the given time, and the version up to which all is known."""
        with self._storage.changed:
            while goes_on():
                # What was forgotten since cannot have been missed: this is looked at after every change.
                changes = self._storage.since(scope.kind, max(seen, self._storage.compacted))
                seen = self._storage.version
                remaining = until - time.monotonic()
                if changes or remaining <= 0:
                    return changes, seen
                self._storage.changed.wait(remaining)
            return [], seen


def _event(scope: Scope, change: Change) -> WatchEvent | None:
    """A change as the scope sees it: what enters the selector is added, what leaves it is deleted as it was before."""
    before = change.before
    if change.type != DELETED and scope.has(change.object):
        return WatchEvent(MODIFIED if before is not None and scope.has(before) else ADDED, change.object)
    if before is None or not scope.has(before):
        return None
    metadata = {**before["metadata"], "resourceVersion": str(change.version)}
    return WatchEvent(DELETED, {**before, "metadata": metadata})


def _bookmark(kind: ApiKind, version: int) -> WatchEvent:
    metadata = {"resourceVersion": str(version)}
    return WatchEvent(BOOKMARK, {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata})
