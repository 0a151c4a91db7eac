"""The mode ``audit``: what is wrong, told by Events, PolicyReports and metrics; no training object is changed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen_controller import shapes
from trainergen_controller.audit import Auditor, events_of, measures_of, policy_reports
from trainergen_controller.audit.reports import NAME
from trainergen_controller.cache import Change, Key
from trainergen_controller.errors import ApiError, ConflictError, NotFoundError, UnavailableError, wait_asked
from trainergen_controller.kinds import CLUSTER_POLICY_REPORT, NAMESPACE, POLICY_REPORT, TRAIN_JOB, ApiKind
from trainergen_controller.logs import logger
from trainergen_controller.shapes import RUNTIMES
from trainergen_controller.work import Item, Outcome, Wish

if TYPE_CHECKING:
    from trainergen_controller.audit import Audit
    from trainergen_controller.caches import Caches
    from trainergen_controller.client import Client, Object
    from trainergen_controller.clocks import Clock
    from trainergen_controller.metrics import Metrics
    from trainergen_controller.recorder import Recorder

_LOG = logger("audit")
MANAGER = "trainergen-audit"
_JUDGED = (*RUNTIMES, TRAIN_JOB)
_REPORT_SECONDS = 2.0
_GRACE_SECONDS = 61.0


@dataclass(slots=True)
class AuditMode:
    """TrainJobs and runtimes are judged one by one; a namespace's report is written a moment after the last of them."""

    caches: Caches
    client: Client
    recorder: Recorder
    auditor: Auditor
    clock: Clock
    metrics: Metrics
    add_after: Callable[[Item, float], None]
    """Where a namespace is queued for its report."""
    name: str = "audit"
    report: str = NAME
    """What the reports are called: those of shards with TrainJobs in one namespace must not replace one another."""
    audits: dict[Item, Audit] = field(default_factory=dict)
    _written: dict[str, Object] = field(default_factory=dict)
    _labels: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _unserved: bool = False
    _leads: bool = False

    def wishes(self, kind: ApiKind, change: Change) -> Iterator[Wish]:
        """What changed, the TrainJob that owns it, or the TrainJobs that refer to it."""
        if kind in _JUDGED:
            yield Wish(Item(kind, change.key))
            if kind in RUNTIMES:
                yield from (Wish(Item(TRAIN_JOB, key)) for key in self.caches.job_keys_of(kind, change.key))
            return
        yield from (Wish(Item(TRAIN_JOB, key)) for key in shapes.owners_of(change))

    def all_items(self) -> Iterator[Item]:
        """All runtimes and TrainJobs; the reports follow from them."""
        with self._lock:
            self._leads = True
            self.audits.clear()  # a pass under way when the last reign ended may have left something
        for kind in _JUDGED:
            yield from (Item(kind, key) for key in self.caches.stores[kind].all_keys())

    def complaints(self) -> Mapping[Item, str]:
        """Errors, drift, and why nothing can be rendered; warnings are for the reports."""
        with self._lock:
            told = {item: audit.complaint for item, audit in self.audits.items()}
        return {item: text for item, text in told.items() if text}

    def retire(self) -> None:
        """Forgets what was found and written: the next leader finds and tells it, and writes the same reports."""
        with self._lock:
            self._leads = False
            self.audits.clear()
            self._written.clear()
            self._labels.clear()
            self.metrics.findings.clear()
            self.metrics.drifted.clear()

    def pass_over(self, item: Item) -> Outcome:
        """Judges an object, or writes the report of a namespace."""
        return self._report(item.key.name) if item.kind == NAMESPACE else self._judge(item)

    def _judge(self, item: Item) -> Outcome:
        found = self.caches.get(item.kind, *item.key)
        if found is None:
            with self._lock:
                known = self.audits.pop(item, None)
            if known is not None:
                self._report_soon(item.key.namespace)
            return Outcome()
        around = self.caches.near(found) if item.kind == TRAIN_JOB else []
        audit = self.auditor.audit(found, around, now=self.clock.now())
        for occurrence in events_of(audit):
            self.recorder.record(found, occurrence)
        # only now: a pass that was broken off must not look as if it had been told
        with self._lock:
            before, self.audits[item] = self.audits.get(item), audit
        if audit != before:
            self._report_soon(item.key.namespace)
        return Outcome(requeue_after=_GRACE_SECONDS if before is None and item.kind == TRAIN_JOB else None)

    def _report_soon(self, namespace: str) -> None:
        self.add_after(Item(NAMESPACE, Key("", namespace)), _REPORT_SECONDS)

    def _report(self, namespace: str) -> Outcome:
        with self._lock:
            audits = [audit for item, audit in self.audits.items() if item.key.namespace == namespace]
        self._measure(namespace, audits)
        wanted = next(iter(policy_reports(audits, self.report)), None)
        if self._unserved or wanted == self._written.get(namespace):
            return Outcome()
        kind = POLICY_REPORT if namespace else CLUSTER_POLICY_REPORT
        try:
            if wanted is None:
                self._take_back(kind, namespace)
            else:
                self.client.apply(kind, wanted, manager=MANAGER, force=True)
                self._written[namespace] = wanted
        except NotFoundError as error:
            self._not_served(error)
        except (ApiError, UnavailableError) as error:
            stale = isinstance(error, ConflictError)
            return Outcome("" if stale else f"report of '{namespace}': {error}", wait_asked(error), stale=stale)
        return Outcome()

    def _take_back(self, kind: ApiKind, namespace: str) -> None:
        """Deletes a report; it is forgotten only once it is gone, by our doing or with its namespace."""
        with contextlib.suppress(NotFoundError):
            self.client.delete(kind, self.report, namespace)
        self._written.pop(namespace, None)

    def _not_served(self, error: NotFoundError) -> None:
        """Without the CRD there are no reports, only Events and metrics; or the namespace is gone, and all is said."""
        if "namespace" not in error.message:
            self._unserved = True
            _LOG.info("no PolicyReports are written, for this API server has none", error=error.message)

    def _measure(self, namespace: str, audits: list[Audit]) -> None:
        measures = measures_of(audits)
        with self._lock:
            if not self._leads:
                return
            for gone in self._labels.get(namespace, set()) - measures.findings.keys():
                self.metrics.findings.remove(*gone)
            for labels, count in measures.findings.items():
                self.metrics.findings.labels(*labels).set(count)
            if audits:
                self._labels[namespace] = set(measures.findings)
                self.metrics.drifted.labels(namespace).set(measures.drifted.get(namespace, 0))
            elif self._labels.pop(namespace, None) is not None:
                # the namespace may be gone for good, and nobody wants a number of each there ever was
                self.metrics.drifted.remove(namespace)
