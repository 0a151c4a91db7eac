"""The snapshot of a runtime: when it is written, and when it is read instead of the runtime."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.render.builders import container, counts, find, node, render, rendered, runtime, train_job, trainer_job
from trainergen.render import RenderError
from trainergen.render.snapshot_text import yaml_text

OLD = runtime(trainer_job(container(image="old:1")), policy={"numNodes": 7, "torch": {}})
NEW = runtime(trainer_job(container(image="new:1")), policy={"numNodes": 1, "torch": {}})
OWNER = {"kind": "TrainJob", "name": "tj", "uid": "u-1", "controller": True}


def snapshot(text: Any = OLD, *, owner: dict[str, Any] | None = None, key: str = "runtime") -> dict[str, Any]:
    """A ConfigMap as it lies in the cluster."""
    metadata = {
        "name": "tj-runtime-snapshot",
        "namespace": "ml",
        "ownerReferences": [OWNER if owner is None else owner],
    }
    data = {key: text if isinstance(text, str) else yaml.safe_dump(text)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def renamed(**metadata: str) -> dict[str, Any]:
    out = copy.deepcopy(OLD)
    out["metadata"].update(metadata)
    return out


@pytest.mark.parametrize("kind", ["ClusterTrainingRuntime", "TrainingRuntime"])
def test_the_whole_runtime_is_kept_with_its_kind_and_its_defaults(kind: str) -> None:
    rt = runtime(kind=kind)
    rt["metadata"]["labels"] = {"a": "b"}
    rt["metadata"]["resourceVersion"] = "7"
    job = train_job({}, runtimeRef={"name": "rt", "kind": kind})
    kept = yaml.safe_load(find(render(job, [rt]), "ConfigMap", "tj-runtime-snapshot")["data"]["runtime"])
    assert (kept["apiVersion"], kept["kind"], kept["metadata"]) == (rt["apiVersion"], kind, rt["metadata"])
    assert kept["spec"]["template"]["spec"]["replicatedJobs"][0]["groupName"] == "default"


def test_it_comes_first_and_only_since_2_3() -> None:
    assert rendered({}).objects[0]["metadata"]["name"] == "tj-runtime-snapshot"
    assert [item["kind"] for item in rendered({}, release="2.2").objects] == ["JobSet"]


def test_patches_do_not_reach_it() -> None:
    patched = rendered(
        {},
        runtimePatches=[
            {"manager": "a.b/c", "trainingRuntimeSpec": {"template": {"metadata": {"labels": {"x": "y"}}}}}
        ],
    )
    assert patched.objects[0]["data"] == rendered({}).objects[0]["data"]


@pytest.mark.parametrize("objects", [[NEW], []], ids=["changed", "deleted"])
def test_it_beats_a_runtime_that_was(objects: list[dict[str, Any]]) -> None:
    result = render(train_job({}), [*objects, snapshot()])
    assert (node(result)["image"], counts(result)) == ("old:1", (7, 7))
    assert [item["kind"] for item in result.objects] == ["JobSet"]
    assert result.origin(result.objects[0], ("spec", "replicatedJobs", 0, "name")).kind == "snapshot"


def test_defaults_are_not_set_on_what_was_kept() -> None:
    job = render(train_job({}), [snapshot()]).objects[0]["spec"]["replicatedJobs"][0]
    assert "groupName" not in job


def test_it_is_not_looked_at_before_2_3() -> None:
    assert node(render(train_job({}), [NEW, snapshot()], release="2.2"))["image"] == "new:1"


def test_what_is_written_can_be_read_again() -> None:
    first = render(train_job({}), [OLD])
    second = render(train_job({}), [NEW, find(first, "ConfigMap")])
    assert find(second, "JobSet") == find(first, "JobSet")


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "without an owner": (snapshot(owner={}), "is not owned"),
    "with an owner that is not the controller": (snapshot(owner={"uid": "u-1"}), "is not owned"),
    "of another owner": (snapshot(owner={**OWNER, "uid": "u-0"}), "is not owned"),
    "without the key": (snapshot(key="other"), "has no key 'runtime'"),
    "of broken YAML": (snapshot("a: [1"), "no runtime in YAML"),
    "of something else than a runtime": (snapshot("text"), "no runtime in YAML"),
    "of another runtime": (snapshot(renamed(name="other")), "'other', but the TrainJob refers to .* 'rt'"),
    "of another kind": (snapshot(runtime(kind="TrainingRuntime")), "holds TrainingRuntime"),
    "without a kind": (snapshot({key: value for key, value in OLD.items() if key != "kind"}), "holds ."),
    "of a runtime that cannot be read": (
        snapshot(runtime(policy={"numNodes": "x"})),
        r"spec.mlPolicy.numNodes is 'x', but must be an integer",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_an_unusable_snapshot_stops_everything(case: str) -> None:
    found, message = FAULTS[case]
    with pytest.raises(RenderError, match=message):
        render(train_job({}), [NEW, found])


UNDEFAULTED: dict[str, dict[str, Any]] = {
    "mpiImplementation": runtime(policy={"mpi": {"numProcPerNode": 1, "sshAuthMountPath": "/s"}}),
    "spec.mlPolicy.flux.numProcPerNode": runtime(policy={"flux": {}}),
    "scheduleTimeoutSeconds": runtime(gang={"coscheduling": {}}),
    "highestTierAllowed": runtime(gang={"volcano": {"networkTopology": {}}}),
}


@pytest.mark.parametrize("field", UNDEFAULTED)
def test_a_snapshot_by_hand_lacks_defaults_that_the_controller_relies_on(field: str) -> None:
    with pytest.raises(RenderError, match=f"{field}' is missing from the runtime's snapshot"):
        render(train_job({"numNodes": 1}), [snapshot(UNDEFAULTED[field])])


def test_the_text_is_block_yaml_with_sorted_keys() -> None:
    value = {"b": [{"z": 1, "a": []}, "x", [True, None]], "a": {"e": {}, "d": "1"}, "c": "yes"}
    assert yaml_text(value) == ('a:\n  d: "1"\n  e: {}\nb:\n- a: []\n  z: 1\n- x\n- - true\n  - null\nc: "yes"\n')


texts = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    [
        "yes",
        "1e3",
        "0x10",
        "~",
        "- a",
        "a: b",
        "#c",
        "a\nb",
        " a",
        "a ",
        "null",
        "2001-01-01",
        "=",
        "\x85",
        "\u2028",
        "\ufeff",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(values)
def test_the_text_says_what_was_meant(value: Any) -> None:
    assert yaml.safe_load(yaml_text(value)) == value
