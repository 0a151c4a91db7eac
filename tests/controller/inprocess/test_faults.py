"""Faults are played to the requests that they are meant for, as often as asked, and to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from trainergen_controller.errors import ConflictError, GoneError, TooManyRequestsError, UnavailableError
from trainergen_controller.inprocess import faults
from trainergen_controller.kinds import CONFIG_MAP, TRAIN_JOB

from tests.controller.inprocess.objects import NAMESPACE, config_map, server, train_job

if TYPE_CHECKING:
    from trainergen_controller.client import Client


def test_a_refusal_is_played_so_many_times_to_what_it_is_meant_for() -> None:
    cluster = server()
    client: Client = cluster.client()
    cluster.faults.plan(faults.Refuse(409), verb="create", plural="configmaps", times=2, skip=1)
    client.create(CONFIG_MAP, config_map("a"))
    client.create(TRAIN_JOB, train_job())
    for _ in range(2):
        with pytest.raises(ConflictError):
            client.create(CONFIG_MAP, config_map("b"))
    client.create(CONFIG_MAP, config_map("b"))
    assert [(verb, plural, name) for verb, plural, name, _ in cluster.faults.played] == [
        ("create", "configmaps", "b")
    ] * 2


def test_too_many_requests_say_how_long_to_wait() -> None:
    cluster = server()
    cluster.faults.plan(faults.Refuse(429, retry_after=7))
    with pytest.raises(TooManyRequestsError) as caught:
        cluster.client().list(CONFIG_MAP)
    assert (caught.value.retry_after, caught.value.reason) == (7, "TooManyRequests")


def test_a_lost_answer_leaves_open_whether_the_write_was_done() -> None:
    cluster = server()
    client = cluster.client()
    for after, there in ((False, 0), (True, 1)):
        cluster.faults.plan(faults.Drop(after=after), verb="create")
        with pytest.raises(UnavailableError):
            client.create(CONFIG_MAP, config_map())
        assert len(client.list(CONFIG_MAP).items) == there


def test_a_hung_or_garbled_answer_is_none() -> None:
    cluster = server()
    for fault in (faults.Hang(0.01), faults.Garble()):
        cluster.faults.plan(fault)
        with pytest.raises(UnavailableError):
            cluster.client().list(CONFIG_MAP)
    cluster.faults.plan(faults.Slow(0.01))
    assert cluster.client().list(CONFIG_MAP).items == []


def test_a_lying_server_answers_from_the_past() -> None:
    cluster = server()
    client = cluster.client()
    before = client.create(CONFIG_MAP, config_map(a="1"))
    client.merge_patch(CONFIG_MAP, "map", NAMESPACE, {"data": {"a": "2"}})
    cluster.faults.plan(faults.Stale(int(before["metadata"]["resourceVersion"])), times=2)
    assert client.get(CONFIG_MAP, "map", NAMESPACE) == before
    assert client.list(CONFIG_MAP).items == [before]
    assert client.get(CONFIG_MAP, "map", NAMESPACE)["data"] == {"a": "2"}


def test_a_watch_breaks_off_with_and_without_a_word() -> None:
    cluster = server()
    client = cluster.client()
    client.create(CONFIG_MAP, config_map("a"))
    client.create(CONFIG_MAP, config_map("b"))
    for expired, error in ((False, UnavailableError), (True, GoneError)):
        cluster.faults.plan(faults.CutWatch(after=1, expired=expired), verb="watch")
        events = client.watch(CONFIG_MAP, resource_version="")
        assert next(events).object["metadata"]["name"] == "a"
        with pytest.raises(error):
            next(events)


def test_a_client_may_be_spared_and_faults_be_taken_back() -> None:
    cluster = server()
    cluster.faults.plan(faults.Refuse(500), times=5)
    assert cluster.client(faulty=False).list(CONFIG_MAP).items == []
    cluster.faults.clear()
    assert cluster.client().list(CONFIG_MAP).items == []
