"""The caches of all kinds the controller looks at, and the reading of what belongs to one TrainJob."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen.render import Cluster
from trainergen.render.trainjobstatus import CA_SECRET, OPERATOR_NAMESPACE
from trainergen_controller import shapes
from trainergen_controller.cache import Change, Key, Reflector, Store
from trainergen_controller.cache.reflector import FIRST_RETRY
from trainergen_controller.clocks import Clock, SystemClock
from trainergen_controller.kinds import (
    CLUSTER_TRAINING_RUNTIME,
    CONFIG_MAP,
    JOB_SET,
    POD_GROUP,
    SECRET,
    TRAIN_JOB,
    TRAINING_RUNTIME,
    VOLCANO_POD_GROUP,
    ApiKind,
)

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object

OPTIONAL = frozenset({POD_GROUP, VOLCANO_POD_GROUP})
_OWNED: dict[str, Callable[[Object], Iterable[str]]] = {shapes.OWNER: shapes.by_owner}
_SHAPES: dict[ApiKind, tuple[Callable[[Object], Object | None], dict[str, Callable[[Object], Iterable[str]]]]] = {
    TRAIN_JOB: (shapes.plain_object, {shapes.RUNTIME: shapes.by_runtime}),
    TRAINING_RUNTIME: (shapes.plain_object, {}),
    CLUSTER_TRAINING_RUNTIME: (shapes.plain_object, {}),
    JOB_SET: (shapes.managed_object, _OWNED),
    POD_GROUP: (shapes.managed_object, _OWNED),
    VOLCANO_POD_GROUP: (shapes.managed_object, _OWNED),
    CONFIG_MAP: (shapes.config_map, _OWNED),
    SECRET: (shapes.secret, _OWNED),
}
_READ = 500
KINDS = tuple(_SHAPES)
READ_KINDS = tuple(kind for kind in KINDS if kind != SECRET)
"""All but Secrets, which nobody needs who only reads."""


@dataclass(slots=True)
class Caches:
    """One store and one reflector a kind; ``selector`` chooses the TrainJobs of this shard, the rest goes by name."""

    client: Client
    on_change: Callable[[ApiKind, Change], None]
    namespace: str = ""
    selector: str = ""
    clock: Clock = field(default_factory=SystemClock)
    kinds: tuple[ApiKind, ...] = KINDS
    first_retry: float = FIRST_RETRY
    stores: dict[ApiKind, Store] = field(init=False)
    reflectors: list[Reflector] = field(init=False)
    _threads: list[threading.Thread] = field(default_factory=list)
    _runtimes: dict[tuple[ApiKind, Key], tuple[str, Object]] = field(default_factory=dict)
    _read: dict[tuple[int, str, str], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stores = {kind: Store(_SHAPES[kind][1], _SHAPES[kind][0]) for kind in self.kinds}
        self.reflectors = [self._reflector(kind, store) for kind, store in self.stores.items()]

    def _reflector(self, kind: ApiKind, store: Store) -> Reflector:
        return Reflector(
            self.client,
            kind,
            store,
            lambda change: self.on_change(kind, change),
            namespace=self.namespace if kind.namespaced else "",
            label_selector=self.selector if kind == TRAIN_JOB else "",
            optional=kind in OPTIONAL,
            clock=self.clock,
            first_retry=self.first_retry,
        )

    def start(self, stop: threading.Event) -> None:
        """Begins to list and watch, each kind in a thread of its own."""
        for reflector in self.reflectors:
            thread = threading.Thread(target=reflector.run, args=(stop,), name=f"cache-{reflector.kind.plural}")
            self._threads.append(thread)
            thread.start()

    def join(self, seconds: float) -> None:
        """Waits for the threads after ``stop`` was set; one that hangs in a watch ends with its time-out."""
        for thread in self._threads:
            thread.join(seconds)

    def wait_synced(self, stop: threading.Event, seconds: float) -> bool:
        """Whether all first lists were read before the time was over."""
        end = self.clock.monotonic() + seconds
        while not stop.is_set() and not self.synced and self.clock.monotonic() < end:
            self.clock.sleep(stop, 0.05)
        return self.synced

    @property
    def synced(self) -> bool:
        """Whether each kind was listed once."""
        return all(reflector.synced.is_set() for reflector in self.reflectors)

    @property
    def missing(self) -> str:
        """The kinds that were not listed yet, each with the reason if there is one."""
        waiting = [one for one in self.reflectors if not one.synced.is_set()]
        return ", ".join(f"{one.kind.plural} ({one.trouble})" if one.trouble else one.kind.plural for one in waiting)

    def get(self, kind: ApiKind, namespace: str, name: str) -> Object | None:
        """An object, or None."""
        store = self.stores.get(kind)
        return None if store is None else store.get(namespace, name)

    def has_left(self, kind: ApiKind, metadata: Mapping[str, Any]) -> bool:
        """Whether there is no object of that place any more, but was."""
        store = self.stores.get(kind)
        return store is not None and store.has_left(metadata.get("namespace", ""), metadata["name"])

    def around(self, job: Object) -> Cluster:
        """What the cluster holds of what a pass over ``job`` looks at, and that it holds no more of it.

        The runtime is the same object for all jobs that refer to it, and is read once.
        """
        cluster = Cluster(self.near(job), complete=True)
        if len(self._read) > _READ:
            self._read = {}
        cluster.runtimes = self._read
        return cluster

    def near(self, job: Object) -> list[Object]:
        """The runtime of a TrainJob, and what lies where its own objects belong."""
        metadata = job["metadata"]
        namespace, name = metadata.get("namespace", ""), metadata["name"]
        found = [self.runtime_of(job), self.get(SECRET, OPERATOR_NAMESPACE, CA_SECRET)]
        found += [self.get(kind, namespace, name) for kind in (JOB_SET, POD_GROUP, VOLCANO_POD_GROUP)]
        found += [self.get(CONFIG_MAP, namespace, name + suffix) for suffix in shapes.CONFIG_MAPS]
        found += [self.get(SECRET, namespace, name + suffix) for suffix in shapes.SECRETS]
        return [one for one in found if one is not None]

    def runtime_of(self, job: Object) -> Object | None:
        """The runtime that a TrainJob refers to, as it is now."""
        place = shapes.runtime_place(job)
        return None if place is None else self._shared(place)

    def _shared(self, place: tuple[ApiKind, Key]) -> Object | None:
        """The same value for the same version, which its readers must not change."""
        kind, key = place
        version, known = self.stores[kind].version(*key), self._runtimes.get(place)
        if known is not None and version and known[0] == version:
            return known[1]
        found = self.stores[kind].get(*key)
        if len(self._runtimes) > _READ:
            self._runtimes = {}
        if found is not None:
            self._runtimes[place] = (version, found)
        return found

    def jobs_of(self, kind: ApiKind, key: Key) -> list[Object]:
        """The TrainJobs that refer to a runtime."""
        return self.stores[TRAIN_JOB].by(shapes.RUNTIME, shapes.runtime_term(kind, key))

    def job_keys_of(self, kind: ApiKind, key: Key) -> list[Key]:
        """Where the TrainJobs lie that refer to a runtime."""
        return self.stores[TRAIN_JOB].keys_by(shapes.RUNTIME, shapes.runtime_term(kind, key))
