"""The template of a runtime with the overrides of a TrainJob, release by release."""

from __future__ import annotations

import copy

import pytest

from tests.admission.webhooks.world import OVERRIDES, job, override, runtime, train_job
from trainergen.api.merge import MergeError
from trainergen.api.patched import patched_template
from trainergen.api.structural import load
from trainergen.releases import get_release

ALL = ("2.0", "2.1", "2.2", "2.3")
POD = {"nodeSelector": {"a": "rt"}, "volumes": [{"name": "v", "emptyDir": {}}]}
RUNTIME = runtime(
    jobs=[job("node", pod=POD), job("aux", ancestor=None)],
    metadata={"labels": {"team": "red", "from": "rt"}, "annotations": {"note": "rt"}},
)


def patched(release: str, spec, base=RUNTIME):
    """The patched template; what goes in stays as it is."""
    new = train_job(spec)
    before = copy.deepcopy((base, new))
    template = patched_template(base, new, get_release(release).behaviours, load(release))
    assert (base, new) == before
    return template


def pods(template) -> dict[str, dict]:
    """The Pod specs by job, in the order of the jobs."""
    found = {}
    for entry in template.spec["replicatedJobs"]:
        found[entry["name"]] = entry.get("template", {}).get("spec", {}).get("template", {}).get("spec", {})
    return found


def overriding(release: str, *overrides):
    """A TrainJob's spec with those overrides, given as job name and Pod spec."""
    entries = [override(release, name, pod, manager=f"a/{at}") for at, (name, pod) in enumerate(overrides)]
    return {OVERRIDES[release]: entries}


@pytest.mark.parametrize("release", ALL)
def test_without_overrides_the_template_is_the_runtimes(release):
    """The very same objects."""
    template = patched(release, {})
    assert template.spec is RUNTIME["spec"]["template"]["spec"]
    assert (template.labels, template.annotations) == ({"team": "red", "from": "rt"}, {"note": "rt"})


@pytest.mark.parametrize("release", ALL)
def test_overrides_merge_into_the_named_job_alone_and_later_ones_win(release):
    """In the order of the list."""
    first, second = {"nodeSelector": {"a": "1", "b": "1"}}, {"nodeSelector": {"b": "2"}}
    found = pods(patched(release, overriding(release, ("node", first), ("node", second))))
    assert found["node"]["nodeSelector"] == {"a": "1", "b": "2"}
    assert "nodeSelector" not in found["aux"]


@pytest.mark.parametrize("release", ALL)
def test_the_jobs_keep_their_order(release):
    """JobSet lets a job depend on earlier ones only."""
    template = patched(release, overriding(release, ("aux", {"nodeSelector": {"b": "1"}})))
    assert list(pods(template)) == ["node", "aux"]


@pytest.mark.parametrize("release", ALL)
def test_an_unknown_container_is_added_in_front(release):
    """So a check for unknown names always finds it."""
    template = patched(release, overriding(release, ("node", {"containers": [{"name": "ghost"}]})))
    assert [container["name"] for container in pods(template)["node"]["containers"]] == ["ghost", "node"]


@pytest.mark.parametrize(
    ("release", "jobs"),
    [("2.0", ["node", "aux"]), ("2.1", ["node", "aux"]), ("2.2", ["node", "aux"]), ("2.3", ["ghost", "node", "aux"])],
)
def test_an_unknown_job_is_added_since_2_3(release, jobs):
    """It sorts as if it were the first, and was put before that."""
    template = patched(release, overriding(release, ("ghost", {"nodeSelector": {"b": "1"}})))
    assert list(pods(template)) == jobs


@pytest.mark.parametrize("release", ALL)
def test_an_empty_list_overrides_nothing(release):
    """Go leaves it out of the patch."""
    base = runtime(jobs=[job(pod={"tolerations": [{"key": "gpu"}]})])
    template = patched(release, overriding(release, ("node", {"tolerations": []})), base)
    assert pods(template)["node"]["tolerations"] == [{"key": "gpu"}]


@pytest.mark.parametrize("release", ALL)
def test_a_false_held_by_value_overrides_nothing(release):
    """Go cannot tell it from an absent field."""
    mounts = [{"name": "v", "mountPath": "/a", "readOnly": True}]
    base = runtime(jobs=[job(containers=[{"name": "node", "volumeMounts": mounts}])])
    patch = {"containers": [{"name": "node", "volumeMounts": [{"name": "w", "mountPath": "/a", "readOnly": False}]}]}
    merged = pods(patched(release, overriding(release, ("node", patch)), base))["node"]["containers"][0]
    assert merged["volumeMounts"] == [{"name": "w", "mountPath": "/a", "readOnly": True}]


@pytest.mark.parametrize(("release", "field"), [("2.0", "spec"), ("2.1", "spec")])
def test_labels_of_the_job_set_come_from_the_spec_of_the_train_job_until_2_1(release, field):
    """They win over those of the runtime."""
    template = patched(release, {"labels": {"from": "job"}, "annotations": {"more": "x"}})
    assert template.labels == {"team": "red", "from": "job"}
    assert template.annotations == {"note": "rt", "more": "x"}


def metadata_patch(manager: str, **metadata):
    """A patch of the JobSet's metadata."""
    return {"manager": manager, "trainingRuntimeSpec": {"template": {"metadata": metadata}}}


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_labels_of_the_job_set_come_from_patches_since_2_2(release):
    """In their order; other metadata does not travel."""
    patches = [
        metadata_patch("a/1", labels={"from": "1", "x": "1"}),
        metadata_patch("a/2", labels={"x": "2"}, name="n"),
    ]
    template = patched(release, {"runtimePatches": [*patches, {"manager": "a/3"}]})
    assert template.labels == {"team": "red", "from": "1", "x": "2"}
    assert template.annotations == {"note": "rt"}
    assert template.spec["replicatedJobs"] == RUNTIME["spec"]["template"]["spec"]["replicatedJobs"]


def test_pod_metadata_of_2_1_is_cut_down_to_labels_and_annotations():
    """A name is accepted and ignored."""
    entry = {
        "targetJobs": [{"name": "node"}],
        "metadata": {"labels": {"a": "1"}, "annotations": {"b": "2"}, "name": "n"},
    }
    template = patched("2.1", {"podTemplateOverrides": [entry]})
    pod_template = template.spec["replicatedJobs"][0]["template"]["spec"]["template"]
    assert pod_template["metadata"] == {"labels": {"a": "1"}, "annotations": {"b": "2"}}


@pytest.mark.parametrize("release", ["2.2", "2.3"])
def test_metadata_of_jobs_is_merged_whole_since_2_2(release):
    """The name of a patch ends up in the Job template."""
    jobs = [{"name": "node", "template": {"metadata": {"labels": {"a": "1"}, "name": "n"}}}]
    spec = {
        "runtimePatches": [{"manager": "a/b", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}]
    }
    merged = patched(release, spec).spec["replicatedJobs"][0]["template"]["metadata"]
    assert merged == {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer", "a": "1"}, "name": "n"}


@pytest.mark.parametrize("release", ALL)
def test_one_override_may_target_several_jobs_until_2_1(release):
    """Later releases patch job by job."""
    if release in ("2.0", "2.1"):
        entry = override(release, "node", {"nodeSelector": {"b": "1"}})
        entry["targetJobs"] = [{"name": "aux"}, {"name": "node"}, {"name": "ghost"}]
        spec = {OVERRIDES[release]: [entry]}
    else:
        spec = overriding(release, ("node", {"nodeSelector": {"b": "1"}}), ("aux", {"nodeSelector": {"b": "1"}}))
    assert [pod["nodeSelector"]["b"] for pod in pods(patched(release, spec)).values()] == ["1", "1"]


@pytest.mark.parametrize("release", ALL)
def test_a_directive_in_a_map_is_obeyed_or_an_error(release):
    """Maps with free keys are the only place where one gets through the types."""
    obeyed = overriding(release, ("node", {"nodeSelector": {"$patch": "delete"}}))
    assert pods(patched(release, obeyed))["node"]["nodeSelector"] == {}
    with pytest.raises(MergeError):
        patched(release, overriding(release, ("node", {"nodeSelector": {"$patch": "nonsense"}})))
