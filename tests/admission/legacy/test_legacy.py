"""What the Training Operator's schemas and webhooks say of legacy jobs."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from trainergen.admission.legacy import admit_legacy, is_served
from trainergen.admission.legacy.kinds import KINDS, LegacyKind


def job_of(kind: LegacyKind, name: str = "job") -> dict[str, Any]:
    """A small job of the kind that its operator takes."""
    container = {"name": kind.container or "main", "image": "example.org/train:1"}
    role = {"replicas": 1, "template": {"spec": {"containers": [container]}}}
    roles = {"MPIJob": ("Launcher", "Worker"), "MXJob": ("Worker",), "TFJob": ("Chief", "Worker")}
    names = roles.get(kind.kind, kind.roles)
    spec: dict[str, Any] = {kind.replicas_key: {each: deepcopy(role) for each in names}}
    if kind.kind == "MXJob":
        spec["jobMode"] = "MXTrain"
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, "spec": spec}


def pytorch() -> dict[str, Any]:
    return job_of(KINDS["v1", "PyTorchJob"])


def verdict(job: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.rule, finding.path) for finding in admit_legacy(job).findings]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: f"{kind.version} {kind.kind}")
def test_a_small_job_of_every_kind_is_accepted(kind: LegacyKind) -> None:
    admission = admit_legacy(job_of(kind))
    assert (admission.findings, admission.refused) == ((), False)


def _set(*path: Any) -> Callable[[dict[str, Any]], None]:
    *steps, last, value = path

    def change(job: dict[str, Any]) -> None:
        at: Any = job
        for step in steps:
            at = at[step]
        if value is None:
            del at[last]
        else:
            at[last] = value

    return change


_MASTER = ("spec", "pytorchReplicaSpecs", "Master")
_CONTAINERS = (*_MASTER, "template", "spec", "containers")
REFUSED: dict[str, tuple[Callable[[dict[str, Any]], None], str, str]] = {
    "a name in capitals": (_set("metadata", "name", "Job"), "TG180", "metadata.name"),
    "a Master without replicas": (
        _set(*_MASTER, "replicas", None),
        "TG182",
        "spec.pytorchReplicaSpecs.Master.replicas",
    ),
    "two Masters": (_set(*_MASTER, "replicas", 2), "TG182", "spec.pytorchReplicaSpecs.Master.replicas"),
    "no Workers at all": (
        _set("spec", "pytorchReplicaSpecs", "Worker", "replicas", 0),
        "TG182",
        "spec.pytorchReplicaSpecs.Worker.replicas",
    ),
    "a container of another name": (
        _set(*_CONTAINERS, 0, "name", "main"),
        "TG183",
        "spec.pytorchReplicaSpecs.Master.template.spec.containers",
    ),
    "a container without image": (
        _set(*_CONTAINERS, 0, "image", None),
        "TG183",
        "spec.pytorchReplicaSpecs.Master.template.spec.containers[0].image",
    ),
    "an unknown manager": (_set("spec", "runPolicy", {"managedBy": "me"}), "TG184", "spec.runPolicy.managedBy"),
    "an unknown field": (_set("spec", "replicas", 3), "TG101", "spec.replicas"),
    "an integer for nprocPerNode": (_set("spec", "nprocPerNode", 4), "TG102", "spec.nprocPerNode"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_pytorchjob_is_refused_for(case: str) -> None:
    change, rule, path = REFUSED[case]
    job = pytorch()
    change(job)
    assert (rule, path) in verdict(job)
    assert admit_legacy(job).refused


def test_a_role_in_lower_case_is_refused_by_its_key() -> None:
    job = pytorch()
    roles = job["spec"]["pytorchReplicaSpecs"]
    roles["worker"] = roles.pop("Worker")
    (finding,) = admit_legacy(job).findings
    assert (finding.rule, finding.on_key) == ("TG181", True)
    assert "did you mean 'Worker'" in finding.message


def test_roles_of_a_tfjob_may_be_spelt_as_one_likes_but_not_be_chief_and_master() -> None:
    job = job_of(KINDS["v1", "TFJob"])
    roles = job["spec"]["tfReplicaSpecs"]
    roles["ps"] = deepcopy(roles["Worker"])
    assert verdict(job) == []
    roles["Master"] = deepcopy(roles["Worker"])
    assert verdict(job) == [("TG181", "spec.tfReplicaSpecs")]


def test_an_elastic_policy_needs_workers_and_one_way_to_say_the_processes() -> None:
    job = pytorch()
    job["spec"] |= {"elasticPolicy": {"nProcPerNode": 2}, "nprocPerNode": "2"}
    del job["spec"]["pytorchReplicaSpecs"]["Worker"]
    assert [rule for rule, _ in verdict(job)] == ["TG185", "TG188", "TG185"]


def test_an_xgboostjob_needs_a_master() -> None:
    job = job_of(KINDS["v1", "XGBoostJob"])
    del job["spec"]["xgbReplicaSpecs"]["Master"]
    assert verdict(job) == [("TG181", "spec.xgbReplicaSpecs")]


@pytest.mark.parametrize("version", ["v1", "v2beta1"])
def test_an_mpijob_without_launcher_never_starts(version: str) -> None:
    job = job_of(KINDS[version, "MPIJob"])
    del job["spec"]["mpiReplicaSpecs"]["Launcher"]
    assert ("TG187", "spec.mpiReplicaSpecs") in verdict(job)


NEVER_STARTED = {
    "a launcher that always restarts": ("Launcher", {"restartPolicy": "Always"}, "restartPolicy"),
    "a worker that restarts by exit code": ("Worker", {"restartPolicy": "ExitCode"}, "restartPolicy"),
    "no workers where the role is there": ("Worker", {"replicas": 0}, "replicas"),
    "workers without a number": ("Worker", {"replicas": None}, "replicas"),
    "two launchers": ("Launcher", {"replicas": 2}, "replicas"),
}


@pytest.mark.parametrize("case", NEVER_STARTED)
def test_the_mpi_operator_never_starts_a_job_with(case: str) -> None:
    role, values, field = NEVER_STARTED[case]
    job = job_of(KINDS["v2beta1", "MPIJob"])
    spec = job["spec"]["mpiReplicaSpecs"][role]
    spec |= values
    if spec["replicas"] is None:
        del spec["replicas"]
    assert verdict(job) == [("TG187", f"spec.mpiReplicaSpecs.{role}.{field}")]


def test_the_two_mpijobs_have_schemas_of_their_own() -> None:
    job = job_of(KINDS["v1", "MPIJob"])
    job["spec"]["mainContainer"] = "main"
    assert verdict(job) == []
    job["apiVersion"] = "kubeflow.org/v2beta1"
    assert verdict(job) == [("TG101", "spec.mainContainer")]


def test_a_kind_in_a_version_that_nobody_serves_is_refused() -> None:
    job = pytorch() | {"apiVersion": "kubeflow.org/v2beta1"}
    assert verdict(job) == [("TG186", "apiVersion")]
    assert (is_served(job), is_served(pytorch())) == (False, True)


def test_the_queue_of_a_stored_job_may_not_change() -> None:
    old, new = pytorch(), pytorch()
    for job, queue in ((old, "one"), (new, "two")):
        job["metadata"] |= {"resourceVersion": "1", "uid": "u"}
        job["spec"]["runPolicy"] = {"schedulingPolicy": {"queue": queue}}
    assert admit_legacy(new, old=old).refused
    assert not admit_legacy(old, old=old).refused
