"""Events: what is said is said once and then counted, and no failure to say it stops anything."""

from __future__ import annotations

from trainergen_controller import Occurrence
from trainergen_controller.errors import UnavailableError
from trainergen_controller.recorder import Recorder

from tests.controller.clocks import TurnedClock
from tests.controller.scripted import StoredClient, thing

FAILED = Occurrence("Warning", "TrainJobResourcesCreationFailed", "Reconciling", "no such runtime")


class Told:
    """A recorder with its server and clock."""

    def __init__(self, server: StoredClient | None = None) -> None:
        self.server = server or StoredClient()
        self.clock = TurnedClock()
        self.recorder = Recorder(self.server, self.clock, "trainergen-controller", "replica-1")  # type: ignore[arg-type]

    @property
    def events(self) -> list[dict]:  # type: ignore[type-arg]
        return list(self.server.objects.values())


def test_an_event_says_what_about_whom_and_who_says_it() -> None:
    told = Told()
    told.recorder.record(thing("job", 3), FAILED)
    (event,) = told.events
    assert event["regarding"] == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "namespace": "team-a",
        "name": "job",
        "uid": "uid-of-job",
        "resourceVersion": "3",
    }
    assert (event["type"], event["reason"], event["note"]) == ("Warning", FAILED.reason, "no such runtime")
    assert (event["reportingController"], event["reportingInstance"]) == ("trainergen-controller", "replica-1")
    assert event["eventTime"] == "2026-01-02T03:04:05.000000Z"


def test_a_repetition_is_counted_in_the_same_event_once_a_minute() -> None:
    told = Told()
    for _ in range(50):
        told.recorder.record(thing("job", 3), FAILED)
        told.clock.turn(10)
    (event,) = told.events
    assert event["series"]["count"] == 49
    assert len(told.server.writes) == 9


def test_another_note_is_another_event() -> None:
    told = Told()
    told.recorder.record(thing("job", 3), FAILED)
    told.recorder.record(thing("job", 3), Occurrence("Warning", FAILED.reason, "Reconciling", "something else"))
    told.recorder.record(thing("job", 3, uid="its successor"), FAILED)
    assert len(told.events) == 3


def test_a_restarted_controller_adds_to_the_series_of_its_predecessor() -> None:
    server = StoredClient()
    Told(server).recorder.record(thing("job", 3), FAILED)
    again = Told(server)
    again.recorder.record(thing("job", 3), FAILED)
    (event,) = again.events
    assert event["series"]["count"] == 2


def test_an_event_that_has_expired_is_said_anew() -> None:
    told = Told()
    told.recorder.record(thing("job", 3), FAILED)
    told.server.objects.clear()
    told.clock.turn(3700)
    told.recorder.record(thing("job", 3), FAILED)
    assert len(told.events) == 1


def test_a_server_that_takes_no_events_stops_nothing() -> None:
    told = Told()
    told.server.failing = UnavailableError("away")
    told.recorder.record(thing("job", 3), FAILED)
    assert told.events == []


def test_a_note_is_cut_to_what_the_api_takes() -> None:
    told = Told()
    told.recorder.record(thing("job", 3), Occurrence("Warning", "Reason", "Reconciling", "ä" * 2000))
    assert len(told.events[0]["note"].encode()) <= 1024
    assert told.events[0]["note"].endswith(" ...")


def test_an_object_outside_namespaces_has_its_events_in_default() -> None:
    told = Told()
    told.recorder.record(thing("runtime", 3, namespace=""), FAILED)
    assert told.events[0]["metadata"]["namespace"] == "default"
