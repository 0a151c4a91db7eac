"""Events on objects: written once, counted when they repeat, and never more often than somebody reads them."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen_controller.errors import AlreadyExistsError, ApiError, NotFoundError, UnavailableError
from trainergen_controller.kinds import EVENT
from trainergen_controller.lease.hold import micro_time
from trainergen_controller.logs import logger

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object
    from trainergen_controller.clocks import Clock
    from trainergen_controller.passes.actions import Occurrence

_LOG = logger("events")
_QUIET_SECONDS = 60.0
_REMEMBERED = 4096
_NOTE_LENGTH = 1024


@dataclass(slots=True)
class _Told:
    at: float
    count: int


@dataclass(slots=True)
class Recorder:
    """Writes ``events.k8s.io/v1`` Events.

    The name of one is made of what it says and about whom, so that replicas and restarts add to the same series instead
    of writing it anew; a repetition is counted at most once a minute.

    An Event that cannot be written is logged and lost: it must not keep the work from going on.
    """

    client: Client
    clock: Clock
    controller: str
    instance: str
    _told: OrderedDict[str, _Told] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def record(self, about: Object, occurrence: Occurrence) -> None:
        """Tells of something that happened to ``about``."""
        name = _name(about, occurrence)
        count = self._count(name)
        if not count:
            return
        try:
            self._write(name, about, occurrence, count)
        except (ApiError, UnavailableError) as error:
            _LOG.warning("event not recorded", reason=occurrence.reason, error=str(error))

    def _count(self, name: str) -> int:
        """How often it happened by now; zero if that is not to be written again already."""
        now = self.clock.monotonic()
        with self._lock:
            told = self._told.pop(name, None)
            if told is None:
                told = _Told(at=now - _QUIET_SECONDS, count=0)
            self._told[name] = told
            told.count += 1
            if len(self._told) > _REMEMBERED:
                self._told.popitem(last=False)
            if told.count > 1 and now - told.at < _QUIET_SECONDS:
                return 0
            told.at = now
            return told.count

    def _write(self, name: str, about: Object, occurrence: Occurrence, count: int) -> None:
        event = self._event(name, about, occurrence)
        namespace = event["metadata"]["namespace"]
        if count == 1:
            try:
                self.client.create(EVENT, event, namespace)
                return
            except AlreadyExistsError:
                count = 2
        series = {"series": {"count": count, "lastObservedTime": micro_time(self.clock.now())}}
        try:
            self.client.merge_patch(EVENT, name, namespace, series)
        except NotFoundError:
            # Events live an hour; this one has to be said anew
            self.client.create(EVENT, event, namespace)

    def _event(self, name: str, about: Object, occurrence: Occurrence) -> dict[str, Any]:
        metadata = about["metadata"]
        namespace = metadata.get("namespace", "")
        regarding = {
            "apiVersion": about["apiVersion"],
            "kind": about["kind"],
            "namespace": namespace,
            "name": metadata["name"],
            "uid": metadata.get("uid", ""),
            "resourceVersion": metadata.get("resourceVersion", ""),
        }
        return {
            "apiVersion": EVENT.api_version,
            "kind": EVENT.kind,
            "metadata": {"name": name, "namespace": namespace or "default"},
            "eventTime": micro_time(self.clock.now()),
            "reportingController": self.controller,
            "reportingInstance": self.instance[:128],
            "regarding": {key: value for key, value in regarding.items() if value},
            "type": occurrence.type,
            "reason": occurrence.reason,
            "action": occurrence.action or "Reconciling",
            "note": _short(occurrence.note),
        }


def _name(about: Object, occurrence: Occurrence) -> str:
    metadata = about["metadata"]
    said = (about["kind"], metadata.get("uid", ""), occurrence.type, occurrence.reason, occurrence.note)
    return f"{metadata['name'][:200]}.{hashlib.sha256(repr(said).encode()).hexdigest()[:16]}"


def _short(note: str) -> str:
    """The API takes 1024 bytes."""
    data = note.encode()
    return note if len(data) <= _NOTE_LENGTH else data[: _NOTE_LENGTH - 4].decode(errors="ignore") + " ..."
