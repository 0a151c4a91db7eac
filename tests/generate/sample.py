"""A small workspace in two environments, resolved by hand, for tests of what is written of one."""

from __future__ import annotations

from typing import Any

from trainergen.generate.resolved import Environment, Placed, Resolved
from trainergen.releases import get_release

CHAT = "{% for message in messages %}{{ message.content }}{% endfor %}\n"


def sample(**changed: Any) -> Resolved:
    """The workspace ``vision`` with the environments ``dev`` and ``prod``."""
    fields: dict[str, Any] = {
        "name": "vision",
        "release": get_release(changed.pop("release", "2.3")),
        "companions": {"kubernetes": "1.36", "jobset": "0.12", "kueue": "0.15"},
        "format": "kustomize",
        "delivery": "argocd",
        "install": True,
        "repository": "https://git.example.com/ml/training.git",
        "directory": "",
        "environments": (
            environment("dev", "https://dev.example.com", nodes=1, tag="1.5.0-rc1"),
            environment("prod", "https://prod.example.com", nodes=8, tag="1.4.2"),
        ),
    }
    return Resolved(**{**fields, **changed})


def environment(name: str, cluster: str, *, nodes: int, tag: str) -> Environment:
    """One environment: more nodes and another image, a queue of its own, and a job that only prod has."""
    namespace = f"vision-{name}"
    is_prod = name == "prod"
    placed = [
        Placed("namespace", "vision", _namespace(namespace)),
        Placed("namespace", "train", _meta("v1", "ServiceAccount", "train", namespace)),
        Placed("runtimes", "torch", _runtime(f"registry.example.com/{name}/torch:{tag}")),
        Placed("jobs", "resnet", _job("resnet", namespace, nodes=nodes)),
        Placed("jobs", "chat", _chat(namespace)),
    ]
    if is_prod:
        placed.append(Placed("jobs", "nightly", _job("nightly", namespace, nodes=2)))
    return Environment(name, namespace, cluster, "main", tuple(sorted(placed, key=lambda each: (each.part, each.key))))


def _meta(api: str, kind: str, name: str, namespace: str = "", **labels: str) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    if labels:
        metadata["labels"] = labels
    return {"apiVersion": api, "kind": kind, "metadata": metadata}


def _namespace(name: str) -> dict[str, Any]:
    found = _meta("v1", "Namespace", name)
    level = "baseline" if name.endswith("dev") else "restricted"
    found["metadata"]["labels"] = {"pod-security.kubernetes.io/enforce": level}
    return found


def _chat(namespace: str) -> dict[str, Any]:
    return {**_meta("v1", "ConfigMap", "chat", namespace), "data": {"chat.jinja": CHAT}}


def _runtime(image: str) -> dict[str, Any]:
    container = {
        "name": "node",
        "image": image,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "env": [{"name": "NCCL_DEBUG", "value": "INFO" if "/dev/" in image else "WARN"}],
    }
    pod = {
        "securityContext": {"runAsNonRoot": True, "runAsUser": 1000, "seccompProfile": {"type": "RuntimeDefault"}},
        "automountServiceAccountToken": False,
        "containers": [container],
    }
    if "/prod/" in image:
        pod["nodeSelector"] = {"example.com/pool": "gpu"}
    job = {
        "name": "node",
        "groupName": "default",
        "replicas": 1,
        "template": {
            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
            "spec": {"template": {"spec": pod}},
        },
    }
    runtime = _meta("trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime", "vision-torch-1")
    runtime["metadata"]["labels"] = {"trainer.kubeflow.org/framework": "torch"}
    spec = {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [job]}}}
    return {**runtime, "spec": spec}


def _job(name: str, namespace: str, *, nodes: int) -> dict[str, Any]:
    job = _meta("trainer.kubeflow.org/v1alpha1", "TrainJob", f"{name}-{nodes:08x}", namespace)
    trainer: dict[str, Any] = {
        "numNodes": nodes,
        "command": ["torchrun", "train.py", "--epochs=3"],
        "env": [{"name": "LEARNING_RATE", "value": "0.1" if nodes == 1 else "0.4"}],
        "resourcesPerNode": {
            "requests": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": str(min(nodes, 4))},
            "limits": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": str(min(nodes, 4))},
        },
    }
    spec = {
        "managedBy": "trainer.kubeflow.org/trainjob-controller",
        "activeDeadlineSeconds": 86400,
        "runtimeRef": {
            "apiGroup": "trainer.kubeflow.org",
            "kind": "ClusterTrainingRuntime",
            "name": "vision-torch-1",
        },
        "trainer": trainer,
    }
    return {**job, "spec": spec}
