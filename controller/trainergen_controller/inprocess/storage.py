"""Versioned storage: every write has a resource version of its own, and what was written lately can be looked up.

Objects go in and come out as they are; who hands them to others copies them.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainergen_controller.errors import error_of

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.kinds import ApiKind

Place: TypeAlias = tuple[str, str]
"""Namespace and name."""

ADDED, MODIFIED, DELETED, BOOKMARK = "ADDED", "MODIFIED", "DELETED", "BOOKMARK"


class Change(NamedTuple):
    """One write: what there is afterwards (for a deletion, what there was), and what there was before."""

    version: int
    type: str
    kind: ApiKind
    place: Place
    object: Object
    before: Object | None


class Storage:
    """The objects of a cluster; ``lock`` is held around everything that has to be seen as one."""

    def __init__(self, history: int) -> None:
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.version = 1
        self.compacted = 1
        """Changes up to this version are forgotten."""
        self._objects: dict[ApiKind, dict[Place, Object]] = {}
        self._changes: deque[Change] = deque()
        self._history = history

    def find(self, kind: ApiKind, place: Place) -> Object | None:
        """The object at a place."""
        return self._objects.get(kind, {}).get(place)

    def every(self) -> Iterator[tuple[ApiKind, Object]]:
        """All objects of all kinds."""
        for kind, objects in list(self._objects.items()):
            for found in list(objects.values()):
                yield kind, found

    def put(self, kind: ApiKind, place: Place, obj: Object) -> Object:
        """Stores an object under the next version, which it is given."""
        with self.lock:
            before = self.find(kind, place)
            stored = self._versioned(obj)
            self._objects.setdefault(kind, {})[place] = stored
            self._note(Change(self.version, MODIFIED if before else ADDED, kind, place, stored, before))
            return stored

    def remove(self, kind: ApiKind, place: Place) -> Object:
        """Takes an object out; what is seen last of it has the version of its removal."""
        with self.lock:
            before = self._objects[kind].pop(place)
            gone = self._versioned(before)
            self._note(Change(self.version, DELETED, kind, place, gone, before))
            return gone

    def snapshot(self, kind: ApiKind, version: int) -> dict[Place, Object]:
        """The objects of a kind as they were at a version, in order; GoneError if that is forgotten."""
        with self.lock:
            self._demand(version)
            objects = dict(self._objects.get(kind, {}))
            for change in takewhile(lambda change: change.version > version, reversed(self._changes)):
                if change.kind != kind:
                    continue
                if change.type == ADDED:
                    objects.pop(change.place, None)
                elif change.before is not None:
                    objects[change.place] = change.before
            return dict(sorted(objects.items()))

    def since(self, kind: ApiKind, version: int) -> list[Change]:
        """The changes of a kind after a version; GoneError if some of them are forgotten."""
        return [change for change in self.log(version) if change.kind == kind]

    def log(self, version: int) -> list[Change]:
        """The changes of all kinds after a version; GoneError if some of them are forgotten."""
        with self.lock:
            self._demand(version)
            return list(takewhile(lambda change: change.version > version, reversed(self._changes)))[::-1]

    def compact(self, version: int) -> None:
        """Forgets the changes up to a version."""
        with self.lock:
            while self._changes and self._changes[0].version <= version:
                self._changes.popleft()
            self.compacted = max(self.compacted, min(version, self.version))
            self.changed.notify_all()

    def _versioned(self, obj: Object) -> Object:
        self.version += 1
        return {**obj, "metadata": {**obj["metadata"], "resourceVersion": str(self.version)}}

    def _note(self, change: Change) -> None:
        self._changes.append(change)
        if len(self._changes) > self._history:
            self.compacted = self._changes.popleft().version
        self.changed.notify_all()

    def _demand(self, version: int) -> None:
        if version < self.compacted:
            message = f"too old resource version: {version} ({self.compacted})"
            raise error_of(410, "Expired", message)
