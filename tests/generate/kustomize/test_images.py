"""Entries of ``images:`` change what they are to change and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trainergen.generate.images import image_name
from trainergen.generate.kustomize.images import Entry, change, entries, places

DIGESTS = [f"sha256:{character * 64}" for character in "ab"]
IMAGES = st.builds(
    lambda name, rest: name + rest,
    st.sampled_from(["torch", "docker.io/torch", "r.example.com:5000/team/torch", "other"]),
    st.sampled_from(["", ":1", ":2", *(f"@{digest}" for digest in DIGESTS), f":1@{DIGESTS[0]}"]),
)


@given(st.lists(st.tuples(IMAGES, IMAGES), max_size=6), st.lists(IMAGES, max_size=4))
def test_entries_are_right_wherever_they_reach(pairs: list[tuple[str, str]], fixed: list[str]) -> None:
    known = entries(pairs, fixed)
    assert all(change(known, image) == image for image in fixed)
    for old, new in pairs:
        # Either an entry brings it about, or the patch does and no entry spoils it.
        by_entry = image_name(old).name in known
        assert change(known, old) == new if by_entry else change(known, new) == new


def test_a_registry_changes_by_one_entry_for_each_name() -> None:
    pairs = [("torch:1", "r.dev/torch:1"), ("torch:2", "r.dev/torch:2"), ("jax:1", "r.dev/jax:1")]
    assert entries(pairs, []) == {"jax": Entry("jax", "r.dev/jax"), "torch": Entry("torch", "r.dev/torch")}


def test_tags_and_digests_replace_each_other() -> None:
    digest = DIGESTS[0]
    assert entries([("torch:1", "torch:2")], []) == {"torch": Entry("torch", new_tag="2")}
    assert entries([("torch:1", f"torch@{digest}")], []) == {"torch": Entry("torch", digest=digest)}
    assert entries([(f"torch@{digest}", "torch:2")], []) == {"torch": Entry("torch", new_tag="2")}


def test_there_is_no_entry_where_it_would_change_another_image() -> None:
    assert entries([("torch:1", "torch:2")], ["torch:1"]) == {}
    assert entries([("torch:1", "torch:2"), ("torch:3", "torch:3")], []) == {}


def test_images_are_found_where_kustomize_looks() -> None:
    obj = {
        "kind": "TrainJob",
        "spec": {
            "trainer": {"image": "a", "env": [{"name": "CACHE_IMAGE", "value": "b"}]},
            "deep": [{"initContainers": [{"image": "c"}], "containers": [{"name": "no image"}]}],
        },
    }
    assert places(obj) == {  # type: ignore[arg-type]
        ("spec", "trainer", "image"): "a",
        ("spec", "deep", 0, "initContainers", 0, "image"): "c",
    }
    assert places({"kind": "Other", "spec": {"trainer": {"image": "a"}}}) == {}
