"""The client protocol, answered without a network; faults are played here as a network's would be seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from trainergen_controller.client import Object, Page, WatchEvent
from trainergen_controller.errors import UnavailableError, error_of
from trainergen_controller.inprocess import faults, listing
from trainergen_controller.inprocess.operations import Demand, Options
from trainergen_controller.inprocess.selectors import selector
from trainergen_controller.inprocess.watching import Scope

if TYPE_CHECKING:
    from trainergen_controller.inprocess.faults import Fault
    from trainergen_controller.inprocess.server import InProcessServer
    from trainergen_controller.inprocess.storage import Place
    from trainergen_controller.kinds import ApiKind

T = TypeVar("T")

REASONS = {403: "Forbidden", 409: "Conflict", 410: "Expired", 429: "TooManyRequests", 503: "ServiceUnavailable"}


def copied(value: Any) -> Any:
    """A JSON value of one's own."""
    if isinstance(value, dict):
        return {key: copied(child) for key, child in value.items()}
    return [copied(child) for child in value] if isinstance(value, list) else value


class InProcessClient:
    """A ``Client`` of one ``InProcessServer``; safe to use from several threads."""

    def __init__(self, server: InProcessServer, manager: str, *, faulty: bool = True) -> None:
        self._server = server
        self._manager = manager
        self._faulty = faulty
        self._closed = False

    def close(self) -> None:
        """Ends the watches of this client."""
        self._closed = True
        self._server.watches.wake()

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        """The object; NotFoundError without."""
        place = _place(kind, namespace, name)
        fault = self._fault("get", kind, name)
        if isinstance(fault, faults.Stale):
            found = self._server.storage.snapshot(kind, fault.version).get(place)
            if found is not None:
                return _own(found)
        return self._do(fault, lambda: self._server.operations.get(kind, place))

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
        """One page of the objects of a namespace, or of all; GoneError if the token has expired."""
        self._server.operations.resource(kind)
        scope = Scope(kind, namespace, selector(label_selector))
        fault = self._fault("list", kind, "")
        storage = self._server.storage
        if isinstance(fault, faults.Stale):
            past = storage.snapshot(kind, fault.version).values()
            return Page([copied(found) for found in past if scope.has(found)], str(fault.version))

        def read() -> Page:
            found = listing.page(storage, scope, limit=limit, token=continue_token, version=resource_version)
            return found._replace(items=[copied(item) for item in found.items])

        return self._do(fault, read)

    def watch(
        self,
        kind: ApiKind,
        namespace: str = "",
        *,
        resource_version: str,
        label_selector: str = "",
        timeout: float = 300.0,
    ) -> Iterator[WatchEvent]:
        """Changes since a version, bookmarks included, until ``timeout`` seconds have passed."""
        self._server.operations.resource(kind)
        scope = Scope(kind, namespace, selector(label_selector))
        fault = self._fault("watch", kind, "")
        cut = fault if isinstance(fault, faults.CutWatch) else None
        watches = self._server.watches

        def begin() -> Iterator[WatchEvent]:
            return watches.watch(scope, resource_version, timeout=timeout, wanted=lambda: not self._closed)

        events = self._do(fault, begin)
        return _cut_off(events, cut)

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        """The object as stored; AlreadyExistsError if there is one of that name."""
        options = Options(manager or self._manager, dry_run=dry_run)
        return self._write(
            "create", kind, body, lambda own: self._server.operations.create(kind, own, namespace, options)
        )

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        """Replaces an object; ConflictError if its resource version is not the current one."""
        options = Options(self._manager, subresource, dry_run)
        return self._write("update", kind, body, lambda own: self._server.operations.update(kind, own, options))

    def apply(
        self, kind: ApiKind, body: Object, *, manager: str, force: bool, subresource: str = "", dry_run: bool = False
    ) -> Object:
        """Server-side apply; ConflictError without ``force`` if other managers own a field with another value."""
        options = Options(manager, subresource, dry_run, force=force)
        return self._write("apply", kind, body, lambda own: self._server.operations.apply(kind, own, options))

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        """JSON merge patch; a ``metadata.resourceVersion`` in it is a precondition."""
        options, place, own = Options(self._manager, subresource), _place(kind, namespace, name), copied(dict(patch))
        work = self._server.operations.merge_patch
        return _own(self._do(self._fault("patch", kind, name), lambda: work(kind, place, own, options)))

    def delete(
        self, kind: ApiKind, name: str, namespace: str = "", *, uid: str = "", propagation: str = "Background"
    ) -> None:
        """Deletes an object; with ``uid`` only that very one, else ConflictError."""
        place, demand = _place(kind, namespace, name), Demand(uid, propagation=propagation)
        self._do(self._fault("delete", kind, name), lambda: self._server.operations.delete(kind, place, demand))

    def _write(self, verb: str, kind: ApiKind, body: Object, work: Callable[[Object], Object]) -> Object:
        own = copied(body)
        name = str((body.get("metadata") or {}).get("name") or "")
        return _own(self._do(self._fault(verb, kind, name), lambda: work(own)))

    def _fault(self, verb: str, kind: ApiKind, name: str) -> Fault | None:
        return self._server.faults.next(verb, kind.plural, name) if self._faulty else None

    def _do(self, fault: Fault | None, work: Callable[[], T]) -> T:
        """The outcome of ``work``, or the fault that is played instead of it."""
        match fault:
            case faults.Refuse(code, reason, retry_after, message):
                raise error_of(code, reason or REASONS.get(code, "InternalError"), message, retry_after=retry_after)
            case faults.Drop(after):
                if after:
                    work()
                raise UnavailableError("the connection was closed without an answer")
            case faults.Hang(seconds):
                time.sleep(seconds)
                raise UnavailableError(f"no answer in {seconds} s")
            case faults.Slow(seconds):
                time.sleep(seconds)
            case faults.Garble():
                raise UnavailableError("the answer is not JSON")
        return work()


def _own(found: Object) -> Object:
    own: Object = copied(found)
    return own


def _place(kind: ApiKind, namespace: str, name: str) -> Place:
    return (namespace or "default") if kind.namespaced else "", name


def _cut_off(events: Iterator[WatchEvent], cut: faults.CutWatch | None) -> Iterator[WatchEvent]:
    for event in events if cut is None else islice(events, cut.after):
        yield WatchEvent(event.type, copied(event.object))
    if cut is None:
        return
    if cut.expired:
        raise error_of(410, "Expired", "too old resource version")
    raise UnavailableError("the watch was cut off")
