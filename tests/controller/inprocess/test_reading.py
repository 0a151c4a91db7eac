"""Lists, pages, selectors, watches, bookmarks, and what is too old for them."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from trainergen_controller.errors import ApiError, GoneError
from trainergen_controller.inprocess.selectors import selector
from trainergen_controller.kinds import CONFIG_MAP, TRAIN_JOB

from tests.controller.inprocess.objects import NAMESPACE, config_map, server, train_job

Object = dict[str, Any]


def labelled(name: str, **labels: str) -> Object:
    body = config_map(name)
    body["metadata"]["labels"] = labels
    return body


def names(objects: list[Object]) -> list[str]:
    return [one["metadata"]["name"] for one in objects]


def test_all_pages_show_the_objects_as_they_were_at_the_first() -> None:
    client = server().client()
    for number in range(5):
        client.create(CONFIG_MAP, config_map(f"m{number}"))
    first = client.list(CONFIG_MAP, limit=2)
    client.delete(CONFIG_MAP, "m3", NAMESPACE)
    client.create(CONFIG_MAP, config_map("m21"))
    second = client.list(CONFIG_MAP, limit=2, continue_token=first.continue_token)
    third = client.list(CONFIG_MAP, limit=2, continue_token=second.continue_token)
    assert names(first.items + second.items + third.items) == ["m0", "m1", "m2", "m3", "m4"]
    assert (third.continue_token, second.resource_version) == ("", first.resource_version)
    assert names(client.list(CONFIG_MAP).items) == ["m0", "m1", "m2", "m21", "m4"]


def test_a_list_is_of_one_namespace_or_of_all() -> None:
    client = server().client()
    client.create(CONFIG_MAP, config_map("here"))
    client.create(CONFIG_MAP, {**config_map("there"), "metadata": {"name": "there", "namespace": "team-b"}})
    assert names(client.list(CONFIG_MAP, "team-b").items) == ["there"]
    assert names(client.list(CONFIG_MAP).items) == ["here", "there"]
    assert client.list(TRAIN_JOB).items == []


def test_what_is_forgotten_is_gone() -> None:
    cluster = server()
    client = cluster.client()
    client.create(CONFIG_MAP, config_map("a"))
    client.create(CONFIG_MAP, config_map("b"))
    page = client.list(CONFIG_MAP, limit=1)
    client.create(CONFIG_MAP, config_map("c"))
    cluster.compact()
    with pytest.raises(GoneError):
        client.list(CONFIG_MAP, limit=1, continue_token=page.continue_token)
    with pytest.raises(GoneError):
        client.watch(CONFIG_MAP, resource_version=page.resource_version)
    with pytest.raises(ApiError) as caught:
        client.list(CONFIG_MAP, continue_token="nonsense")
    assert caught.value.code == 400


def test_only_so_much_is_remembered() -> None:
    cluster = server(history=3)
    client = cluster.client()
    for number in range(6):
        client.create(CONFIG_MAP, config_map(f"m{number}"))
    with pytest.raises(GoneError):
        client.watch(CONFIG_MAP, resource_version="1")
    latest = client.list(CONFIG_MAP).resource_version
    assert [event.type for event in client.watch(CONFIG_MAP, resource_version=latest, timeout=0)] == ["BOOKMARK"]


@pytest.mark.parametrize(
    ("text", "matching"),
    [
        ("", ["a", "b", "c"]),
        ("x=1", ["a"]),
        ("x==1", ["a"]),
        ("x!=1", ["b", "c"]),
        ("x in (1, 2)", ["a", "b"]),
        ("x notin (1),x", ["b"]),
        ("!x", ["c"]),
        ("example.com/key", ["c"]),
        ("x,y=2", ["b"]),
    ],
)
def test_a_selector_chooses_by_labels(text: str, matching: list[str]) -> None:
    found = {"a": {"x": "1"}, "b": {"x": "2", "y": "2"}, "c": {"example.com/key": ""}}
    assert [name for name, labels in found.items() if selector(text)(labels)] == matching


@pytest.mark.parametrize("text", ["x=1=2", "x in 1", "a b", "=1"])
def test_what_is_no_selector_is_a_bad_request(text: str) -> None:
    with pytest.raises(ApiError) as caught:
        server().client().list(CONFIG_MAP, label_selector=text)
    assert caught.value.code == 400


def test_a_watch_tells_what_came_changed_and_went() -> None:
    client = server().client()
    start = client.list(CONFIG_MAP).resource_version
    client.create(CONFIG_MAP, config_map(a="1"))
    client.merge_patch(CONFIG_MAP, "map", NAMESPACE, {"data": {"a": "2"}})
    client.delete(CONFIG_MAP, "map", NAMESPACE)
    client.create(TRAIN_JOB, train_job())
    events = list(client.watch(CONFIG_MAP, resource_version=start, timeout=0))
    assert [event.type for event in events] == ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]
    versions = [int(event.object["metadata"]["resourceVersion"]) for event in events]
    assert versions == sorted(set(versions))


def test_a_watch_with_a_selector_sees_objects_come_and_go_by_their_labels() -> None:
    client = server().client()
    client.create(CONFIG_MAP, labelled("map", x="0"))
    start = client.list(CONFIG_MAP).resource_version
    for value in ("1", "1", "2"):
        client.merge_patch(CONFIG_MAP, "map", NAMESPACE, {"metadata": {"labels": {"x": value, f"n{value}": "1"}}})
        client.merge_patch(CONFIG_MAP, "map", NAMESPACE, {"data": {value: value}})
    events = client.watch(CONFIG_MAP, resource_version=start, label_selector="x=1", timeout=0)
    assert [event.type for event in events] == ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]


def test_a_watch_without_a_version_begins_with_all_there_is() -> None:
    client = server().client()
    client.create(CONFIG_MAP, config_map())
    assert [event.type for event in client.watch(CONFIG_MAP, resource_version="", timeout=0)] == ["ADDED", "BOOKMARK"]


def test_a_watch_waits_for_changes_and_bookmarks_while_there_are_none() -> None:
    cluster = server(bookmark_interval=0.05)
    client = cluster.client()
    events = client.watch(CONFIG_MAP, resource_version=client.list(CONFIG_MAP).resource_version, timeout=30)
    assert next(events).type == "BOOKMARK"
    writer = threading.Timer(0.1, lambda: client.create(CONFIG_MAP, config_map()))
    writer.start()
    assert next(event.object["metadata"]["name"] for event in events if event.type == "ADDED") == "map"
    cluster.cut_watches()
    assert [event for event in events if event.type != "BOOKMARK"] == []
    writer.join()
