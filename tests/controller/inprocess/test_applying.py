"""Server-side apply: who owns what, who is in whose way, and what goes when it is no longer applied."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainergen_controller.errors import ApiError, ConflictError, InvalidError
from trainergen_controller.inprocess import fieldsets
from trainergen_controller.inprocess.managers import UPDATERS_LIMIT
from trainergen_controller.inprocess.merging import compare, fields_of, merge, named_members, same, without
from trainergen_controller.inprocess.resources import served
from trainergen_controller.inprocess.shapes import Shape
from trainergen_controller.kinds import CONFIG_MAP, JOB_SET

from tests.controller.inprocess.objects import NAMESPACE, config_map, server

Object = dict[str, Any]


def job_set(*containers: Object, **spec: Any) -> Object:
    pod = {"template": {"spec": {"template": {"spec": {"containers": list(containers)}}}}}
    metadata = {"name": "set", "namespace": NAMESPACE}
    body = {"apiVersion": JOB_SET.api_version, "kind": "JobSet", "metadata": metadata}
    return {**body, "spec": {"replicatedJobs": [{"name": "node", **pod}], **spec}}


def containers(found: Object) -> list[Object]:
    pods = found["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    return list(pods.get("containers", ()))


def test_what_is_no_longer_applied_goes_and_what_others_own_stays() -> None:
    client = server().client("hand")
    client.apply(CONFIG_MAP, config_map(a="1", b="1"), manager="trainer", force=True)
    client.merge_patch(CONFIG_MAP, "map", NAMESPACE, {"data": {"c": "1"}})
    client.apply(CONFIG_MAP, config_map(b="1"), manager="other", force=True)
    left = client.apply(CONFIG_MAP, config_map(), manager="trainer", force=True)
    assert left["data"] == {"b": "1", "c": "1"}


def test_a_field_of_another_manager_is_a_conflict_unless_forced() -> None:
    client = server().client("hand")
    client.create(CONFIG_MAP, config_map(a="1"))
    with pytest.raises(ConflictError) as caught:
        client.apply(CONFIG_MAP, config_map(a="2"), manager="trainer", force=False)
    (cause,) = caught.value.details["causes"]
    assert cause["field"] == ".data.a"
    assert "'hand'" in cause["message"]
    assert client.apply(CONFIG_MAP, config_map(a="1"), manager="trainer", force=False)["data"] == {"a": "1"}
    taken = client.apply(CONFIG_MAP, config_map(a="2"), manager="trainer", force=True)
    owners = {entry["manager"]: entry["fieldsV1"].get("f:data", {}) for entry in taken["metadata"]["managedFields"]}
    assert "f:a" in owners["trainer"]
    assert "f:a" not in owners["hand"]


def test_lists_are_merged_by_their_keys() -> None:
    client = server().client("hand")
    node, side = {"name": "node", "image": "a"}, {"name": "side", "image": "b"}
    client.apply(JOB_SET, job_set(node), manager="trainer", force=True)
    both = client.apply(JOB_SET, job_set(side), manager="injector", force=True)
    assert [one["name"] for one in containers(both)] == ["node", "side"]
    one = client.apply(JOB_SET, job_set({"name": "node", "args": ["x"]}), manager="trainer", force=True)
    assert containers(one) == [{"name": "node", "args": ["x"]}, side]


def test_an_apply_that_changes_nothing_is_no_change() -> None:
    client = server().client()
    first = client.apply(JOB_SET, job_set({"name": "node", "image": "a"}), manager="trainer", force=True)
    assert client.apply(JOB_SET, job_set({"name": "node", "image": "a"}), manager="trainer", force=True) == first


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({**job_set(), "spec": {"nonsense": 1}}, 500),
        (job_set({"name": "node"}, {"name": "node"}), 500),
        ({**job_set(), "metadata": {"name": "set", "namespace": NAMESPACE, "managedFields": []}}, 400),
        ({**job_set(), "metadata": {"name": "set", "namespace": NAMESPACE, "uid": "another"}}, 409),
    ],
)
def test_what_cannot_be_applied_is_refused(body: Object, code: int) -> None:
    with pytest.raises(ApiError) as caught:
        server().client().apply(JOB_SET, body, manager="trainer", force=True)
    assert caught.value.code == code


def test_a_whole_section_that_is_taken_back_leaves_a_null_that_is_refused() -> None:
    client = server().client()
    client.apply(JOB_SET, job_set({"name": "node"}), manager="trainer", force=True)
    with pytest.raises(InvalidError, match="spec"):
        client.apply(JOB_SET, {**job_set(), "spec": {}}, manager="trainer", force=True)


def test_many_updaters_are_thrown_together() -> None:
    cluster = server()
    cluster.client("first").create(CONFIG_MAP, config_map(a="1"))
    for number in range(UPDATERS_LIMIT + 2):
        patch = {"data": {f"k{number}": "1"}}
        found = cluster.client(f"manager-{number:02d}").merge_patch(CONFIG_MAP, "map", NAMESPACE, patch)
    managers = [entry["manager"] for entry in found["metadata"]["managedFields"]]
    assert len(managers) == UPDATERS_LIMIT
    assert "ancient-changes" in managers


def test_fields_that_nobody_tracks_belong_to_a_manager_of_their_own_at_the_first_apply() -> None:
    client = server().client("hand")
    made = client.create(CONFIG_MAP, config_map(a="1"))
    made["metadata"]["managedFields"] = []
    bare = client.update(CONFIG_MAP, made)
    assert "managedFields" not in bare["metadata"]
    assert "managedFields" not in client.merge_patch(CONFIG_MAP, "map", NAMESPACE, {"data": {"b": "1"}})["metadata"]
    found = client.apply(CONFIG_MAP, config_map(c="1"), manager="trainer", force=True)
    managers = [entry["manager"] for entry in found["metadata"]["managedFields"]]
    assert managers == ["trainer", "before-first-apply"]


NAMES = st.sampled_from(["A", "B", "C", "D"])
ENTRIES = st.lists(st.fixed_dictionaries({"name": NAMES}, optional={"value": NAMES}), unique_by=lambda one: one["name"])
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "entries": ENTRIES,
        "labels": st.dictionaries(NAMES, NAMES),
        "whole": st.lists(NAMES),
        "members": st.lists(NAMES, unique=True),
        "inner": st.fixed_dictionaries({}, optional={"x": st.integers(0, 2), "y": st.booleans()}),
    },
)
TEXT = {"type": "string"}
ENTRY = {"type": "object", "properties": {"name": TEXT, "value": TEXT}}
SHAPE = Shape(
    {
        "type": "object",
        "properties": {
            "entries": {
                "type": "array",
                "items": ENTRY,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
            },
            "labels": {"type": "object", "additionalProperties": TEXT},
            "whole": {"type": "array", "items": TEXT},
            "members": {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
            "inner": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "boolean"}}},
        },
    },
    lambda schema: schema,
)


@given(VALUES, VALUES)
def test_what_is_merged_in_is_there(old: Object, new: Object) -> None:
    merged = merge(old, new, SHAPE)
    assert not any(compare(merged, merge(merged, new, SHAPE), SHAPE))
    filled = {key: value for key, value in new.items() if value}
    assert fieldsets.difference(fields_of(filled, SHAPE), fields_of(merged, SHAPE)) == {}


@given(VALUES, VALUES)
def test_a_comparison_says_whether_values_are_the_same(old: Object, new: Object) -> None:
    changes = compare(old, new, SHAPE)
    reordered = [key for key in ("entries", "members") if key in old and key in new]
    plain = [{key: value for key, value in one.items() if key not in reordered} for one in (old, new)]
    if not any(changes):
        assert same(*plain)
    if same(old, new):
        assert not any(changes)


@given(VALUES)
def test_without_all_its_fields_nothing_is_left(value: Object) -> None:
    left = without(value, named_members(fields_of(value, SHAPE), SHAPE), SHAPE) or {}
    # An empty list that is merged entry by entry is nobody's.
    assert not any(left.values())


@given(VALUES, VALUES)
def test_sets_obey_the_laws_of_sets(one: Object, other: Object) -> None:
    a, b = fields_of(one, SHAPE), fields_of(other, SHAPE)
    union, both = fieldsets.union(a, b), fieldsets.intersection(a, b)
    assert set(fieldsets.paths(union)) == set(fieldsets.paths(a)) | set(fieldsets.paths(b))
    assert set(fieldsets.paths(both)) == set(fieldsets.paths(a)) & set(fieldsets.paths(b))
    assert set(fieldsets.paths(fieldsets.difference(a, b))) == set(fieldsets.paths(a)) - set(fieldsets.paths(b))
    assert fieldsets.decode(fieldsets.encode(a)) == a


def test_every_kind_has_a_shape_with_metadata() -> None:
    for resource in served("2.3").values():
        assert resource.shape.knows("metadata")
        assert resource.shape.field("metadata").field("finalizers").is_list
