"""What Go types cannot hold, and how they write the rest again."""

from __future__ import annotations

import copy

import pytest

from trainergen.admission.webhooks.decode import decode
from trainergen.api.structural import load

SCHEMAS = load("2.3")
POD = {"trainer": {}}


def trainer(**fields):
    """A TrainJob with that trainer."""
    return {"spec": {"trainer": fields}}


def patched(**pod):
    """A TrainJob that patches the Pods of a job."""
    jobs = [{"name": "node", "template": {"spec": {"template": {"spec": pod}}}}]
    return {
        "spec": {
            "runtimePatches": [
                {"manager": "a/b", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}
            ]
        }
    }


def pod_of(job):
    """The Pod spec of the first patched job."""
    patch = job["spec"]["runtimePatches"][0]["trainingRuntimeSpec"]
    return patch["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]


def read(job, kind="TrainJob", release="2.3"):
    """The object read and written again."""
    before = copy.deepcopy(job)
    schemas = load(release)
    decoded = decode(job, schemas, schemas.kinds[kind])
    assert job == before
    return decoded


@pytest.mark.parametrize(
    ("sent", "stored"),
    [("0.5", "500m"), ("2048Mi", "2Gi"), (4, "4"), ("1e3", "1e3"), ("1000m", "1"), ("+5", "+5"), ("100m", "100m")],
)
def test_quantities_are_written_in_canonical_form(sent, stored):
    """Some that are not canonical are kept, as the server keeps them."""
    decoded = read(trainer(resourcesPerNode={"limits": {"cpu": sent}}))
    assert decoded.object == trainer(resourcesPerNode={"limits": {"cpu": stored}})
    assert decoded.faults == ()


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.999Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00,5+02:00", "2026-01-31T10:00:00Z"),
        ("2026-12-31T23:30:00-07:30", "2027-01-01T07:00:00Z"),
    ],
)
def test_times_are_written_in_utc_and_to_the_second(sent, stored):
    """Whatever their zone was."""
    decoded = read({"spec": {"runtimePatches": [{"manager": "a/b", "time": sent}]}})
    assert decoded.object == {"spec": {"runtimePatches": [{"manager": "a/b", "time": stored}]}}


@pytest.mark.parametrize(
    "sent", ["2026-01-31t12:00:00Z", "2026-01-31T12:00:00z", "2026-02-30T12:00:00Z", "2026-01-31T12:00:60Z", ["x"]]
)
def test_a_time_that_go_does_not_parse_is_a_fault(sent):
    """The schema takes all of these but for the day that does not exist."""
    decoded = read({"spec": {"runtimePatches": [{"manager": "a/b", "time": sent}]}})
    assert [fault.path for fault in decoded.faults] == [("spec", "runtimePatches", 0, "time")]


@pytest.mark.parametrize(
    ("number", "readable"), [(2**31 - 1, True), (2**31, False), (-(2**31), True), (-(2**31) - 1, False)]
)
def test_integers_of_32_bits_have_32_bits(number, readable):
    """The schema does not count them."""
    assert (not read(trainer(numNodes=number)).faults) is readable


def test_an_integer_that_may_be_a_string_has_32_bits_too():
    """As numProcPerNode had until 2.1."""
    assert read(trainer(numProcPerNode=2**31), release="2.1").faults[0].path == ("spec", "trainer", "numProcPerNode")
    assert read(trainer(numProcPerNode="auto"), release="2.1").faults == ()


def test_a_quantity_may_match_the_pattern_of_the_schema_and_yet_not_parse():
    """The pattern allows a fraction in the exponent."""
    decoded = read(trainer(resourcesPerNode={"limits": {"cpu": "1e1.5"}}))
    assert decoded.faults[0].path == ("spec", "trainer", "resourcesPerNode", "limits", "cpu")
    assert "1e1.5" in decoded.faults[0].message


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({"imagePullSecrets": [{}]}, {"imagePullSecrets": [{}]}),
        ({"volumes": [{}]}, {"volumes": [{"name": ""}]}),
        ({"containers": [{}]}, {"containers": [{}]}),
        (
            {"containers": [{"name": "a", "env": [{}]}]},
            {"containers": [{"name": "a", "env": [{"name": ""}]}]},
        ),
        (
            {"containers": [{"name": "a", "volumeMounts": [{"name": "v"}]}]},
            {"containers": [{"name": "a", "volumeMounts": [{"name": "v", "mountPath": ""}]}]},
        ),
    ],
)
def test_required_fields_of_kubernetes_types_are_written_as_zero_values(sent, stored):
    """Trainer's own types leave theirs out."""
    assert pod_of(read(patched(**sent)).object) == stored


def test_objects_that_are_required_are_written_with_their_own_required_fields():
    """As the term of a preference."""
    preferred = "preferredDuringSchedulingIgnoredDuringExecution"
    affinity = {"podAffinity": {preferred: [{}]}, "nodeAffinity": {preferred: [{"weight": 5}]}}
    written = pod_of(read(patched(affinity=affinity)).object)["affinity"]
    assert written["podAffinity"][preferred] == [{"podAffinityTerm": {"topologyKey": ""}, "weight": 0}]
    assert written["nodeAffinity"][preferred] == [{"weight": 5, "preference": {}}]


def test_a_resource_field_has_a_divisor():
    """Go cannot leave it out."""
    env = [{"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]
    written = read(trainer(env=env)).object["spec"]["trainer"]["env"]
    assert written[0]["valueFrom"]["resourceFieldRef"] == {"resource": "limits.cpu", "divisor": "0"}


def test_values_of_the_wrong_type_are_passed_over():
    """The schema reports them."""
    odd = {"spec": {"trainer": ["x"], "runtimePatches": {"a": "b"}, "initializer": {"dataset": {"env": [3, None]}}}}
    decoded = read({"spec": {**odd["spec"]}})
    assert decoded.faults == ()
    assert decoded.object == odd
    limits = trainer(resourcesPerNode={"limits": ["cpu"], "requests": {"cpu": True}})
    assert read(limits).object == limits


def test_what_needs_no_change_is_shared():
    """So that an unchanged object can be told by identity."""
    job = trainer(image="a", resourcesPerNode={"limits": {"cpu": "1"}}, env=[{"name": "A"}])
    assert read(job).object is job
    assert POD == {"trainer": {}}
