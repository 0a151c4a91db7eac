"""What is made around a training: queues, experiments, workflows, kits and inference services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

import trainergen
from tests.generate.crds import faults
from tests.generate.specs import content, keys, placed, resolved, with_job, with_runtime

if TYPE_CHECKING:
    from trainergen.generate.resolved import Resolved

QUEUE = {"name": "training", "quota": {"cpu": 64, "nvidia.com/gpu": 8}, "cohort": "research"}
STORAGE = {"result": {"mount": "/result", "claim": "result", "size": "1Ti"}}
PACKAGE = {"to": "registry.example.com/team/bert:1", "claim": "result", "path": "bert", "secret": "registry"}
SEARCH = {
    "metric": "loss",
    "goal": "minimize",
    "target": 0.1,
    "parameters": {
        "lr": {"min": 0.00001, "max": 0.1},
        "layers": {"min": 2, "max": 8, "step": 2, "whole": True},
        "optimizer": {"values": ["sgd", "adam"]},
    },
}
ARGS = ["--lr=${lr}", "--layers=${layers}", "--optimizer=${optimizer}", "--home=${HOME}"]


def queued(**queue: Any) -> Resolved:
    pools = {"a": {"labels": {"pool": "a"}, "taints": [{"key": "gpu"}]}}
    return resolved(environments={"dev": {"queue": queue, "node-pools": pools, "node-pool": "a"}})


def searched(**changed: Any) -> Any:
    found = resolved(jobs=with_job(args=ARGS, experiment={**SEARCH, **changed}))
    assert keys(found, "jobs") == []
    return placed(found, "neighbours", "bert-experiment")


def admitted(found: Resolved, train_job: dict[str, Any]) -> trainergen.Admission:
    """What the cluster says to a TrainJob that a neighbour makes."""
    metadata = {**train_job.get("metadata", {}), "name": "bert-abcde", "namespace": "team-dev"}
    metadata.pop("generateName", None)
    runtime = placed(found, "namespace", "runtime-torch")
    return trainergen.admit({**train_job, "metadata": metadata}, release="2.3", objects=[runtime])


def test_a_quota_makes_queues_and_the_flavor_of_the_nodes() -> None:
    found = queued(**QUEUE)

    made = [
        placed(found, "queues", "flavor-default-flavor"),
        placed(found, "queues", "cluster-queue"),
        placed(found, "namespace", "queue"),
    ]

    assert [fault for each in made for fault in faults(each)] == []
    flavor, cluster, local = made
    assert flavor["spec"] == {
        "nodeLabels": {"pool": "a"},
        "tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}],
    }
    assert cluster["spec"]["cohort"] == "research"
    assert cluster["spec"]["resourceGroups"][0]["coveredResources"] == ["cpu", "nvidia.com/gpu"]
    assert local["spec"]["clusterQueue"] == cluster["metadata"]["name"] == "team-dev"


def test_a_cluster_queue_without_a_quota_is_somebody_elses() -> None:
    found = queued(**{"name": "training", "cluster-queue": "shared"})

    assert keys(found, "queues") == []
    assert placed(found, "namespace", "queue")["spec"] == {"clusterQueue": "shared"}


def test_a_name_alone_is_a_queue_that_is_there() -> None:
    assert "queue" not in keys(queued(name="training"), "namespace")


def test_an_experiment_has_the_parameters_of_the_specification() -> None:
    spec = searched()["spec"]

    assert spec["objective"] == {"type": "minimize", "objectiveMetricName": "loss", "goal": 0.1}
    assert spec["parameters"] == [
        {"name": "lr", "parameterType": "double", "feasibleSpace": {"min": "0.00001", "max": "0.1"}},
        {"name": "layers", "parameterType": "int", "feasibleSpace": {"min": "2", "max": "8", "step": "2"}},
        {"name": "optimizer", "parameterType": "categorical", "feasibleSpace": {"list": ["sgd", "adam"]}},
    ]
    assert [each["name"] for each in spec["trialTemplate"]["trialParameters"]] == ["lr", "layers", "optimizer"]


def test_a_trial_refers_to_the_parameters_and_leaves_variables_of_the_shell_alone() -> None:
    trial = searched()["spec"]["trialTemplate"]["trialSpec"]

    assert trial["spec"]["trainer"]["args"] == [
        "--lr=${trialParameters.lr}",
        "--layers=${trialParameters.layers}",
        "--optimizer=${trialParameters.optimizer}",
        "--home=${HOME}",
    ]


def test_katib_looks_for_what_train_jobs_have() -> None:
    template = searched()["spec"]["trialTemplate"]

    assert template["primaryContainerName"] == "node"
    assert "Complete" in template["successCondition"]
    assert set(template["primaryPodLabels"]) == {
        "jobset.sigs.k8s.io/replicatedjob-name",
        "batch.kubernetes.io/job-completion-index",
    }


def test_the_name_of_an_experiment_changes_with_what_it_searches() -> None:
    names = {searched()["metadata"]["name"], searched(trials=20)["metadata"]["name"]}

    assert len(names) == 2
    assert searched()["metadata"]["name"] in names


def test_a_trial_is_a_train_job_that_the_cluster_accepts() -> None:
    found = resolved(jobs=with_job(args=ARGS, experiment=SEARCH))
    experiment = placed(found, "neighbours", "bert-experiment")

    assert not admitted(found, experiment["spec"]["trialTemplate"]["trialSpec"]).refused


def flow(**fields: Any) -> Resolved:
    return resolved(jobs=with_job(workflow={}, deadline="2h", **fields), runtimes=with_runtime(storage=STORAGE))


def steps(template: Any) -> list[str]:
    main = next(each for each in template["spec"]["templates"] if each["name"] == "main")
    return [step["template"] for group in main["steps"] for step in group]


def test_a_workflow_creates_the_train_job_and_waits_for_its_job_set() -> None:
    template = placed(flow(), "neighbours", "bert-workflow")

    assert steps(template) == ["create", "started", "ended"]
    by_name = {each["name"]: each for each in template["spec"]["templates"]}
    assert by_name["ended"]["activeDeadlineSeconds"] == 7200
    assert by_name["ended"]["resource"]["successCondition"] == "status.terminalState == Completed"
    assert by_name["ended"]["resource"]["failureCondition"] == "status.terminalState == Failed"


def test_the_train_job_of_a_workflow_is_one_that_the_cluster_accepts() -> None:
    found = flow()
    template = placed(found, "neighbours", "bert-workflow")

    create = next(each for each in template["spec"]["templates"] if each["name"] == "create")
    train_job = yaml.safe_load(create["resource"]["manifest"])

    assert train_job["metadata"]["generateName"] == "bert-"
    assert not admitted(found, train_job).refused


def test_a_workflow_has_an_account_that_may_do_just_what_its_steps_do() -> None:
    found = flow()
    role = placed(found, "neighbours", "training-workflow-role")

    assert {(each["resources"][0], *each["verbs"]) for each in role["rules"]} == {
        ("trainjobs", "create", "get"),
        ("jobsets", "get", "list", "watch"),
        ("workflowtaskresults", "create", "patch"),
    }
    assert keys(found, "jobs") == []


def test_two_workflows_may_share_an_account() -> None:
    jobs = {name: {**content()["jobs"]["bert"], "workflow": {}} for name in ("bert", "gpt")}

    made = keys(resolved(jobs=jobs), "neighbours")

    assert made == [
        "bert-workflow",
        "gpt-workflow",
        "training-workflow-role",
        "training-workflow-rolebinding",
        "training-workflow-serviceaccount",
    ]


def test_the_result_of_a_workflow_is_packed_in_its_last_step() -> None:
    found = flow(package=PACKAGE)

    assert steps(placed(found, "neighbours", "bert-workflow"))[-1] == "package"
    assert not any(key.startswith("bert-package") for key in keys(found, "neighbours"))


def packed(**fields: Any) -> tuple[Resolved, Any]:
    found = resolved(jobs=with_job(package=PACKAGE, **fields), runtimes=with_runtime(storage=STORAGE))
    return found, placed(found, "neighbours", "bert-package-job")


def test_a_package_waits_for_the_run() -> None:
    found, job = packed(deadline="2h")

    run = placed(found, "jobs", "bert")["metadata"]["name"]
    (wait,) = job["spec"]["template"]["spec"]["initContainers"]
    assert wait["args"][:3] == ["wait", "--for=condition=Complete", f"trainjobs.trainer.kubeflow.org/{run}"]
    assert job["spec"]["activeDeadlineSeconds"] > 7200


def test_a_package_has_its_credentials_from_a_secret_and_none_in_it() -> None:
    _, job = packed()
    pod = job["spec"]["template"]["spec"]

    assert {"name": "credentials", "secret": {"secretName": "registry", "items": [_CONFIG]}} in pod["volumes"]
    assert {each["name"]: each.get("value") for each in pod["containers"][0]["env"]}["MODELKIT"] == PACKAGE["to"]


_CONFIG = {"key": ".dockerconfigjson", "path": "config.json"}


def test_the_pods_of_a_package_are_such_as_a_restricted_namespace_takes() -> None:
    _, job = packed()
    pod = job["spec"]["template"]["spec"]

    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in (*pod["initContainers"], *pod["containers"]):
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]


def test_images_of_neighbours_come_from_the_registry_of_the_environment() -> None:
    found = resolved(
        environments={"dev": {"registry": "mirror.example.com"}},
        jobs=with_job(package=PACKAGE),
        runtimes=with_runtime(storage=STORAGE),
    )
    pod = placed(found, "neighbours", "bert-package-job")["spec"]["template"]["spec"]

    assert pod["initContainers"][0]["image"] == "mirror.example.com/kubectl:v1.36.0"
    assert pod["containers"][0]["image"] == "mirror.example.com/kitops-ml/kitops:v1.11.0"


@pytest.mark.parametrize("uri", ["pvc://result/bert", "kit://registry.example.com/team/bert:1", "hf://org/bert"])
def test_a_result_is_served_from_where_it_is(uri: str) -> None:
    found = resolved(
        jobs=with_job(package=PACKAGE, serving={"uri": uri, "gpus": 1}), runtimes=with_runtime(storage=STORAGE)
    )

    predictor = placed(found, "neighbours", "bert-serving")["spec"]["predictor"]

    assert predictor["model"]["storageUri"] == uri
    assert predictor["model"]["resources"]["limits"] == {"cpu": "2", "memory": "8Gi", "nvidia.com/gpu": "1"}


def test_whatever_changes_about_a_package_makes_another_job_since_none_can_be_changed() -> None:
    changed = (packed(), packed(nodes=2))
    moved = resolved(
        jobs=with_job(package={**PACKAGE, "to": "registry.example.com/team/bert:2"}),
        runtimes=with_runtime(storage=STORAGE),
    )

    names = [job["metadata"]["name"] for _, job in changed]
    names.append(placed(moved, "neighbours", "bert-package-job")["metadata"]["name"])

    assert len(set(names)) == 3
    assert packed()[1]["metadata"]["name"] == names[0]
    assert all(name.startswith("bert-package-") for name in names)
