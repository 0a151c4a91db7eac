"""Updates: what may not change, and what is let pass because it did not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]
Change = Callable[[dict[str, Any]], Any]


def patch(pod: dict[str, Any], manager: str = "acme.io/team", job: str = "node") -> dict[str, Any]:
    replicated = [{"name": job, "template": {"spec": {"template": {"spec": pod}}}}]
    return {"manager": manager, "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": replicated}}}}


@pytest.fixture
def patched(job: dict[str, Any]) -> dict[str, Any]:
    """A TrainJob with one of everything that may not change, and some that may."""
    job["spec"] |= {
        "activeDeadlineSeconds": 60,
        "initializer": {"dataset": {"storageUri": "hf://a/b"}},
        "runtimePatches": [
            patch({"volumes": [{"name": "v"}], "nodeSelector": {"a": "b"}}),
            patch({"serviceAccountName": "x"}, "acme.io/other"),
        ],
        "trainer": {
            "numNodes": 2,
            "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
            "args": ["a", "b"],
        },
    }
    return job


def pod_of(job: dict[str, Any], index: int = 0) -> dict[str, Any]:
    spec = job["spec"]["runtimePatches"][index]["trainingRuntimeSpec"]["template"]["spec"]
    return spec["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]


POD = "trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec"

REFUSED: dict[str, tuple[Change, str]] = {
    "another runtime": (lambda job: job["spec"]["runtimeRef"].update(name="other"), "spec.runtimeRef"),
    "another manager of the job": (
        lambda job: job["spec"].update(managedBy="kueue.x-k8s.io/multikueue"),
        "spec.managedBy",
    ),
    "another deadline": (lambda job: job["spec"].update(activeDeadlineSeconds=61), "spec.activeDeadlineSeconds"),
    "something in the trainer": (lambda job: job["spec"]["trainer"].update(numNodes=3), "spec.trainer"),
    "order of a plain list": (lambda job: job["spec"]["trainer"]["args"].reverse(), "spec.trainer"),
    "something in the initializer": (lambda job: job["spec"]["initializer"].update(model={}), "spec.initializer"),
    "volumes of a patch": (
        lambda job: pod_of(job)["volumes"].append({"name": "w"}),
        f"spec.runtimePatches[0].{POD}.volumes",
    ),
}

ACCEPTED: dict[str, Change] = {
    "nothing": lambda job: None,
    "suspension": lambda job: job["spec"].update(suspend=True),
    "labels": lambda job: job["metadata"].update(labels={"a": "b"}),
    "order of environment variables, a map to the server": lambda job: job["spec"]["trainer"]["env"].reverse(),
    "a default spelt out": lambda job: job["spec"]["runtimeRef"].update(kind="ClusterTrainingRuntime"),
    "a whole number written as a fraction": lambda job: job["spec"]["trainer"].update(numNodes=2.0),
    "removal of a field": lambda job: job["spec"].pop("trainer"),
    "field of a patch that may change": lambda job: pod_of(job)["nodeSelector"].update(a="c"),
    "order of patches, found by their manager": lambda job: job["spec"]["runtimePatches"].reverse(),
    "patch of a new manager": lambda job: job["spec"]["runtimePatches"].append(
        patch({"volumes": [{"name": "z"}]}, "acme.io/new")
    ),
    "removal of a patch": lambda job: job["spec"]["runtimePatches"].pop(),
    "another job in a patch, which has no old counterpart": lambda job: job["spec"]["runtimePatches"].__setitem__(
        0, patch({"volumes": [{"name": "z"}]}, job="launcher")
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_change_is_refused(serve: Serve, patched: dict[str, Any], case: tuple[Change, str]) -> None:
    change, path = case
    new = copy.deepcopy(patched)
    change(new)
    verdict = serve(new, old=patched)
    assert verdict.found == [("field-immutable", path)]
    assert "cannot be changed once it is set" in verdict.findings[0].message
    assert "create it again" in verdict.findings[0].help


@pytest.mark.parametrize("change", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_change_is_accepted(serve: Serve, patched: dict[str, Any], change: Change) -> None:
    new = copy.deepcopy(patched)
    change(new)
    before = copy.deepcopy(patched)
    assert serve(new, old=patched).found == []
    assert patched == before


def test_a_field_may_be_added_later(serve: Serve, job: dict[str, Any], patched: dict[str, Any]) -> None:
    old = {**patched, "spec": {"runtimeRef": {"name": "torch-distributed"}}}
    assert serve(patched, old=old).found == []


def test_the_old_and_the_new_value_are_told(serve: Serve, patched: dict[str, Any]) -> None:
    new = copy.deepcopy(patched)
    new["spec"]["activeDeadlineSeconds"] = 90
    assert (
        serve(new, old=patched)
        .findings[0]
        .message.startswith("spec.activeDeadlineSeconds has changed from '60' to '90'")
    )


def runtime(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainingRuntime",
        "metadata": {"name": "a"},
        "spec": spec,
    }


def replicated(*jobs: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"replicatedJobs": list(jobs)}}


def named(name: str, **pod: Any) -> dict[str, Any]:
    return {"name": name, "template": {"spec": {"template": {"spec": {"containers": [], **pod}}}}}


def test_a_fault_of_an_unchanged_value_is_forgiven(serve: Serve, patched: dict[str, Any]) -> None:
    patched["spec"]["initializer"]["dataset"]["storageUri"] = "no-scheme"
    assert serve(patched).found == [("rule-failed", "spec.initializer.dataset.storageUri")]
    new = copy.deepcopy(patched)
    new["spec"]["suspend"] = True
    assert serve(new, old=patched).found == []


def test_a_fault_beside_a_change_is_forgiven_where_its_own_entry_is_unchanged(serve: Serve) -> None:
    old = runtime(template=replicated(named("a", restartPolicy=5), named("b")))
    new = runtime(template=replicated(named("b", hostname="x"), named("a", restartPolicy=5)))
    assert serve(new, old=old).found == []
    new["spec"]["template"]["spec"]["replicatedJobs"][1]["template"]["spec"]["template"]["spec"]["restartPolicy"] = 6
    path = "spec.template.spec.replicatedJobs[1].template.spec.template.spec.restartPolicy"
    assert serve(new, old=old).found == [("wrong-type", path)]


def test_a_fault_in_a_plain_list_is_forgiven_only_with_the_whole_list(serve: Serve) -> None:
    old = runtime(template=replicated(named("a", tolerations=[{"key": 1}])))
    assert serve(copy.deepcopy(old), old=old).found == []
    new = runtime(template=replicated(named("a", tolerations=[{"key": 1}, {"key": "x"}])))
    path = "spec.template.spec.replicatedJobs[0].template.spec.template.spec.tolerations[0].key"
    assert serve(new, old=old).found == [("wrong-type", path)]


def test_a_missing_field_is_forgiven_with_the_object_that_lacks_it(serve: Serve) -> None:
    lacking = {"name": "a"}
    old = runtime(template=replicated(lacking))
    assert serve(copy.deepcopy(old), old=old).found == []
    new = runtime(template=replicated({**lacking, "replicas": 2}))
    assert serve(new, old=old).found == [("missing-field", "spec.template.spec.replicatedJobs[0].template")]


def test_an_entry_without_its_key_has_no_counterpart(serve: Serve) -> None:
    old = runtime(template=replicated(named("a", initContainers=[{"image": "x"}])))
    new = copy.deepcopy(old)
    new["metadata"]["labels"] = {"changed": "yes"}
    path = "spec.template.spec.replicatedJobs[0].template.spec.template.spec.initContainers[0].name"
    assert serve(new, old=old).found == [("missing-field", path)]


def test_a_value_of_the_wrong_type_stops_a_rule_that_compares_it(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"]["trainer"] = {"numProcPerNode": "auto"}
    new = copy.deepcopy(job)
    new["spec"]["suspend"] = not job["spec"].get("suspend")
    verdict = serve(new, old=job)
    assert verdict.found == [("rule-error", "spec.trainer")]
    assert "numProcPerNode is of another type" in verdict.findings[0].message


def test_whether_a_value_of_the_wrong_type_stops_another_rule_is_open(serve: Serve) -> None:
    old = runtime(template=replicated(named("a")))
    old["spec"]["template"]["spec"]["startupPolicy"] = "InOrder"
    new = copy.deepcopy(old)
    new["metadata"]["labels"] = {"changed": "yes"}
    verdict = serve(new, old=old)
    [undecided] = [one for one in verdict.not_evaluated if one.at == ("spec", "template", "spec")]
    assert "startupPolicy is of another type" in undecided.reason


def test_a_value_of_the_wrong_type_is_nothing_to_rules_that_never_come_to_it(serve: Serve) -> None:
    old = runtime(template=replicated(named("a", hostname=5)))
    new = copy.deepcopy(old)
    new["metadata"]["labels"] = {"changed": "yes"}
    verdict = serve(new, old=old)
    assert (verdict.found, verdict.not_evaluated) == ([], ())


def test_a_fault_of_a_new_value_is_not_forgiven(serve: Serve, job: dict[str, Any]) -> None:
    new = copy.deepcopy(job)
    new["spec"]["suspend"] = "yes"
    assert serve(new, old=job).found == [("wrong-type", "spec.suspend")]


def test_unknown_fields_are_never_forgiven(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"]["bogus"] = 1
    assert serve(copy.deepcopy(job), old=job).found == [("unknown-field", "spec.bogus")]


def test_repeated_entries_are_forgiven_once_the_old_object_has_some(serve: Serve) -> None:
    fine = runtime(template=replicated(named("a"), named("b")))
    doubled = runtime(template=replicated(named("a"), named("a"), named("a")))
    assert {name for name, _ in serve(doubled, old=fine).found} == {"duplicate-entry"}
    old = runtime(template=replicated(named("a"), named("a")))
    assert serve(doubled, old=old).found == []
