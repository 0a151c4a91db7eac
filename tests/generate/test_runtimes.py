"""Runtimes of a specification, made of what releases ship and of our recipes."""

from __future__ import annotations

import re
from typing import Any

import pytest

import trainergen
from tests.generate.specs import container, content, placed, pod, resolved, with_runtime
from trainergen.catalogue.recipes import RECIPES
from trainergen.errors import TrainergenError
from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes

BASES = [
    *((release.name, base) for release in RELEASES for base in shipped_runtimes(release.name)),
    *((release, recipe.name) for recipe in RECIPES for release in recipe.releases),
]


def runtime(environment: str = "dev", **fields: Any) -> Any:
    """The runtime of a specification whose runtime has these fields."""
    changed = {key: fields.pop(key) for key in ("environments", "release") if key in fields}
    if "in_environments" in fields:
        fields["environments"] = fields.pop("in_environments")
    made = resolved(runtimes=with_runtime(**fields), jobs={}, **changed)
    return placed(made, "namespace", "runtime-torch", environment)


@pytest.mark.parametrize(("release", "base"), BASES)
def test_every_runtime_of_the_catalogue_can_be_made_the_teams_own(release: str, base: str) -> None:
    environments = {"dev": {"pod-security": "baseline"}}
    found = resolved(release=release, environments=environments, runtimes=with_runtime(**{"from": base}), jobs={})
    made = placed(found, "namespace", "runtime-torch")
    admitted = trainergen.admit(made, release=release)
    assert not admitted.refused, admitted.findings
    assert "trainer.kubeflow.org/webhook-validation" not in made["metadata"].get("labels", {})
    for job in made["spec"]["template"]["spec"]["replicatedJobs"]:
        spec = job["template"]["spec"]["template"]["spec"]
        assert job["replicas"] == 1
        assert spec["securityContext"]["runAsNonRoot"] is True
        for each in spec["containers"]:
            assert each["securityContext"]["allowPrivilegeEscalation"] is False
            assert ":" in each["image"].rpartition("/")[2]


def test_a_runtime_of_the_namespace_is_the_default_and_one_of_the_cluster_can_be_asked_for() -> None:
    found = resolved(runtimes={**with_runtime(), "shared": {"from": "torch-ddp", "scope": "cluster", "version": "2.1"}})
    own, shared = placed(found, "namespace", "runtime-torch"), placed(found, "runtimes", "shared")
    assert (own["kind"], own["metadata"]["namespace"]) == ("TrainingRuntime", "team-dev")
    assert re.fullmatch("team-torch-[0-9a-f]{8}", own["metadata"]["name"])
    assert (shared["kind"], shared["metadata"]["name"]) == ("ClusterTrainingRuntime", "team-shared-2.1")
    assert "namespace" not in shared["metadata"]


def test_a_torchtune_runtime_is_called_so_that_the_controller_finds_its_model() -> None:
    found = resolved(runtimes={"fine-tune": {"from": "torchtune-llama3.2-1b"}}, jobs={})
    name = placed(found, "namespace", "runtime-fine-tune")["metadata"]["name"]
    assert re.fullmatch(r"team\.fine\.tune\.[0-9a-f]{8}-llama3\.2-1b", name)


def test_a_runtime_has_another_name_when_it_is_another_unless_it_has_a_version() -> None:
    def name(**fields: Any) -> str:
        return str(runtime(**fields)["metadata"]["name"])

    assert name() == name()
    assert name(restarts=5) != name()
    assert name(version="1.0", restarts=5) == name(version="1.0") == "team-torch-1.0"


def test_resources_are_requests_and_limits_alike_and_follow_the_size_of_the_environment() -> None:
    sizes = {"environments": {"dev": {"size": {"cpu": 0.3, "memory": 0.1, "gpus": 0.25}}, "prod": {}}}
    small = container(runtime(**sizes, gpus=8, cpu=7, memory="5Gi"))["resources"]
    large = container(runtime("prod", **sizes, gpus=8, cpu=7, memory="5Gi"))["resources"]
    assert small["limits"] == small["requests"] == {"cpu": "2100m", "memory": "512Mi", "nvidia.com/gpu": "2"}
    assert large["limits"] == {"cpu": "7", "memory": "5Gi", "nvidia.com/gpu": "8"}


def test_gpus_of_a_recipe_can_be_taken_away_and_called_otherwise() -> None:
    without = container(runtime(**{"from": "torch-ddp", "gpus": 0}))["resources"]["limits"]
    assert set(without) == {"cpu", "memory"}
    other = container(runtime(**{"gpus": 2, "gpu-resource": "amd.com/gpu"}))["resources"]["limits"]
    assert other["amd.com/gpu"] == "2"


def test_launcher_and_nodes_of_mpi_have_the_same_image_and_resources() -> None:
    made = runtime(**{"from": "mpi-horovod", "image": "r.example.com/horovod:1", "gpus": 4, "cpu": 8})
    assert made["spec"]["mlPolicy"]["numNodes"] == 1
    launcher, node = container(made, "launcher"), container(made, "node")
    assert launcher["image"] == node["image"] == "r.example.com/horovod:1"
    assert launcher["resources"] == node["resources"]
    assert "HOME" not in {each["name"] for each in node["env"]}


def test_images_come_from_the_registry_of_the_environment() -> None:
    environment = {"registry": "r.example.com/all", "registries": {"ghcr.io": "ghcr.example.com"}}
    made = placed(
        resolved(environments={"dev": environment}, runtimes={"tune": {"from": "torchtune-llama3.2-1b"}}, jobs={}),
        "namespace",
        "runtime-tune",
    )
    assert container(made)["image"] == "ghcr.example.com/kubeflow/trainer/torchtune-trainer:v2.3.0"
    assert container(runtime(environments={"dev": environment}))["image"].startswith(
        "r.example.com/all/pytorch/pytorch:"
    )


def test_the_image_of_the_data_cache_moves_with_the_others() -> None:
    made = runtime(
        environments={"dev": {"registry": "r.example.com", "pod-security": "baseline"}}, **{"from": "torch-data-cache"}
    )
    env = pod(made, "dataset-initializer")["containers"][0]["env"]
    assert {"name": "CACHE_IMAGE", "value": "r.example.com/kubeflow/trainer/data-cache:v2.3.0"} in env


def test_an_environment_can_have_another_image_and_further_variables() -> None:
    fields = {
        "image": "a:1",
        "env": {"A": "1", "B": "1"},
        "in_environments": {"dev": {"image": "a:2", "env": {"B": "2"}}},
    }
    made = container(runtime(**fields))
    assert made["image"] == "a:2"
    assert [each for each in made["env"] if each["name"] in "AB"] == [
        {"name": "A", "value": "1"},
        {"name": "B", "value": "2"},
    ]


def test_storage_is_mounted_and_a_claim_with_a_size_is_generated() -> None:
    storage = {
        "data": {"mount": "/data", "claim": "data", "read-only": True},
        "out": {"mount": "/out", "claim": "out", "size": "1Ti", "class": "fast"},
        "scratch": {"mount": "/scratch", "size": "10Gi"},
    }
    found = resolved(runtimes=with_runtime(storage=storage))
    made = placed(found, "namespace", "runtime-torch")
    volumes = {each["name"]: each for each in pod(made)["volumes"]}
    assert volumes["data"]["persistentVolumeClaim"] == {"claimName": "data", "readOnly": True}
    assert volumes["scratch"]["emptyDir"] == {"sizeLimit": "10Gi"}
    assert {"name": "out", "mountPath": "/out"} in container(made)["volumeMounts"]
    claim = placed(found, "namespace", "claim-out")
    assert claim["spec"]["resources"]["requests"]["storage"] == "1Ti"
    assert claim["spec"]["storageClassName"] == "fast"


@pytest.mark.parametrize(
    ("gang", "policy", "scheduler"),
    [
        ("volcano", {"volcano": {}}, "volcano"),
        ("coscheduling", {"coscheduling": {"scheduleTimeoutSeconds": 120}}, "scheduler-plugins-scheduler"),
        ("none", None, None),
    ],
)
def test_a_gang_is_told_to_its_scheduler(gang: str, policy: Any, scheduler: Any) -> None:
    made = runtime(gang=gang)
    assert made["spec"].get("podGroupPolicy") == policy
    assert pod(made).get("schedulerName") == scheduler


def test_topology_is_said_in_the_words_of_who_starts_the_pods() -> None:
    level = {"topology": "example.com/rack"}
    queue = {"environments": {"dev": {"queue": "q"}}}
    template = runtime(**queue, **level)["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"][
        "template"
    ]
    assert template["metadata"]["annotations"] == {"kueue.x-k8s.io/podset-required-topology": "example.com/rack"}
    affinity = pod(runtime(**level))["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert affinity[0]["topologyKey"] == "example.com/rack"
    assert affinity[0]["matchLabelKeys"] == ["jobset.sigs.k8s.io/jobset-name"]
    tier = runtime(gang="volcano", topology={"level": "2", "required": False})["spec"]["podGroupPolicy"]["volcano"]
    assert tier == {"networkTopology": {"mode": "soft", "highestTierAllowed": 2}}
    with pytest.raises(TrainergenError, match="Volcano is told the highest tier"):
        runtime(gang="volcano", **level)


def test_a_gang_that_the_release_lacks_is_refused() -> None:
    with pytest.raises(TrainergenError, match=r"Trainer 2\.0 knows no gang scheduling by volcano"):
        runtime(release="2.0", gang="volcano")


def test_pools_bring_pods_to_their_nodes() -> None:
    pools = {"gpu": {"labels": {"pool": "gpu"}, "taints": [{"key": "gpu", "value": "yes"}, {"key": "x", "effect": ""}]}}
    spec = pod(runtime(environments={"dev": {"node-pools": pools, "node-pool": "gpu"}}))
    assert spec["nodeSelector"] == {"pool": "gpu"}
    assert spec["tolerations"] == [
        {"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"},
        {"key": "x", "operator": "Exists"},
    ]


def test_several_gpus_get_shared_memory_and_its_size_can_be_set() -> None:
    def shared(**fields: Any) -> Any:
        volumes = {each["name"]: each for each in pod(runtime(**fields))["volumes"]}
        return volumes.get("shared-memory", {}).get("emptyDir")

    assert shared() is None
    assert shared(gpus=2) == {"medium": "Memory", "sizeLimit": "16Gi"}
    assert shared(**{"shared-memory": "1Gi"}) == {"medium": "Memory", "sizeLimit": "1Gi"}
    assert shared(**{"from": "torch-ddp", "shared-memory": "2Gi"}) == {"medium": "Memory", "sizeLimit": "2Gi"}


def test_trainings_start_over_as_often_as_is_said() -> None:
    def policy(**fields: Any) -> Any:
        return runtime(**fields)["spec"]["template"]["spec"]["failurePolicy"]

    assert policy() == {"maxRestarts": 3}
    assert policy(restarts=0) == {"maxRestarts": 0}
    assert policy(**{"from": "torch-ddp", "restarts": 7})["maxRestarts"] == 7
    assert policy(**{"from": "torch-ddp", "restarts": 7})["restartStrategy"] == "BlockingRecreate"


def test_security_can_be_left_as_it_is() -> None:
    spec = pod(runtime(security="unchanged"))
    assert "securityContext" not in spec
    assert "automountServiceAccountToken" not in spec
    baseline = pod(runtime(security="baseline"))
    assert baseline["automountServiceAccountToken"] is False
    assert "securityContext" not in baseline


def test_one_cluster_cannot_hold_two_runtimes_of_one_name() -> None:
    environments = {"dev": {"cluster": "c", "registry": "r.example.com"}, "prod": {"cluster": "c"}}
    with pytest.raises(TrainergenError, match=r"'torch' differs between 'dev' and 'prod' on one cluster"):
        resolved(environments=environments, runtimes=with_runtime(scope="cluster", version="1.0"))
    assert resolved(environments=environments, runtimes=with_runtime(scope="cluster")).environments
    assert resolved(environments=environments, runtimes=content()["runtimes"]).environments


def test_the_data_cache_gets_its_account_and_needs_a_namespace_that_lets_it_in() -> None:
    cached = with_runtime(**{"from": "torch-data-cache"})
    found = resolved(environments={"dev": {"pod-security": "baseline"}}, runtimes=cached, jobs={})
    rights = placed(found, "namespace", "cache-rights")
    assert rights["subjects"] == [
        {"kind": "ServiceAccount", "name": "kubeflow-trainer-cache-initializer", "namespace": "team-dev"}
    ]
    assert placed(found, "namespace", "cache-account")["kind"] == "ServiceAccount"
    with pytest.raises(TrainergenError, match="the Pods of the data cache are not 'restricted'"):
        resolved(runtimes=cached, jobs={})
