"""Reports and numbers while things go wrong: what was not told is told later, and what is gone is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainergen_controller.audit import Audit
from trainergen_controller.auditing import AuditMode
from trainergen_controller.cache import Key, Store
from trainergen_controller.errors import NotFoundError, UnavailableError
from trainergen_controller.kinds import NAMESPACE, POLICY_REPORT, TRAIN_JOB, ApiKind
from trainergen_controller.lease import NotLeadingError
from trainergen_controller.metrics import Metrics
from trainergen_controller.recorder import Recorder
from trainergen_controller.shapes import RUNTIMES
from trainergen_controller.work import Item

from tests.controller.clocks import TurnedClock
from tests.controller.scripted import StoredClient, thing
from trainergen.finding import Finding, Layer, ObjectRef, Severity

if TYPE_CHECKING:
    from trainergen_controller.client import Object

API = "trainer.kubeflow.org/v1alpha1"
BAD = Finding("TG300", "a-rule", Severity.ERROR, Layer.LINT, "is wrong")


class Reports(StoredClient):
    """Knows that what is not there cannot be deleted."""

    def delete(self, kind: ApiKind, name: str, namespace: str = "", **options: Any) -> None:
        self.get(kind, name, namespace)
        super().delete(kind, name, namespace, **options)


class Around:
    """A cache of TrainJobs and no more."""

    def __init__(self) -> None:
        self.stores = {kind: Store() for kind in (TRAIN_JOB, *RUNTIMES)}

    def get(self, kind: ApiKind, namespace: str, name: str) -> Object | None:
        return self.stores[kind].get(namespace, name)

    def near(self, job: Object) -> list[Object]:
        return []


class Told:
    """The mode with an auditor that finds the same fault in every TrainJob."""

    def __init__(self) -> None:
        self.client, self.around, self.metrics, clock = Reports(), Around(), Metrics(), TurnedClock()
        self.queued: list[Item] = []
        self.mode = AuditMode(
            self.around,  # type: ignore[arg-type]
            self.client,  # type: ignore[arg-type]
            Recorder(self.client, clock, "c", "i"),  # type: ignore[arg-type]
            self,  # type: ignore[arg-type]
            clock,
            self.metrics,
            lambda item, after: self.queued.append(item),
        )
        self.during = lambda: None
        list(self.mode.all_items())

    def audit(self, found: Object, around: Any, *, now: Any) -> Audit:
        self.during()
        metadata = found["metadata"]
        return Audit(ObjectRef(API, "TrainJob", metadata["namespace"], metadata["name"]), findings=(BAD,))

    def job(self, namespace: str, *, there: bool = True) -> None:
        """A TrainJob comes or goes, and its pass is made."""
        store, key = self.around.stores[TRAIN_JOB], Key(namespace, "job")
        if there:
            store.put({**thing("job", 1, namespace=namespace), "apiVersion": API, "kind": "TrainJob"})
        else:
            store.remove(key)
        self.mode.pass_over(Item(TRAIN_JOB, key))

    def report(self, namespace: str) -> str:
        return self.mode.pass_over(Item(NAMESPACE, Key("", namespace))).error

    def reported(self) -> list[str]:
        return [namespace for kind, namespace, _ in self.client.objects if kind == POLICY_REPORT.kind]


def test_a_report_that_went_with_its_namespace_does_not_end_all_reports() -> None:
    told = Told()
    told.job("going")
    told.report("going")
    told.client.objects.clear()
    told.job("going", there=False)
    assert told.report("going") == ""
    told.job("other")
    told.report("other")
    assert told.reported() == ["other"]


def test_a_report_that_could_not_be_deleted_is_deleted_later() -> None:
    told = Told()
    told.job("a")
    told.report("a")
    told.job("a", there=False)
    told.client.failing = UnavailableError("away")
    assert "away" in told.report("a")
    told.client.failing = None
    assert told.report("a") == ""
    assert told.reported() == []


def test_where_there_are_no_reports_none_is_tried_again() -> None:
    told = Told()
    told.client.failing = NotFoundError(404, "NotFound", "the server could not find the requested resource")
    told.job("a")
    assert told.report("a") == ""
    told.client.failing = UnavailableError("not to be asked")
    told.job("a", there=False)
    assert told.report("a") == ""


def test_a_pass_that_may_not_write_any_more_is_made_again_with_all_that_follows() -> None:
    told = Told()
    told.client.failing = NotLeadingError()
    try:
        told.job("a")
    except NotLeadingError:
        told.client.failing = None
    told.job("a")
    assert told.queued == [Item(NAMESPACE, Key("", "a"))]


def test_what_a_pass_leaves_after_the_end_of_a_reign_hides_nothing_in_the_next() -> None:
    told = Told()
    told.during = told.mode.retire
    told.job("a")
    told.during = lambda: None
    told.queued.clear()
    list(told.mode.all_items())
    told.job("a")
    assert told.queued == [Item(NAMESPACE, Key("", "a"))]


def test_the_numbers_of_a_namespace_without_objects_are_gone() -> None:
    told = Told()
    told.job("a")
    told.report("a")
    assert 'trainergen_drifted_jobsets{namespace="a"} 0.0' in told.metrics.text().decode()
    told.job("a", there=False)
    told.report("a")
    assert 'namespace="a"' not in told.metrics.text().decode()
