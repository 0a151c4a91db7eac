"""Strategic merge, against what the real implementation answers and by its laws."""

from __future__ import annotations

import copy
import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.api.merge import MergeError, strategic_merge
from trainergen.api.structural import load

SCHEMAS = load("2.3")
POD_TEMPLATE = {"$ref": "core.v1.PodTemplateSpec"}
POD = {"$ref": "core.v1.PodSpec"}
RECORDED = json.loads(lzma.decompress((Path(__file__).parents[1] / "oracle" / "merges.json.xz").read_bytes()))
"""Pod templates: the original, the patch, and the merge or null where it fails (apimachinery v0.36.2)."""


def merge(original, patch, node=POD):
    """The merge, which changes neither side."""
    before = copy.deepcopy((original, patch))
    merged = strategic_merge(original, patch, node, SCHEMAS)
    assert (original, patch) == before
    return merged


def test_recorded_merges_give_the_recorded_result():
    """Random Pod templates with directives among the keys of their maps."""
    for original, patch, wanted in RECORDED:
        if wanted is None:
            with pytest.raises(MergeError):
                merge(original, patch, POD_TEMPLATE)
        else:
            assert merge(original, patch, POD_TEMPLATE) == wanted


def containers(names: str):
    """Containers of those names."""
    return {"containers": [{"name": name} for name in names.split()]}


ORDERS = {
    "an item that keeps its place": ("A B C", "C", "A B C"),
    "a new item comes first": ("A B C", "D", "D A B C"),
    "a new item follows the one it follows in the patch": ("A B C", "B D", "A B D C"),
    "a new item before a known one comes first": ("A B C", "D B", "D A B C"),
    "the order of the patch wins": ("A B C", "C A", "B C A"),
    "new items keep the order of the patch": ("A", "C B", "C B A"),
    "an empty patch changes nothing": ("A B", "", "A B"),
    "an empty original takes the patch": ("", "B A", "B A"),
}


@pytest.mark.parametrize(("original", "patch", "merged"), ORDERS.values(), ids=ORDERS)
def test_the_order_of_a_list_merged_by_key(original, patch, merged):
    """Items only the original has come before a patch item that they preceded, else after."""
    assert merge(containers(original), containers(patch)) == containers(merged)


ENV = {"containers": [{"name": "n", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "1"}]}]}
FIELDS = {
    "maps merge by key": (
        {"nodeSelector": {"a": "1", "b": "1"}},
        {"nodeSelector": {"b": "2"}},
        {"nodeSelector": {"a": "1", "b": "2"}},
    ),
    "atomic lists are replaced": (
        {"tolerations": [{"key": "a"}]},
        {"tolerations": [{"key": "b"}]},
        {"tolerations": [{"key": "b"}]},
    ),
    "even by an empty one": ({"tolerations": [{"key": "a"}]}, {"tolerations": []}, {"tolerations": []}),
    "scalars are replaced": ({"hostNetwork": False}, {"hostNetwork": True}, {"hostNetwork": True}),
    "null deletes": ({"hostNetwork": False, "nodeName": "a"}, {"nodeName": None}, {"hostNetwork": False}),
    "a null for nothing leaves nothing": ({}, {"nodeName": None, "affinity": {"nodeAffinity": None}}, {"affinity": {}}),
    "a value of another type replaces": ({"nodeSelector": {"a": "1"}}, {"nodeSelector": "x"}, {"nodeSelector": "x"}),
    "env merges by name inside a container merged by name": (
        ENV,
        {"containers": [{"name": "n", "env": [{"name": "B", "valueFrom": {}}]}]},
        {
            "containers": [
                {"name": "n", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "1", "valueFrom": {}}]}
            ]
        },
    ),
    "mounts merge by path": (
        {"containers": [{"name": "n", "volumeMounts": [{"name": "v", "mountPath": "/a"}]}]},
        {"containers": [{"name": "n", "volumeMounts": [{"name": "w", "mountPath": "/a"}]}]},
        {"containers": [{"name": "n", "volumeMounts": [{"name": "w", "mountPath": "/a"}]}]},
    ),
    "a volume of the same name keeps both sources": (
        {"volumes": [{"name": "v", "emptyDir": {}}]},
        {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]},
        {"volumes": [{"name": "v", "emptyDir": {}, "persistentVolumeClaim": {"claimName": "c"}}]},
    ),
    "$patch replace takes the rest of the map alone": (
        {"nodeSelector": {"a": "1"}},
        {"nodeSelector": {"$patch": "replace", "b": "2"}},
        {"nodeSelector": {"b": "2"}},
    ),
    "$patch delete empties the map": (
        {"nodeSelector": {"a": "1"}},
        {"nodeSelector": {"$patch": "delete"}},
        {"nodeSelector": {}},
    ),
    "a directive for nothing leaves nothing": ({}, {"nodeSelector": {"$patch": "delete", "b": "2"}}, {}),
    "nor does one in a new list": (
        {},
        {"volumes": [{"name": "v"}, {"name": "w", "$patch": "delete"}]},
        {"volumes": [{"name": "v"}]},
    ),
    "an item can be deleted": (containers("A B"), {"containers": [{"name": "A", "$patch": "delete"}]}, containers("B")),
    "a list can be replaced": (
        containers("A B"),
        {"containers": [{"name": "C"}, {"$patch": "replace"}]},
        containers("C"),
    ),
    "$retainKeys drops what it does not list": (
        {"nodeSelector": {"a": "1", "b": "1"}},
        {"nodeSelector": {"$retainKeys": ["b", "c"], "c": "2"}},
        {"nodeSelector": {"b": "1", "c": "2"}},
    ),
    "$deleteFromPrimitiveList removes from a list of scalars": (
        {"containers": [{"name": "n", "args": ["a", "b"]}]},
        {"containers": [{"name": "n", "$deleteFromPrimitiveList/args": ["a"]}]},
        {"containers": [{"name": "n", "args": ["b"]}]},
    ),
}


@pytest.mark.parametrize(("original", "patch", "merged"), FIELDS.values(), ids=FIELDS)
def test_the_merge_of_a_pod_spec(original, patch, merged):
    """Field by field."""
    assert merge(original, patch) == merged


def test_a_list_of_scalars_that_merges_becomes_the_union():
    """Finalizers are the only one in a Pod template."""
    original, patch = {"metadata": {"finalizers": ["a", "b", "a"]}}, {"metadata": {"finalizers": ["c", "b"]}}
    assert merge(original, patch, POD_TEMPLATE) == {"metadata": {"finalizers": ["c", "a", "b"]}}


@pytest.mark.parametrize(
    ("original", "patch"),
    [
        ({"nodeSelector": {"a": "1"}}, {"nodeSelector": {"$patch": "merge"}}),
        ({"nodeSelector": {"a": "1"}}, {"nodeSelector": {"$retainKeys": "a"}}),
        ({"nodeSelector": {"a": "1"}}, {"nodeSelector": {"$retainKeys": ["a"], "b": "2"}}),
        ({"nodeSelector": {"a": "1"}}, {"nodeSelector": {"$setElementOrder/a": "a"}}),
        (containers("A"), {"containers": [{"name": "A", "$patch": "merge"}]}),
        (containers("A"), {"containers": [{"$patch": "delete"}]}),
        (containers("A"), {"containers": [{"image": "x"}]}),
        (containers("A"), {"containers": ["A"]}),
        ({"containers": [{"image": "x"}]}, containers("A")),
        ({"containers": [["A"]]}, {"containers": [["A"]]}),
        (containers("A"), {"containers": [{"name": ["A"]}]}),
    ],
)
def test_what_cannot_be_merged_is_an_error(original, patch):
    """An unknown directive, or an item that cannot be told from the others."""
    with pytest.raises(MergeError):
        merge(original, patch)


def test_a_list_of_objects_that_merges_by_no_key_is_an_error():
    """No schema has one; it would be a fault of the schema."""
    node = {"properties": {"x": {"type": "array", "x-kubernetes-patch-strategy": "merge"}}}
    with pytest.raises(MergeError, match="merge key"):
        merge({"x": [{"a": 1}]}, {"x": [{"b": 2}]}, node)


NAMES = st.lists(st.sampled_from("ABCDE"), unique=True, max_size=5)
SELECTORS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from("12"), max_size=4)
ENVIRONMENTS = st.dictionaries(st.sampled_from("ABCDE"), st.sampled_from("12"), max_size=5)
CONTAINERS = st.dictionaries(
    st.sampled_from("klmn"),
    st.fixed_dictionaries(
        {},
        optional={
            "image": st.sampled_from("xy"),
            "env": ENVIRONMENTS.map(lambda env: [{"name": name, "value": value} for name, value in env.items()]),
        },
    ),
).map(lambda found: [{"name": name, **container} for name, container in found.items()])
PODS = st.fixed_dictionaries(
    {},
    optional={
        "containers": CONTAINERS,
        "nodeSelector": SELECTORS,
        "tolerations": NAMES.map(lambda keys: [{"key": key} for key in keys]),
        "serviceAccountName": st.sampled_from("st"),
    },
)


@given(PODS)
def test_an_empty_patch_changes_nothing(pod):
    """Identity."""
    assert merge(pod, {}) == pod


@given(PODS)
def test_an_empty_original_takes_the_patch(pod):
    """There is nothing to keep."""
    assert merge({}, pod) == pod


@given(PODS, PODS)
def test_merging_a_patch_twice_is_merging_it_once(original, patch):
    """Idempotence."""
    merged = merge(original, patch)
    assert merge(merged, patch) == merged


@given(PODS, PODS)
def test_maps_become_the_union_in_which_the_patch_wins(original, patch):
    """And lists merged by key hold the items of both sides, once."""
    merged = merge(original, patch)
    assert merged.get("nodeSelector", {}) == {**original.get("nodeSelector", {}), **patch.get("nodeSelector", {})}
    names = [container["name"] for container in merged.get("containers", [])]
    both = [*original.get("containers", []), *patch.get("containers", [])]
    assert sorted(names) == sorted({container["name"] for container in both})


@given(NAMES, NAMES)
def test_both_sides_of_a_list_merged_by_key_keep_their_order(original, patch):
    """The patch's items as in the patch, the others as in the original."""
    merged = merge(containers(" ".join(original)), containers(" ".join(patch)))
    names = [container["name"] for container in merged["containers"]]
    assert [name for name in names if name in patch] == patch
    assert [name for name in names if name not in patch] == [name for name in original if name not in patch]


@given(NAMES, NAMES)
def test_an_untouched_item_precedes_a_patched_one_only_if_it_did_before(original, patch):
    """So new items come out ahead of what remains."""
    merged = merge(containers(" ".join(original)), containers(" ".join(patch)))
    names = [container["name"] for container in merged["containers"]]
    for at, name in enumerate(names):
        following = next((later for later in names[at:] if later in patch), name)
        if following != name:
            assert following in original
            assert original.index(name) < original.index(following)
