"""Worked examples: whole objects for small inputs."""

from __future__ import annotations

from typing import Any

from tests.render.builders import (
    INDEX,
    container,
    counts,
    env,
    find,
    node,
    render,
    rendered,
    replicated,
    runtime,
    train_job,
    trainer_job,
)

REQUESTS = {"requests": {"cpu": "2", "memory": "4Gi"}}
SMALL = runtime(
    trainer_job(
        container(
            image="example/torch:1",
            command=["torchrun"],
            args=["/app/main.py"],
            env=[{"name": "A", "value": "rt"}, {"name": "B", "value": "rt"}],
            resources=REQUESTS,
        )
    ),
    policy={"numNodes": 1, "torch": {}},
    gang={"coscheduling": {"scheduleTimeoutSeconds": 60}},
    template={"metadata": {"labels": {"team": "red"}}},
)
TRAINER: dict[str, Any] = {
    "numNodes": 3,
    "image": "example/torch:2",
    "env": [{"name": "B", "value": "tj"}, {"name": "C", "value": "tj"}],
    "resourcesPerNode": {"limits": {"nvidia.com/gpu": "2"}},
}


def test_torch_with_coscheduling() -> None:
    result = render(train_job(TRAINER, name="demo"), [SMALL])
    assert [(item["kind"], item["metadata"]["name"]) for item in result.objects] == [
        ("ConfigMap", "demo-runtime-snapshot"),
        ("PodGroup", "demo"),
        ("JobSet", "demo"),
    ]
    owner = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "name": "demo",
        "uid": "u-1",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    values = {"PET_NNODES": "3", "PET_NPROC_PER_NODE": "auto"}
    master = {"PET_MASTER_ADDR": "demo-node-0-0.demo", "PET_MASTER_PORT": "29500"}
    variables = [
        *({"name": name, "value": value} for name, value in {"A": "rt", "B": "tj", "C": "tj", **values}.items()),
        {"name": "PET_NODE_RANK", "valueFrom": INDEX},
        *({"name": name, "value": value} for name, value in master.items()),
    ]
    assert find(result, "JobSet") == {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "demo", "namespace": "ml", "labels": {"team": "red"}, "ownerReferences": [owner]},
        "spec": {
            "suspend": False,
            "replicatedJobs": [
                {
                    "name": "node",
                    "replicas": 1,
                    "groupName": "default",
                    "template": {
                        "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                        "spec": {
                            "parallelism": 3,
                            "completions": 3,
                            "template": {
                                "metadata": {"labels": {"scheduling.x-k8s.io/pod-group": "demo"}},
                                "spec": {
                                    "containers": [
                                        {
                                            "name": "node",
                                            "image": "example/torch:2",
                                            "command": ["torchrun"],
                                            "args": ["/app/main.py"],
                                            "env": variables,
                                            "ports": [{"containerPort": 29500}],
                                            "resources": {**REQUESTS, "limits": {"nvidia.com/gpu": "2"}},
                                        }
                                    ]
                                },
                            },
                        },
                    },
                }
            ],
        },
    }
    assert find(result, "PodGroup")["spec"] == {
        "minMember": 3,
        "minResources": {"cpu": "6", "memory": "12Gi"},
        "scheduleTimeoutSeconds": 60,
    }


def test_the_same_in_earlier_releases() -> None:
    gpus = {"limits": {"nvidia.com/gpu": "2"}}
    for release, requests in (("2.2", {}), ("2.1", {"cpu": "6", "memory": "12Gi"})):
        result = rendered(TRAINER, SMALL, release=release)
        assert node(result)["resources"] == gpus
        assert find(result, "PodGroup")["spec"]["minResources"] == requests


def test_memory_alone_on_a_runtime_with_gpus_keeps_them_and_starts_one_process() -> None:
    limits = {"limits": {"cpu": "8", "nvidia.com/gpu": "4"}}
    rt = runtime(trainer_job(container(resources=limits)), policy={"torch": {}})
    result = rendered({"resourcesPerNode": {"requests": {"memory": "1Gi"}}}, rt)
    assert node(result)["resources"] == {**limits, "requests": {"memory": "1Gi"}}
    assert env(result)["PET_NPROC_PER_NODE"] == "1"


def test_a_flux_job_end_to_end() -> None:
    trainer = {"numNodes": 2, "command": ["trainjob"], "args": ["trainjob"]}
    result = rendered(trainer, runtime(policy={"flux": {}}))
    assert node(result)["command"] == ["/bin/bash", "/etc/flux-config/entrypoint.sh", "trainjob trainjob"]
    assert counts(result) == (2, 2)
    assert [item["metadata"]["name"] for item in result.objects] == [
        "tj-runtime-snapshot",
        "tj-flux-entrypoint",
        "tj-flux-curve",
        "tj",
    ]


def test_a_runtime_as_it_lies_in_the_repository_needs_no_defaults() -> None:
    job = replicated(render(train_job({}, runtimeRef={"name": "torch-distributed"})))
    assert (job["replicas"], job["groupName"]) == (1, "default")
