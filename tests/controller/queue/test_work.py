"""The work queue: each key once, never in two hands, not before its time."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st
from trainergen_controller.queue import Backoff, TokenBucket, WorkQueue

from tests.controller.clocks import TurnedClock


def queue() -> tuple[WorkQueue[str], TurnedClock]:
    clock = TurnedClock()
    return WorkQueue(clock=clock), clock


def drained(work: WorkQueue[str]) -> list[str]:
    out = []
    while (key := work.get(timeout=0)) is not None:
        out.append(key)
        work.done(key)
    return out


def test_keys_come_in_order_and_once() -> None:
    work, _ = queue()
    for key in ("a", "b", "a", "c", "b"):
        work.add(key)
    assert drained(work) == ["a", "b", "c"]


def test_a_key_that_is_worked_on_comes_back_after_its_worker_is_done() -> None:
    work, _ = queue()
    work.add("a")
    assert work.get(timeout=0) == "a"
    work.add("a")
    assert work.get(timeout=0) is None
    work.done("a")
    assert work.get(timeout=0) == "a"


def test_a_delayed_key_comes_when_it_is_due() -> None:
    work, clock = queue()
    work.add_after("later", 5)
    assert work.get(timeout=4) is None
    assert work.delayed() == 1
    assert work.get(timeout=10) == "later"
    assert clock.seconds == 1005


def test_the_earliest_of_several_times_counts() -> None:
    work, clock = queue()
    work.add_after("a", 50)
    work.add_after("a", 5)
    work.add_after("a", 20)
    assert work.get(timeout=100) == "a"
    assert clock.seconds == 1005
    work.done("a")
    assert work.get(timeout=100) is None


def test_a_key_added_at_once_need_not_come_again_at_its_time() -> None:
    work, _ = queue()
    work.add_after("a", 5)
    work.add("a")
    assert drained(work) == ["a"]
    assert work.delayed() == 0


def test_failures_double_the_delay_of_their_key_alone() -> None:
    work, _ = queue()
    assert [work.add_failed("a") for _ in range(4)] == [0.005, 0.01, 0.02, 0.04]
    assert work.add_failed("b") == 0.005
    work.forget("a")
    assert work.add_failed("a") == 0.005


def test_the_delay_has_an_end() -> None:
    work, _ = queue()
    assert [work.add_failed("a") for _ in range(80)][-1] == 1000.0


def test_a_server_that_asks_for_more_time_gets_it() -> None:
    work, _ = queue()
    assert work.add_failed("a", at_least=30.0) == 30.0


def test_a_closed_queue_gives_nothing_and_takes_nothing() -> None:
    work, _ = queue()
    work.add("a")
    work.close()
    work.add("b")
    assert work.get() is None


def test_closing_wakes_a_worker_that_waits_for_ever() -> None:
    work: WorkQueue[str] = WorkQueue()
    got: list[str | None] = []
    worker = threading.Thread(target=lambda: got.append(work.get()))
    worker.start()
    work.close()
    worker.join(10)
    assert got == [None]


def test_many_workers_never_hold_the_same_key_at_once() -> None:
    work: WorkQueue[int] = WorkQueue()
    held: set[int] = set()
    guard, broken, passes = threading.Lock(), [], [0]

    def labour() -> None:
        while (key := work.get(timeout=0.2)) is not None:
            with guard:
                if key in held:
                    broken.append(key)
                held.add(key)
                passes[0] += 1
                again = passes[0] < 400
            if again:
                work.add(key)
            with guard:
                held.discard(key)
            work.done(key)

    for key in range(5):
        work.add(key)
    workers = [threading.Thread(target=labour) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert not broken
    assert passes[0] >= 400


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 9))))
def test_every_key_that_was_added_is_worked_on(adds: list[tuple[str, int]]) -> None:
    work, clock = queue()
    for key, seconds in adds:
        work.add_after(key, seconds)
    clock.turn(10)
    assert sorted(drained(work)) == sorted({key for key, _ in adds})


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    clock = TurnedClock()
    bucket = TokenBucket(rate=2.0, burst=3, clock=clock)
    assert [bucket.reserve() for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 1.0]
    clock.turn(100)
    assert [bucket.reserve() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_a_bucket_without_rate_never_waits() -> None:
    bucket = TokenBucket(rate=0.0, burst=1, clock=TurnedClock())
    assert [bucket.reserve() for _ in range(3)] == [0.0, 0.0, 0.0]


def test_a_backoff_doubles_up_to_its_end_and_begins_anew() -> None:
    backoff = Backoff(1.0, 8.0, jitter=0.0)
    assert [backoff.next() for _ in range(5)] == [1.0, 2.0, 4.0, 8.0, 8.0]
    backoff.reset()
    assert backoff.next() == 1.0


def test_times_that_count_no_more_are_not_kept() -> None:
    """As for a job with a deadline in days that is passed over again and again."""
    work, clock = queue()
    work.add_after("near", 50_000)
    for _ in range(1000):
        work.add("far")
        assert work.get(timeout=0) == "far"
        work.done("far")
        clock.turn(1)
        work.add_after("far", 90_000)
    assert len(work._heap) < 200
    assert work.get(timeout=60_000) == "near"
    assert work.get(timeout=60_000) == "far"


def test_a_queue_that_is_cleared_keeps_nothing_but_what_is_being_worked_on() -> None:
    work, _ = queue()
    for key in ("a", "b"):
        work.add(key)
    work.add_after("c", 5)
    assert work.get(timeout=0) == "a"
    work.add("a")
    work.clear()
    assert (len(work), work.delayed(), work.get(timeout=100)) == (0, 0, None)
    work.done("a")
    assert work.get(timeout=0) == "a"
