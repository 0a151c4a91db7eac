"""Lists and watches one kind, and goes on through everything that a server or a network does meanwhile."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen_controller.cache.store import Change, Key, Store, key_of
from trainergen_controller.clocks import Clock, SystemClock
from trainergen_controller.errors import ApiError, GoneError, NotFoundError, UnavailableError, wait_asked
from trainergen_controller.logs import logger
from trainergen_controller.queue.backoff import Backoff

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Page, WatchEvent
    from trainergen_controller.kinds import ApiKind

PAGE_SIZE = 500
FIRST_RETRY = 0.8
_LOG = logger("cache")


@dataclass(slots=True)
class Reflector:
    """Keeps ``store`` equal to what the server holds of ``kind``, and tells ``on_change`` of each difference, in order.

    A list is read in pages. A watch that ends, is cut or hangs is taken up at the last version seen, bookmarks
    included; a version that the server has forgotten (410) leads to a new list, whose differences to the store are
    changes like any other, so that what happened meanwhile is not lost. Errors wait, longer each time, and as long as
    the server asks.
    """

    client: Client
    kind: ApiKind
    store: Store
    on_change: Callable[[Change], None]
    namespace: str = ""
    label_selector: str = ""
    optional: bool = False
    """The kind may not be served here, as PodGroups are where no such scheduler is: then it has no objects."""
    clock: Clock = field(default_factory=SystemClock)
    watch_seconds: float = 300.0
    synced: threading.Event = field(default_factory=threading.Event)
    """Set once the first list is in the store."""
    trouble: str = ""
    """Why the last list or watch failed; empty since one succeeded."""
    lists: int = 0
    watches: int = 0
    first_retry: float = FIRST_RETRY
    """Seconds before what failed is tried again; they double up to half a minute."""
    _backoff: Backoff = field(init=False)

    def __post_init__(self) -> None:
        self._backoff = Backoff(self.first_retry, 30.0)

    def run(self, stop: threading.Event) -> None:
        """Until ``stop`` is set."""
        version: str | None = None
        while not stop.is_set():
            try:
                version = self._list(stop) if version is None else self._watch(version, stop)
            except GoneError:
                version = None
                self._pause(stop, self._backoff.next())
            except (ApiError, UnavailableError) as error:
                version = self._put_off(error, version, stop)
            except Exception as error:
                # a server that answers with nonsense, or an indexer that cannot read an object, must not end the cache
                _LOG.error("unexpected failure", kind=self.kind.kind, error=repr(error))
                version = None
                self._pause(stop, self._backoff.next())

    def _put_off(self, error: ApiError | UnavailableError, version: str | None, stop: threading.Event) -> str | None:
        if stop.is_set():
            return version
        if self.optional and isinstance(error, NotFoundError):
            self._forget_all()
            self._pause(stop, 60.0)
            return None
        self.trouble = str(error)
        _LOG.warning("list or watch failed", kind=self.kind.kind, error=self.trouble)
        self._pause(stop, max(wait_asked(error), self._backoff.next()))
        return version

    def _forget_all(self) -> None:
        for change in self.store.replace([]):
            self.on_change(change)
        self.synced.set()

    def _list(self, stop: threading.Event) -> str:
        """Takes a list in page by page, so that it is never in memory as a whole; if it is cut short, what was taken
        in is true nevertheless, and the next list goes on with it."""
        version, listed = "", set[Key]()
        for page in self._pages():
            version = version or page.resource_version
            for found in page.items:
                listed.add(key_of(found))
                self._tell(self.store.take_listed(found, version))
            if stop.is_set():
                return version
        self.lists += 1
        for change in self.store.drop_unlisted(listed, version):
            self.on_change(change)
        self.synced.set()
        self.trouble = ""
        self._backoff.reset()
        return version

    def _pages(self) -> Iterator[Page]:
        """All pages, of the version that the first one names."""
        token = ""
        while True:
            page = self.client.list(
                self.kind,
                self.namespace,
                label_selector=self.label_selector,
                limit=PAGE_SIZE,
                continue_token=token,
            )
            yield page
            token = page.continue_token
            if not token:
                return

    def _tell(self, change: Change | None) -> None:
        if change is not None:
            self.on_change(change)

    def _watch(self, version: str, stop: threading.Event) -> str | None:
        """The version to go on from, None to list anew."""
        self.watches += 1
        # not all kinds and replicas at once, and never for ever: a watch that a proxy keeps open without passing
        # anything on is given up when its time is over
        seconds = self.watch_seconds * random.uniform(0.8, 1.0)
        began = self.clock.monotonic()
        progress = False
        try:
            for event in self._events(version, seconds):
                if stop.is_set():
                    return version
                version = self._take(event) or version
                progress = True
                self._backoff.reset()
        except UnavailableError as error:
            if not progress:
                raise
            _LOG.debug("watch was cut", kind=self.kind.kind, error=str(error))
            return version
        if not progress and self.clock.monotonic() - began < 1.0:
            self._pause(stop, self._backoff.next())
        return version

    def _events(self, version: str, seconds: float) -> Iterator[WatchEvent]:
        return self.client.watch(
            self.kind,
            self.namespace,
            resource_version=version,
            label_selector=self.label_selector,
            timeout=seconds,
        )

    def _take(self, event: WatchEvent) -> str:
        metadata = event.object.get("metadata") or {}
        version = str(metadata.get("resourceVersion", ""))
        if event.type != "BOOKMARK":
            deleted = event.type == "DELETED"
            key = key_of(event.object)
            uid = str(metadata.get("uid", ""))
            self._tell(self.store.remove(key, uid) if deleted else self.store.put(event.object))
        return version

    def _pause(self, stop: threading.Event, seconds: float) -> None:
        self.clock.sleep(stop, seconds)
