"""Leases: one writer at a time, by clocks that need not agree, and none without proof."""

from __future__ import annotations

from typing import Any

import pytest
from trainergen_controller.errors import UnavailableError
from trainergen_controller.kinds import CONFIG_MAP
from trainergen_controller.lease import Election, Fence, FencedClient, Hold, NotLeadingError, Terms

from tests.controller.clocks import TurnedClock
from tests.controller.scripted import StoredClient

TERMS = Terms()


class Replica:
    """One process that wants to lead."""

    def __init__(self, server: StoredClient, identity: str, *names: str, clock: TurnedClock | None = None) -> None:
        self.clock = clock or TurnedClock()
        self.fence = Fence(self.clock)
        holds = [
            Hold(server, "ns", name, identity, TERMS, self.clock)  # type: ignore[arg-type]
            for name in names or ("ours",)
        ]
        self.told: list[str] = []
        self.election = Election(
            holds,
            self.fence,
            TERMS,
            self.clock,
            lambda: self.told.append("started"),
            lambda: self.told.append("stopped"),
        )


def test_the_first_replica_leads_and_the_second_waits() -> None:
    server, clock = StoredClient(), TurnedClock()
    first, second = Replica(server, "one", clock=clock), Replica(server, "two", clock=clock)
    assert first.election.step()
    assert not second.election.step()
    assert second.election.waiting_for == "lease ns/ours is held by 'one'"


def test_a_leader_that_renews_keeps_the_lease_for_ever() -> None:
    server, clock = StoredClient(), TurnedClock()
    first, second = Replica(server, "one", clock=clock), Replica(server, "two", clock=clock)
    for _ in range(100):
        assert first.election.step()
        assert not second.election.step()
        clock.turn(TERMS.retry_period)
    assert first.told == ["started"]


def test_a_leader_that_falls_silent_is_followed_after_the_duration() -> None:
    server, clock = StoredClient(), TurnedClock()
    first, second = Replica(server, "one", clock=clock), Replica(server, "two", clock=clock)
    first.election.step()
    second.election.step()
    clock.turn(TERMS.duration - 0.1)
    assert not second.election.step()
    clock.turn(0.2)
    assert second.election.step()
    assert server.objects["Lease", "ns", "ours"]["spec"]["leaseTransitions"] == 1


def test_a_silent_leader_may_not_write_long_before_it_is_followed() -> None:
    server, clock = StoredClient(), TurnedClock()
    first = Replica(server, "one", clock=clock)
    first.election.step()
    clock.turn(TERMS.renew_deadline - 0.1)
    assert first.fence.is_open
    clock.turn(0.2)
    assert not first.fence.is_open
    assert TERMS.renew_deadline + TERMS.write_timeout <= TERMS.duration


def test_wall_clocks_that_differ_by_hours_change_nothing() -> None:
    server = StoredClient()
    first, second = Replica(server, "one"), Replica(server, "two")
    second.clock.seconds = 90_000.0
    first.election.step()
    assert not second.election.step()
    second.clock.turn(TERMS.duration + 1)
    assert second.election.step()


def test_a_leader_without_answers_leads_until_its_deadline_and_then_stops() -> None:
    server = StoredClient()
    replica = Replica(server, "one")
    replica.election.step()
    server.failing = UnavailableError("no route")
    replica.clock.turn(5)
    assert replica.election.step()
    replica.clock.turn(6)
    assert not replica.election.step()
    assert replica.told == ["started", "stopped"]
    assert "no route" in replica.election.waiting_for
    server.failing = None
    assert replica.election.step()
    assert replica.told == ["started", "stopped", "started"]


def test_a_leader_whose_lease_was_taken_stops_at_once() -> None:
    server = StoredClient()
    replica = Replica(server, "one")
    replica.election.step()
    server.objects["Lease", "ns", "ours"]["spec"] |= {"holderIdentity": "thief", "renewTime": "now"}
    assert not replica.election.step()
    assert replica.told == ["started", "stopped"]


def test_a_write_without_the_lease_is_not_sent() -> None:
    server = StoredClient()
    replica = Replica(server, "one")
    client = FencedClient(server, replica.fence)  # type: ignore[arg-type]
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "ns"}}
    writes = [
        lambda: client.create(CONFIG_MAP, body, "ns"),
        lambda: client.update(CONFIG_MAP, body),
        lambda: client.apply(CONFIG_MAP, body, manager="trainer", force=True),
        lambda: client.merge_patch(CONFIG_MAP, "a", "ns", {}),
        lambda: client.delete(CONFIG_MAP, "a", "ns"),
    ]
    for write in writes:
        with pytest.raises(NotLeadingError):
            write()
    assert server.writes == []
    replica.election.step()
    client.create(CONFIG_MAP, body, "ns")
    assert server.writes == ["create", "create"]


def test_while_the_trainers_own_controller_holds_its_lease_nobody_leads() -> None:
    server, clock = StoredClient(), TurnedClock()
    trainer = Replica(server, "kubeflow-trainer-controller-manager-x", "trainer.kubeflow.org", clock=clock)
    ours = Replica(server, "one", "ours", "trainer.kubeflow.org", clock=clock)
    trainer.election.step()
    assert not ours.election.step()
    assert "kubeflow-trainer-controller-manager-x" in ours.election.waiting_for
    assert not ours.fence.is_open


def test_once_both_leases_are_held_the_trainers_controller_has_to_wait() -> None:
    server, clock = StoredClient(), TurnedClock()
    ours = Replica(server, "one", "ours", "trainer.kubeflow.org", clock=clock)
    assert ours.election.step()
    trainer = Replica(server, "kubeflow-trainer-controller-manager-x", "trainer.kubeflow.org", clock=clock)
    assert not trainer.election.step()


def test_a_resigning_leader_stops_writing_and_leaves_the_lease_to_others_at_once() -> None:
    server, clock = StoredClient(), TurnedClock()
    first, second = Replica(server, "one", clock=clock), Replica(server, "two", clock=clock)
    first.election.step()
    second.election.step()
    first.election.resign()
    assert not first.fence.is_open
    assert first.told == ["started", "stopped"]
    assert second.election.step()


def test_resigning_does_not_take_the_lease_from_its_next_holder() -> None:
    server, clock = StoredClient(), TurnedClock()
    first, second = Replica(server, "one", clock=clock), Replica(server, "two", clock=clock)
    first.election.step()
    second.election.step()
    clock.turn(TERMS.duration + 1)
    second.election.step()
    first.election.resign()
    assert server.objects["Lease", "ns", "ours"]["spec"]["holderIdentity"] == "two"


def test_a_shard_that_another_one_overtakes_at_the_common_lease_goes_on_leading() -> None:
    server, clock = StoredClient(), TurnedClock()
    one, other = (Hold(server, "ns", "common", "all", TERMS, clock, in_common=True) for _ in range(2))  # type: ignore[arg-type]
    assert one.try_hold()
    assert other.try_hold()
    overtaken(server, other)
    assert one.try_hold()
    assert one.renewed


def test_a_lease_that_was_taken_between_read_and_write_is_lost() -> None:
    server, clock = StoredClient(), TurnedClock()
    slow, quick = Replica(server, "slow", clock=clock), Replica(server, "quick", clock=clock)
    assert slow.election.step()
    assert not quick.election.step()
    clock.turn(TERMS.duration + 1)
    overtaken(server, quick.election.holds[0])
    assert not slow.election.step()
    assert slow.told == ["started", "stopped"]


def overtaken(server: StoredClient, by: Hold) -> None:
    """Lets somebody else renew or take the lease just before the next write."""
    update = server.update

    def late(*args: Any, **options: Any) -> Any:
        server.update = update  # type: ignore[method-assign]
        assert by.try_hold()
        return update(*args, **options)

    server.update = late  # type: ignore[assignment]
