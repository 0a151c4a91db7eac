"""The public function ``trainergen.admit``."""

from __future__ import annotations

import copy
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trainergen
from tests.admission.webhooks.world import job, override, runtime, train_job
from trainergen.admission.admit import PLACEHOLDER_UID
from trainergen.admission.cluster import Cluster
from trainergen.admission.result import Admission
from trainergen.errors import TrainergenError
from trainergen.finding import Layer
from trainergen.releases import RELEASES, get_release
from trainergen.releases.catalogue import shipped_runtimes

RELEASE_NAMES = [release.name for release in RELEASES]


def test_a_sound_train_job_is_accepted_and_comes_back_defaulted():
    """With a placeholder for the uid that the server gives."""
    admission = trainergen.admit(train_job(), objects=[runtime()])
    assert admission == Admission(
        object={
            "apiVersion": "trainer.kubeflow.org/v1alpha1",
            "kind": "TrainJob",
            "metadata": {"name": "job-a", "namespace": "team-a", "uid": PLACEHOLDER_UID},
            "spec": {
                "managedBy": "trainer.kubeflow.org/trainjob-controller",
                "runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime", "name": "rt"},
                "suspend": False,
            },
        }
    )
    assert not admission.refused


def test_the_uid_of_an_object_is_kept():
    """Its own, or that of the stored object on an update."""
    own, stored = train_job(), train_job()
    own["metadata"]["uid"] = "a"
    stored["metadata"]["uid"] = "b"
    assert trainergen.admit(own, objects=[runtime()]).object["metadata"]["uid"] == "a"
    assert trainergen.admit(train_job(), old=stored, objects=[runtime()]).object["metadata"]["uid"] == "b"


def test_a_status_is_not_stored_with_the_object():
    """It has a resource of its own: a new object has none, and an update keeps the old one."""
    status = {"conditions": [{"type": "Complete", "status": "True", "reason": "R", "message": "m"}]}
    status["conditions"][0]["lastTransitionTime"] = "2026-01-01T00:00:00Z"
    sent, stored = {**train_job(), "status": {"jobsStatus": []}}, {**train_job(), "status": status}
    assert "status" not in trainergen.admit(stored, objects=[runtime()]).object
    assert trainergen.admit(sent, old=stored, objects=[runtime()]).object["status"] == status


@pytest.mark.parametrize("release", ["2.1", "v2.1.0", get_release("2.1")])
def test_a_release_may_be_named_in_several_ways(release):
    """The numProcPerNode of 2.1 may be a word, which 2.3 refuses."""
    job_ = train_job({"trainer": {"numProcPerNode": "auto"}})
    assert not trainergen.admit(job_, release=release, objects=[runtime()]).refused
    assert trainergen.admit(job_, release="2.3", objects=[runtime()]).refused


@pytest.mark.parametrize(
    ("obj", "text"),
    [
        ({}, "nothing"),
        ({"apiVersion": "v1", "kind": "Pod"}, "v1 Pod"),
        ({"apiVersion": "example.org/v1", "kind": "TrainJob"}, "example.org/v1 TrainJob"),
        ({"apiVersion": 3, "kind": ["TrainJob"]}, "nothing"),
    ],
)
def test_an_object_of_another_kind_is_an_error(obj, text):
    """There is no verdict on it."""
    with pytest.raises(TrainergenError, match=text):
        trainergen.admit(obj)


def test_an_unknown_release_is_an_error():
    """With the known ones in the hint."""
    with pytest.raises(TrainergenError) as error:
        trainergen.admit(train_job(), release="1.9")
    assert "2.3" in error.value.hint


def test_all_layers_speak_at_once():
    """The real server stops at the first."""
    new = train_job({"managedBy": "me", "bogus": 1, "trainer": {"env": [{"name": "PET_NNODES", "value": "1"}]}})
    admission = trainergen.admit(new, objects=[runtime({"torch": {}})])
    assert {finding.layer for finding in admission.findings} == {Layer.SCHEMA, Layer.CEL, Layer.WEBHOOK}
    assert admission.refused


def test_without_webhooks_only_the_api_server_speaks():
    """A cluster with the CRDs alone takes a TrainJob on a runtime that does not exist."""
    assert trainergen.admit(train_job(), objects=[]).refused
    assert not trainergen.admit(train_job(), objects=[], webhooks=False).refused
    assert not trainergen.admit(runtime(jobs=[job(replicas=3)]), webhooks=False).refused


BROKEN = {
    "a trainer of the wrong type": ({"trainer": "x"}, "spec.trainer"),
    "a list where an object belongs": ({"trainer": ["x"]}, "spec.trainer"),
    "an initializer of the wrong type": ({"initializer": {"dataset": []}}, "spec.initializer.dataset"),
    "overrides of the wrong type": ({"runtimePatches": {"a": 1}}, "spec.runtimePatches"),
    "a runtimeRef of the wrong type": ({"runtimeRef": "rt"}, "spec.runtimeRef"),
    "a runtime name of the wrong type": ({"runtimeRef": {"name": 7}}, "spec.runtimeRef"),
    "no runtimeRef": ({"runtimeRef": None}, "spec.runtimeRef"),
    "no name of a runtime": ({"runtimeRef": {}}, "spec.runtimeRef"),
}


@pytest.mark.parametrize(("spec", "place"), BROKEN.values(), ids=BROKEN)
def test_what_a_broken_value_hides_is_not_evaluated(spec, place):
    """And says which value it was; the fault itself is the schema's to report."""
    admission = trainergen.admit(train_job(spec), objects=[runtime({"torch": {}})])
    assert admission.refused
    reasons = [item.reason for item in admission.not_evaluated if item.layer is Layer.WEBHOOK]
    assert reasons
    assert all(place in reason for reason in reasons)


def test_what_does_not_depend_on_a_broken_value_is_evaluated():
    """Here the overrides and the initializer, beside a broken trainer."""
    new = train_job({"trainer": 3, "initializer": {"model": {}}, "runtimePatches": [{"manager": "user"}]})
    names = [finding.name for finding in trainergen.admit(new, objects=[runtime()]).findings]
    assert names == ["wrong-type", "invalid-patch-manager", "missing-model-job"]


def test_nothing_that_is_passed_in_is_changed():
    """Neither the object nor the old one nor the cluster's."""
    new = train_job({"runtimePatches": [override("2.3", "node", {"nodeSelector": {"a": "b"}})], "suspend": True})
    given_objects = (new, train_job(), [runtime({"torch": {}}, jobs=[job(pod={"nodeSelector": {"c": "d"}})])])
    before = copy.deepcopy(given_objects)
    assert not trainergen.admit(new, old=given_objects[1], objects=given_objects[2]).refused
    assert given_objects == before


def test_one_cluster_serves_many_train_jobs():
    """Its runtimes are made ready once."""
    cluster = Cluster([runtime()], complete=True)
    first = trainergen.admit(train_job(), objects=cluster)
    assert trainergen.admit(train_job(), objects=cluster) == first
    assert len(cluster.runtimes) == 1


@pytest.mark.parametrize("release", RELEASE_NAMES)
def test_the_runtimes_that_a_release_ships_are_accepted_by_it(release):
    """And TrainJobs find them without being given any object."""
    shipped = shipped_runtimes(release)
    assert "torch-distributed" in shipped
    for name, obj in shipped.items():
        assert not trainergen.admit(obj, release=release).refused, name
        admission = trainergen.admit(train_job(ref=name), release=release)
        assert (admission.refused, admission.not_evaluated) == (False, ()), name


def test_an_unknown_release_ships_nothing():
    """The catalogue is a convenience."""
    assert shipped_runtimes("9.9") == {}


def test_the_package_gives_admit_and_nothing_that_it_does_not_have():
    """The functions of the package are imported when they are first used."""
    script = (
        "import sys, trainergen; assert 'trainergen.admission.admit' not in sys.modules;"
        "trainergen.admit; assert 'trainergen.admission.admit' in sys.modules; print(trainergen.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    with pytest.raises(AttributeError, match="nonsense"):
        _ = trainergen.nonsense


KEYS = st.sampled_from(
    [
        "name",
        "env",
        "trainer",
        "runtimeRef",
        "runtimePatches",
        "podSpecOverrides",
        "podTemplateOverrides",
        "targetJobs",
        "containers",
        "spec",
        "template",
        "replicatedJobs",
        "initializer",
        "dataset",
        "trainingRuntimeSpec",
        "metadata",
        "labels",
        "annotations",
        "numProcPerNode",
        "command",
        "args",
        "time",
        "nodeSelector",
        "$patch",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, JSON, max_size=5)


@pytest.mark.parametrize("release", RELEASE_NAMES)
@given(spec=OBJECTS, old=OBJECTS, pod=OBJECTS)
def test_any_object_gets_a_verdict(release, spec, old, pod):
    """However odd it is, and however odd the runtime."""
    new = {**train_job(), "spec": {"runtimeRef": {"name": "rt"}, **spec}}
    live = runtime({"torch": pod, "flux": pod}, jobs=[job(pod=pod)])
    admission = trainergen.admit(new, release=release, old={**train_job(), "spec": old}, objects=[live])
    json.dumps([admission.object, [(finding.path, finding.message) for finding in admission.findings]])
