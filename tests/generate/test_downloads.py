"""Downloads of data and model for runtimes that have none of their own."""

from __future__ import annotations

from typing import Any

import pytest

import trainergen
from tests.generate.specs import container, placed, pod, resolved, with_job, with_runtime
from trainergen.errors import TrainergenError
from trainergen.releases import RELEASES

SOURCES = {"data": "hf://org/data", "model": {"uri": "hf://org/model", "secret": "hub"}}


def made(base: str = "torch-distributed", *, release: str = "2.3", downloads: Any = ("data", "model")) -> Any:
    """A runtime with downloads and its job."""
    runtimes = with_runtime(
        **{"from": base, "downloads": list(downloads) if isinstance(downloads, tuple) else downloads}
    )
    found = resolved(release=release, runtimes=runtimes, jobs=with_job(**SOURCES))
    return placed(found, "namespace", "runtime-torch"), placed(found, "jobs", "bert")


def jobs(runtime: Any) -> dict[str, Any]:
    return {job["name"]: job for job in runtime["spec"]["template"]["spec"]["replicatedJobs"]}


@pytest.mark.parametrize("release", [each.name for each in RELEASES])
def test_downloads_are_accepted_by_every_release(release: str) -> None:
    runtime, job = made(release=release, downloads={"claim": "workspace"})
    for obj, others in ((runtime, []), (job, [runtime])):
        admitted = trainergen.admit(obj, release=release, objects=others)
        assert not admitted.refused, admitted.findings
    (job_set,) = (
        each for each in trainergen.render(job, [runtime], release=release).objects if each["kind"] == "JobSet"
    )
    rendered: Any = jobs({"spec": {"template": job_set}})
    env = rendered["model-initializer"]["template"]["spec"]["template"]["spec"]["containers"][0]
    assert {"name": "STORAGE_URI", "value": "hf://org/model"} in env["env"]
    assert env["envFrom"] == [{"secretRef": {"name": "hub"}}]


def test_they_run_one_after_the_other_before_the_training() -> None:
    runtime, _ = made()
    found = jobs(runtime)
    assert list(found) == ["dataset-initializer", "model-initializer", "node"]
    assert "dependsOn" not in found["dataset-initializer"]
    assert found["model-initializer"]["dependsOn"] == [{"name": "dataset-initializer", "status": "Complete"}]
    assert found["node"]["dependsOn"] == [{"name": "model-initializer", "status": "Complete"}]
    assert pod(runtime, "dataset-initializer")["securityContext"]["runAsNonRoot"] is True


def test_the_launcher_of_mpi_still_waits_for_its_nodes_alone() -> None:
    runtime, _ = made("mpi-horovod", downloads=("data", "model"))
    found = jobs(runtime)
    assert list(found) == ["dataset-initializer", "model-initializer", "node", "launcher"]
    assert found["node"]["dependsOn"] == [{"name": "model-initializer", "status": "Complete"}]
    assert found["launcher"]["dependsOn"] == [{"name": "node", "status": "Ready"}]


def test_each_run_gets_a_volume_unless_a_claim_is_named() -> None:
    runtime, _ = made(downloads={"size": "1Ti", "class": "shared"})
    (policy,) = runtime["spec"]["template"]["spec"]["volumeClaimPolicies"]
    assert policy["templates"][0]["spec"] == {
        "accessModes": ["ReadWriteMany"],
        "resources": {"requests": {"storage": "1Ti"}},
        "storageClassName": "shared",
    }
    assert {"name": "initializer", "mountPath": "/workspace"} in container(runtime)["volumeMounts"]
    claimed, _ = made(downloads={"claim": "mine"})
    assert "volumeClaimPolicies" not in claimed["spec"]["template"]["spec"]
    for name in jobs(claimed):
        volumes = {each["name"]: each for each in pod(claimed, name)["volumes"]}
        assert volumes["initializer"]["persistentVolumeClaim"] == {"claimName": "mine"}


def test_a_base_that_downloads_stays_as_it_is() -> None:
    with_downloads, _ = made("torchtune-llama3.2-1b")
    runtimes = with_runtime(**{"from": "torchtune-llama3.2-1b"})
    without = placed(resolved(runtimes=runtimes), "namespace", "runtime-torch")
    assert with_downloads == without


def test_a_release_that_makes_no_claims_needs_one() -> None:
    with pytest.raises(TrainergenError, match=r"Trainer 2\.1 makes no claims for runs"):
        made(release="2.1")


def test_a_job_says_what_is_downloaded_unless_the_runtime_does() -> None:
    with pytest.raises(TrainergenError, match="the runtime 'torch' downloads a model, and the job does not say which"):
        resolved(runtimes=with_runtime(downloads=["data", "model"]), jobs=with_job(data="hf://a/b"))
    assert resolved(runtimes=with_runtime(**{"from": "torchtune-llama3.2-1b"})).environments
