"""The store: what is newer wins, what we wrote is read at once, and indexes say what lies where."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from trainergen_controller.cache import Key, Store

from tests.controller.scripted import thing

KEY = Key("team-a", "one")


def colour(found: dict[str, Any]) -> list[str]:
    return [found["colour"]] if "colour" in found else []


def test_an_object_is_given_as_it_was_put_and_may_be_changed_by_its_reader() -> None:
    store = Store()
    store.put(thing("one", 1, data={"a": "ä"}))
    found = store.get("team-a", "one")
    assert found is not None
    found["data"]["a"] = "changed"
    assert store.get("team-a", "one") == thing("one", 1, data={"a": "ä"})


def test_an_older_version_does_not_replace_a_newer_one() -> None:
    store = Store()
    store.put(thing("one", 10, data="new"))
    assert store.put(thing("one", 9, data="old")) is None
    assert store.get("team-a", "one") == thing("one", 10, data="new")


def test_versions_compare_as_numbers_and_not_as_text() -> None:
    store = Store()
    store.put(thing("one", 9))
    assert store.put(thing("one", 10)) is not None


def test_an_object_created_anew_replaces_its_namesake_whatever_the_versions_say() -> None:
    store = Store()
    store.put(thing("one", 10, uid="first"))
    change = store.put(thing("one", 9, uid="second"))
    assert change is not None
    assert change.new is not None
    assert change.new["metadata"]["uid"] == "second"


def test_the_deletion_of_a_predecessor_leaves_its_successor() -> None:
    store = Store()
    store.put(thing("one", 10, uid="second"))
    assert store.remove(KEY, "first") is None
    assert store.get("team-a", "one") is not None


def test_a_list_takes_out_what_it_lacks_and_tells_of_every_difference() -> None:
    store = Store()
    for name in ("one", "two", "three"):
        store.put(thing(name, 1))
    changes = store.replace([thing("one", 1), thing("two", 5), thing("four", 6)], "7")
    assert [(change.key.name, change.old is None, change.new is None) for change in changes] == [
        ("two", False, False),
        ("four", True, False),
        ("three", False, True),
    ]


def test_a_list_is_true_even_if_its_versions_are_lower_as_after_a_restore() -> None:
    store = Store()
    store.put(thing("one", 500, data="before the restore"))
    store.replace([thing("one", 3, data="restored")], "4")
    assert store.get("team-a", "one") == thing("one", 3, data="restored")


def test_what_we_wrote_after_a_list_was_made_stays() -> None:
    store = Store()
    store.put(thing("one", 10, data="ours"), own=True)
    store.put(thing("new", 11), own=True)
    assert store.replace([thing("one", 5, data="older")], "9") == []
    assert store.get("team-a", "one") == thing("one", 10, data="ours")
    assert store.get("team-a", "new") is not None


def test_what_we_wrote_before_a_list_and_is_not_in_it_is_gone() -> None:
    store = Store()
    store.put(thing("one", 10), own=True)
    (change,) = store.replace([], "12")
    assert (change.key, change.old, change.new) == (KEY, thing("one", 10), None)


def test_what_we_wrote_and_saw_in_a_watch_is_the_servers_again() -> None:
    store = Store()
    store.put(thing("one", 10), own=True)
    store.put(thing("one", 10))
    store.replace([], "9")
    assert len(store) == 0


def test_indexes_follow_changes_and_deletions() -> None:
    store = Store({"colour": colour})
    store.put(thing("one", 1, colour="red"))
    store.put(thing("two", 1, colour="red"))
    assert [key.name for key in store.keys_by("colour", "red")] == ["one", "two"]
    store.put(thing("one", 2, colour="blue"))
    store.remove(Key("team-a", "two"))
    assert store.by("colour", "red") == []
    assert [found["metadata"]["name"] for found in store.by("colour", "blue")] == ["one"]


def test_a_shape_drops_fields_and_whole_objects() -> None:
    def shape(found: dict[str, Any]) -> dict[str, Any] | None:
        return None if "secret" in found else {key: value for key, value in found.items() if key != "data"}

    store = Store(shape=shape)
    store.put(thing("one", 1, data="heavy"))
    assert store.get("team-a", "one") == thing("one", 1)
    change = store.put(thing("one", 2, secret=True))
    assert change is not None
    assert change.new is None
    assert len(store) == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 20), st.sampled_from(["red", "blue", ""]))))
def test_the_index_is_what_a_walk_over_the_objects_finds(puts: list[tuple[str, int, str]]) -> None:
    store = Store({"colour": colour})
    for name, version, shade in puts:
        store.put(thing(name, version, **({"colour": shade} if shade else {})))
    for shade in ("red", "blue"):
        walked = sorted(found["metadata"]["name"] for found in store.objects() if found.get("colour") == shade)
        assert [key.name for key in store.keys_by("colour", shade)] == walked


def test_the_answer_to_a_write_of_ours_does_not_bring_back_what_was_deleted_since() -> None:
    store = Store()
    store.put(thing("one", 10, uid="first"))
    store.remove(KEY, "first")
    assert store.put(thing("one", 9, uid="first"), own=True) is None
    assert store.get("team-a", "one") is None
    assert store.put(thing("one", 12, uid="second"), own=True) is not None


def test_the_answer_to_a_write_of_ours_that_a_newer_list_lacks_is_passed_over() -> None:
    store = Store()
    store.replace([], "20")
    assert store.put(thing("one", 19), own=True) is None
    assert store.put(thing("one", 21), own=True) is not None


def test_what_was_here_and_went_is_remembered_until_another_comes() -> None:
    store = Store()
    assert not store.has_left("team-a", "one")
    store.put(thing("one", 10, uid="first"))
    assert not store.has_left("team-a", "one")
    store.replace([], "11")
    assert store.has_left("team-a", "one")
    store.put(thing("one", 12, uid="second"))
    assert not store.has_left("team-a", "one")


def test_no_more_is_remembered_than_ten_thousand() -> None:
    store = Store()
    for number in range(10_001):
        store.put(thing(f"job-{number}", 2 * number + 1, uid=str(number)))
        store.remove(Key("team-a", f"job-{number}"))
    assert [store.has_left("team-a", f"job-{number}") for number in (0, 1, 10_000)] == [False, True, True]


def test_a_change_tells_the_terms_of_before_and_after() -> None:
    store = Store({"colour": colour})
    store.put(thing("one", 1, colour="red"))
    change = store.put(thing("one", 2, colour="blue"))
    assert change is not None
    assert change.terms("colour") == {"red", "blue"}
    assert change.terms("owner") == set()


def test_what_we_wrote_stays_though_older_news_and_then_an_older_list_come_after_it() -> None:
    store = Store()
    store.put(thing("one", 8))
    store.put(thing("one", 10), own=True)
    store.put(thing("one", 9))
    assert store.replace([thing("one", 9)], "9") == []
    assert store.version("team-a", "one") == "10"
