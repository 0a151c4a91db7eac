"""The mode ``reconcile``: plays the part of the Trainer's own controller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen_controller import shapes
from trainergen_controller.errors import ApiError, NotFoundError, UnavailableError, wait_asked
from trainergen_controller.kinds import TRAIN_JOB, ApiKind
from trainergen_controller.logs import logger
from trainergen_controller.passes.secret_values import SecretValues
from trainergen_controller.passes.train_job import creation_failed, reconcile
from trainergen_controller.passes.training_runtime import reconcile_runtime
from trainergen_controller.shapes import RUNTIMES
from trainergen_controller.work import Item, Outcome, Wish

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen_controller.applier import Applier, Failure
    from trainergen_controller.cache import Change
    from trainergen_controller.caches import Caches
    from trainergen_controller.client import Object
    from trainergen_controller.clocks import Clock
    from trainergen_controller.passes.actions import Actions
    from trainergen_controller.passes.secret_values import SshKeys
    from trainergen_controller.recorder import Recorder

_LOG = logger("reconcile")
_RUNTIME_NOTICE_SECONDS = 1.0


@dataclass(slots=True)
class ReconcileMode:
    """TrainJob → objects and status; runtimes → their finalizer."""

    caches: Caches
    applier: Applier
    recorder: Recorder
    release: Release
    features: Mapping[str, bool]
    ssh_keys: SshKeys
    clock: Clock
    name: str = "reconcile"

    def wishes(self, kind: ApiKind, change: Change) -> Iterator[Wish]:
        """The TrainJob itself, the one that owns what changed, or the runtime and the TrainJobs that refer to it."""
        if kind == TRAIN_JOB:
            yield Wish(Item(TRAIN_JOB, change.key))
            yield from self._notices(change)
        elif kind in RUNTIMES:
            yield Wish(Item(kind, change.key))
            if _means_something(change):
                yield from (Wish(Item(TRAIN_JOB, key)) for key in self.caches.job_keys_of(kind, change.key))
        else:
            yield from (Wish(Item(TRAIN_JOB, key)) for key in shapes.owners_of(change))

    def all_items(self) -> Iterator[Item]:
        """All TrainJobs and all runtimes."""
        for kind in (TRAIN_JOB, *RUNTIMES):
            yield from (Item(kind, key) for key in self.caches.stores[kind].all_keys())

    def complaints(self) -> Mapping[Item, str]:
        """None: what is wrong fails a pass."""
        return {}

    def retire(self) -> None:
        """Nothing: a pass decides from the cache alone."""

    def pass_over(self, item: Item) -> Outcome:
        """One pass, from what the cache holds."""
        found = self.caches.get(item.kind, *item.key)
        if found is None:
            return Outcome()
        if item.kind == TRAIN_JOB:
            return self._job(found)
        jobs = self.caches.jobs_of(item.kind, item.key)
        actions = reconcile_runtime(found, jobs, release=self.release.name)
        return _outcome(actions, self.applier.carry_out(found, actions))

    def _job(self, job: Object) -> Outcome:
        metadata = job["metadata"]
        secrets = SecretValues(metadata["name"], metadata.get("uid", ""), self.ssh_keys)
        actions = reconcile(
            job,
            self.caches.around(job),
            now=self.clock.now(),
            release=self.release.name,
            features=self.features,
            secrets=secrets,
        )
        if (doubt := self._doubt(job, actions)) is not None:
            return doubt
        failures = self.applier.carry_out(job, actions)
        for occurrence in actions.events:
            self.recorder.record(job, occurrence)
        for failure in failures:
            if failure.creating:
                self.recorder.record(job, creation_failed(failure.message, self.release.name))
        for note in actions.notes:
            _LOG.debug(note, namespace=metadata.get("namespace", ""), train_job=metadata["name"])
        return _outcome(actions, failures)

    def _doubt(self, job: Object, actions: Actions) -> Outcome | None:
        """What to do instead if the TrainJob may be gone; None to go on.

        Who deletes a TrainJob deletes its objects, and the news of the latter can be here first. So before one of them
        is made again the API server is asked.
        """
        if not any(self.caches.has_left(apply.kind, apply.object["metadata"]) for apply in actions.applies):
            return None
        metadata = job["metadata"]
        try:
            there = self.applier.client.get(TRAIN_JOB, metadata["name"], metadata.get("namespace", ""))
        except NotFoundError:
            return Outcome()
        except (ApiError, UnavailableError) as error:
            return Outcome(f"TrainJob {metadata['name']}: {error}", wait_asked(error))
        seen = there["metadata"]
        changed = seen.get("uid") != metadata.get("uid") or seen.get("deletionTimestamp")
        return Outcome(stale=True) if changed else None

    def _notices(self, change: Change) -> Iterable[Wish]:
        """Up to 2.2 a runtime learns a second later that a TrainJob referring to it came, changed or went."""
        if not self.release.reconciling.runtime_held:
            return
        for job in (change.old, change.new):
            if job is not None and (place := shapes.runtime_place(job)) is not None:
                yield Wish(Item(*place), _RUNTIME_NOTICE_SECONDS)


def _means_something(change: Change) -> bool:
    """A runtime whose specification is as it was gives TrainJobs nothing to do."""
    if change.is_new or change.is_gone:
        return True
    return (change.old or {}).get("spec") != (change.new or {}).get("spec")


def _outcome(actions: Actions, failures: list[Failure]) -> Outcome:
    said = [failure.message for failure in failures if not failure.stale]
    error = "; ".join(([actions.error] if actions.error else []) + said)
    return Outcome(
        error,
        max((failure.retry_after for failure in failures), default=0.0),
        actions.requeue_after,
        any(failure.stale for failure in failures),
    )
