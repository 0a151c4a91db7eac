"""The reflector: through ends, cuts, forgotten versions and nonsense the store stays equal to the server."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from trainergen_controller.cache import Change, Reflector, Store
from trainergen_controller.client import Page, WatchEvent
from trainergen_controller.errors import GoneError, NotFoundError, TooManyRequestsError, UnavailableError, error_of
from trainergen_controller.kinds import CONFIG_MAP

from tests.controller.clocks import TurnedClock
from tests.controller.scripted import ScriptedWatches, bookmark, thing

GONE = GoneError(410, "Expired", "too old resource version")
CUT = UnavailableError("connection reset")


@dataclass
class Run:
    """One reflector run to the end of a script."""

    answers: list[Any]
    optional: bool = False
    changes: list[Change] = field(default_factory=list)
    store: Store = field(default_factory=Store)
    clock: TurnedClock = field(default_factory=TurnedClock)

    def __post_init__(self) -> None:
        stop = threading.Event()
        self.client = ScriptedWatches(stop, *self.answers)
        self.reflector = Reflector(
            self.client,  # type: ignore[arg-type]
            CONFIG_MAP,
            self.store,
            self.changes.append,
            optional=self.optional,
            clock=self.clock,
        )
        self.reflector.run(stop)

    @property
    def names(self) -> list[str]:
        return sorted(name for _, name in self.store.all_keys())

    @property
    def told(self) -> list[tuple[str, str]]:
        return [
            (change.key.name, "gone" if change.new is None else "new" if change.old is None else "changed")
            for change in self.changes
        ]


def test_a_list_is_read_page_by_page_before_the_watch_begins() -> None:
    run = Run([Page([thing("a", 1)], "5", "next"), Page([thing("b", 2)], "5"), [thing_added("c", 6)]])
    assert run.client.asked[:3] == [("list", ""), ("list", "next"), ("watch", "5")]
    assert run.told == [("a", "new"), ("b", "new"), ("c", "new")]


def test_a_watch_that_ends_is_taken_up_at_the_last_version_seen() -> None:
    run = Run([Page([], "5"), [thing_added("a", 6)], [WatchEvent("MODIFIED", thing("a", 7))]])
    assert run.client.asked[1:4] == [("watch", "5"), ("watch", "6"), ("watch", "7")]
    assert run.told == [("a", "new"), ("a", "changed")]


def test_a_bookmark_moves_the_version_on() -> None:
    run = Run([Page([], "5"), [bookmark(90)], []])
    assert run.client.asked[2] == ("watch", "90")


def test_a_watch_that_is_cut_is_taken_up_without_a_new_list() -> None:
    run = Run([Page([], "5"), [thing_added("a", 6), CUT], [thing_added("b", 7)]])
    assert run.client.asked[:3] == [("list", ""), ("watch", "5"), ("watch", "6")]
    assert run.reflector.lists == 1
    assert run.names == ["a", "b"]


def test_a_forgotten_version_leads_to_a_list_whose_differences_are_told() -> None:
    run = Run(
        [
            Page([thing("a", 1), thing("b", 2)], "5"),
            [GONE],
            Page([thing("b", 8), thing("c", 9)], "10"),
        ]
    )
    assert run.told == [("a", "new"), ("b", "new"), ("b", "changed"), ("c", "new"), ("a", "gone")]


def test_a_watch_that_is_refused_as_too_old_at_once_leads_to_a_list() -> None:
    run = Run([Page([], "5"), GONE, Page([thing("a", 6)], "7")])
    assert run.names == ["a"]


def test_a_list_whose_token_expires_is_begun_anew() -> None:
    run = Run([Page([thing("a", 1)], "5", "next"), GONE, Page([thing("b", 6)], "7")])
    assert run.names == ["b"]
    assert run.told == [("a", "new"), ("b", "new"), ("a", "gone")]


def test_a_list_is_never_held_as_a_whole() -> None:
    """Each page is in the store before the next one is asked for."""
    seen: list[int] = []
    store = Store()

    class Pages:
        def list(self, *_: Any, continue_token: str = "", **__: Any) -> Page:
            number = int(continue_token or "0")
            seen.append(len(store))
            return Page([thing(f"a-{number}", number + 1)], "9", str(number + 1) if number < 3 else "")

        def watch(self, *_: Any, **__: Any) -> Any:
            stop.set()
            return iter(())

    stop = threading.Event()
    Reflector(Pages(), CONFIG_MAP, store, lambda change: None, clock=TurnedClock()).run(stop)  # type: ignore[arg-type]
    assert seen == [0, 1, 2, 3]
    assert len(store) == 4


def test_a_busy_server_is_left_alone_as_long_as_it_asks() -> None:
    busy = TooManyRequestsError(429, "TooManyRequests", "busy", retry_after=17.0)
    run = Run([busy, Page([thing("a", 1)], "5")])
    assert run.clock.slept[0] >= 17.0
    assert run.names == ["a"]


def test_failures_wait_longer_each_time_and_success_forgets_them() -> None:
    broken = error_of(500, "InternalError", "etcd is away")
    run = Run([broken, CUT, broken, broken, Page([], "5"), CUT, [thing_added("a", 6)]])
    first, *_, fourth, after = run.clock.slept[:5]
    assert fourth > 4 * first
    assert after < 2.0


def test_a_watch_that_ends_at_once_each_time_does_not_spin() -> None:
    run = Run([Page([], "5"), [], [], [], []])
    assert sum(run.clock.slept) > 5.0


def test_an_event_that_is_no_object_leads_to_a_new_list_and_not_to_the_end() -> None:
    run = Run([Page([], "5"), [WatchEvent("ADDED", {"nonsense": True})], Page([thing("a", 6)], "7")])
    assert run.names == ["a"]


def test_a_late_deletion_of_a_predecessor_does_not_take_its_successor_out() -> None:
    run = Run([Page([thing("a", 9, uid="second")], "9"), [WatchEvent("DELETED", thing("a", 8, uid="first"))]])
    assert run.names == ["a"]


def test_a_kind_that_is_not_served_has_no_objects_until_it_is() -> None:
    absent = NotFoundError(404, "NotFound", "the server could not find the requested resource")
    run = Run([absent, absent, Page([thing("a", 1)], "5")], optional=True)
    assert run.reflector.synced.is_set()
    assert run.names == ["a"]


def test_a_kind_that_must_be_served_is_not_synced_while_it_is_not() -> None:
    absent = NotFoundError(404, "NotFound", "the server could not find the requested resource")
    stop = threading.Event()

    class Never(TurnedClock):
        def sleep(self, stop: threading.Event, seconds: float) -> bool:
            stop.set()
            return True

    client = ScriptedWatches(stop, absent)
    reflector = Reflector(client, CONFIG_MAP, Store(), lambda change: None, clock=Never())  # type: ignore[arg-type]
    reflector.run(stop)
    assert not reflector.synced.is_set()
    assert "could not find" in reflector.trouble


def thing_added(name: str, version: int) -> WatchEvent:
    return WatchEvent("ADDED", thing(name, version))
