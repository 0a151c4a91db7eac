"""Objects as Go types hold them: pruned, defaulted, and without what Go's encoder leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from trainergen.api.decode import RECEIVED, RESTORED, REWRITTEN, DecodeError, Reading, decode, plain

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path


def runtime(container: dict[str, Any] | None = None, **pod: Any) -> dict[str, Any]:
    """A runtime with one job of one container."""
    spec = {"containers": [{"name": "node", **(container or {})}], **pod}
    job = {"name": "node", "template": {"spec": {"template": {"spec": spec}}}}
    return {"kind": "ClusterTrainingRuntime", "spec": {"template": {"spec": {"replicatedJobs": [job]}}}}


def read(value: dict[str, Any], reading: Reading = REWRITTEN) -> dict[str, Any]:
    return decode(value, "ClusterTrainingRuntime", "2.3", reading=reading)


def job_of(value: dict[str, Any]) -> dict[str, Any]:
    return dict(value["spec"]["template"]["spec"]["replicatedJobs"][0])


def pod_of(value: dict[str, Any]) -> dict[str, Any]:
    return dict(job_of(value)["template"]["spec"]["template"]["spec"])


# part of a Pod, what remains of it
PODS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a zero value that is held by value goes": ({"hostNetwork": False, "hostname": ""}, {}),
    "a zero value behind a pointer stays": ({"shareProcessNamespace": False}, {"shareProcessNamespace": False}),
    "empty lists and maps go": ({"tolerations": [], "nodeSelector": {}}, {}),
    "an empty object stays": ({"securityContext": {}}, {"securityContext": {}}),
    "null is absent": ({"affinity": None}, {}),
    "null in a map is zero": ({"nodeSelector": {"a": None}}, {"nodeSelector": {"a": ""}}),
    "null in a list is zero": ({"tolerations": [None]}, {"tolerations": [{}]}),
    "null for an amount is zero": ({"overhead": {"cpu": None}}, {"overhead": {"cpu": "0"}}),
    "unknown fields are pruned": ({"nonsense": 1}, {}),
    "amounts are canonical": (
        {"overhead": {"cpu": "1000m", "memory": 1024}},
        {"overhead": {"cpu": "1", "memory": "1024"}},
    ),
    "an integral float is an integer": ({"terminationGracePeriodSeconds": 5.0}, {"terminationGracePeriodSeconds": 5}),
    "other values stay": ({"dnsPolicy": "None", "hostPID": True}, {"dnsPolicy": "None", "hostPID": True}),
}


@pytest.mark.parametrize("case", PODS)
def test_what_the_encoder_leaves(case: str) -> None:
    given, expected = PODS[case]
    pod = pod_of(read(runtime(None, **given)))
    assert {key: value for key, value in pod.items() if key != "containers"} == expected


# part of a container, what remains of it
CONTAINERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "an empty value of a variable goes": ({"env": [{"name": "A", "value": ""}]}, {"env": [{"name": "A"}]}),
    "optional stays though false": (
        {"env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": False}}}]},
        {"env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": False}}}]},
    ),
    "a missing divisor is zero": (
        {"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]},
        {"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}}]},
    ),
    "a port gets its protocol": (
        {"ports": [{"containerPort": 80}]},
        {"ports": [{"containerPort": 80, "protocol": "TCP"}]},
    ),
    "a mount that may be written does not say so": (
        {"volumeMounts": [{"name": "v", "mountPath": "/v", "readOnly": False}]},
        {"volumeMounts": [{"name": "v", "mountPath": "/v"}]},
    ),
}


@pytest.mark.parametrize("case", CONTAINERS)
def test_what_the_encoder_leaves_of_a_container(case: str) -> None:
    given, expected = CONTAINERS[case]
    assert pod_of(read(runtime(given)))["containers"] == [{"name": "node", **expected}]


def test_a_missing_name_comes_back_empty() -> None:
    rules = {"failurePolicy": {"rules": [{"action": "FailJobSet"}]}}
    read_rules = read({"spec": {"template": {"spec": rules}}})["spec"]["template"]["spec"]["failurePolicy"]["rules"]
    assert read_rules == [{"action": "FailJobSet", "name": ""}]


def test_defaults_are_set_unless_the_object_was_kept_as_text() -> None:
    assert job_of(read(runtime()))["groupName"] == "default"
    assert job_of(read(runtime()))["replicas"] == 1
    assert "groupName" not in job_of(read(runtime(), RESTORED))


def test_a_default_does_not_replace_zero_but_zero_is_left_out() -> None:
    value = runtime()
    value["spec"]["template"]["spec"]["replicatedJobs"][0]["replicas"] = 0
    assert "replicas" not in job_of(read(value))
    assert job_of(read(value, RECEIVED))["replicas"] == 0


def test_what_is_received_keeps_empty_lists() -> None:
    job = {"spec": {"runtimeRef": {"name": "rt"}, "trainer": {"command": [], "resourcesPerNode": {"limits": {}}}}}
    trainer = decode(job, "TrainJob", "2.3", reading=RECEIVED)["spec"]["trainer"]  # type: ignore[index, call-overload]
    assert trainer == {"command": [], "resourcesPerNode": {"limits": {}}}


class Heard:
    """Writes down what a decoder says."""

    def __init__(self) -> None:
        self.items: list[Path] = []
        self.defaults: list[tuple[Path, str]] = []

    def item(self, made: JsonObject, path: Path) -> None:
        self.items.append(path)

    def default(self, made: JsonObject, field: str, path: Path) -> None:
        self.defaults.append((path, field))


def test_a_witness_hears_of_roots_items_and_defaults() -> None:
    heard = Heard()
    decode(runtime({"env": [{"name": "A"}]}), "ClusterTrainingRuntime", "2.3", reading=REWRITTEN, witness=heard)
    job = ("spec", "template", "spec", "replicatedJobs", 0)
    container = (*job, "template", "spec", "template", "spec", "containers", 0)
    assert heard.items == [(*container, "env", 0), container, job, ()]
    assert sorted(heard.defaults) == [(job, "groupName"), (job, "replicas")]


# a value in the wrong place, the path and the complaint
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "an object": ({"spec": []}, "spec is '[]', but must be an object"),
    "a map": (runtime(None, nodeSelector=[]), "nodeSelector is '[]', but must be an object"),
    "a list": (runtime(None, tolerations="x"), "tolerations is 'x', but must be a list"),
    "a text": (runtime(None, hostname=1), "hostname is '1', but must be a string"),
    "a truth": (runtime(None, hostPID=1), "hostPID is '1', but must be true or false"),
    "a number": ({"spec": {"mlPolicy": {"numNodes": 1.5}}}, "spec.mlPolicy.numNodes is '1.5', but must be an integer"),
    "a small number": ({"spec": {"mlPolicy": {"numNodes": -(2**31) - 1}}}, "must be between"),
    "an amount": (runtime(None, overhead={"cpu": "x"}), "overhead.cpu is 'x', but must be a quantity"),
    "a port": (
        runtime({"livenessProbe": {"httpGet": {"port": True}}}),
        "livenessProbe.httpGet.port is 'True', but must be an integer or a string",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_value_of_the_wrong_type_is_named(case: str) -> None:
    value, message = FAULTS[case]
    with pytest.raises(DecodeError) as caught:
        read(value)
    assert message in str(caught.value)
    assert caught.value.path


def test_the_object_itself_can_be_wrong() -> None:
    with pytest.raises(DecodeError, match="the object is"):
        decode([], "TrainJob", "2.3", reading=RECEIVED)  # type: ignore[arg-type]


def test_plain_copies_what_no_schema_describes() -> None:
    inner: dict[str, Any] = {"a": (1, [2])}
    assert plain(inner) == {"a": [1, [2]]}
    assert plain(inner) is not inner
