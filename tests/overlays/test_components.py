"""The components in overlays/components: what each changes, that nothing else does, and what the check says of it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.overlays.kustomize import JOBS, OVERLAYS, at, attempt, build, kustomization, pod, the, write
from trainergen.generate.generate import main as generate

COMPONENTS = OVERLAYS / "components"
NAMES = sorted(path.parent.name for path in COMPONENTS.glob("*/kustomization.yaml"))
ON_JOBS = {name for name in NAMES if name.endswith("-job")} | {"kueue"}
ON_NAMESPACES = {"restricted-namespace", "data-cache"}
ON_RUNTIMES = set(NAMES) - ON_JOBS - ON_NAMESPACES

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: {kind}
metadata:
  name: team-torch
  labels: {{trainer.kubeflow.org/framework: torch}}
spec:
  mlPolicy: {{numNodes: 2, torch: {{}}}}
  template:
    spec:
      failurePolicy: {{restartStrategy: BlockingRecreate}}
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}}}
          spec:
            template:
              spec:
                containers:
                - name: dataset-initializer
                  image: ghcr.io/example/fetch:1
                  env: [{{name: FIRST, value: "1"}}]
                volumes: [{{name: initializer, emptyDir: {{}}}}]
      - name: node
        dependsOn: [{{name: dataset-initializer, status: Complete}}]
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec:
            backoffLimit: 0
            template:
              metadata:
                labels: {{team: vision}}
                annotations: {{example.org/owner: vision}}
              spec:
                nodeSelector: {{example.org/pool: gpu}}
                tolerations: [{{key: nvidia.com/gpu, operator: Exists}}]
                securityContext: {{supplementalGroups: [5]}}
                initContainers: [{{name: prepare, image: ghcr.io/example/prepare:1}}]
                volumes: [{{name: data, emptyDir: {{}}}}, {{name: scratch, emptyDir: {{}}}}]
                containers:
                - name: proxy
                  image: ghcr.io/example/proxy:1
                  resources: {{limits: {{cpu: "1"}}}}
                - name: node
                  image: ghcr.io/example/train:1
                  env: [{{name: A, value: "1"}}, {{name: B, value: "$(A)2"}}]
                  volumeMounts: [{{name: data, mountPath: /data}}, {{name: scratch, mountPath: /scratch}}]
                  resources: {{limits: {{nvidia.com/gpu: "8"}}, requests: {{nvidia.com/gpu: "8"}}}}
                  securityContext: {{capabilities: {{add: [SYS_NICE]}}}}
"""
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: bert-r1
  labels: {team: vision}
spec:
  runtimeRef: {name: team-torch}
  trainer:
    env: [{name: A, value: "1"}, {name: B, value: "2"}]
  runtimePatches:
  - manager: platform.example.com/gitops
    trainingRuntimeSpec:
      template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {nodeSelector: {a: b}}}}}}]}}
"""
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: vision, labels: {team: vision}}\n"
BASES = {
    "runtimes": [RUNTIME.format(kind="ClusterTrainingRuntime"), RUNTIME.format(kind="TrainingRuntime")],
    "jobs": [JOB],
    "namespace": [NAMESPACE],
}
KEYS = ("name", "key", "manager")


def laid_out(folder: Path, name: str, bases: dict[str, list[str]] | None = None) -> Path:
    """The component beside bases, and a kustomization as its README has it."""
    shutil.copytree(COMPONENTS / name, folder / "components" / name, dirs_exist_ok=True)
    for base, texts in (bases or BASES).items():
        files = {"all.yaml": "---\n".join(texts), "kustomization.yaml": kustomization(resources=["all.yaml"])}
        write(folder / base, files)
    (used,) = re.findall(r"```yaml\n(.*?)```", (COMPONENTS / name / "README.md").read_text(encoding="utf-8"), re.S)
    return write(folder / "overlay", {"kustomization.yaml": used})


def base_of(folder: Path) -> Path:
    """The base that the README's kustomization takes."""
    (resource,) = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    return folder / resource


def identity(item: Any) -> Any:
    return next((item[key] for key in KEYS if key in item), None) if isinstance(item, dict) else item


def lost(before: Any, after: Any, path: str = "", *, moves: bool = False) -> list[str]:
    """The paths at which ``after`` lacks something of ``before``, has another value, or, unless it ``moves``, order."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            each for key, value in before.items() for each in lost(value, after.get(key), f"{path}.{key}", moves=moves)
        ]
    if isinstance(before, list) and isinstance(after, list):
        names, order = [[identity(item) for item in items] for items in (before, after)]
        kept = [name for name in order if name in names]
        if len(kept) != len(names) or (kept != names and not moves):
            return [path]
        found = [after[order.index(name)] for name in names]
        return [each for old, new in zip(before, found, strict=True) for each in lost(old, new, path, moves=moves)]
    return [] if before == after else [path]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_the_base_is_lost_or_moves(name: str, tmp_path: Path) -> None:
    overlay = laid_out(tmp_path, name)
    before = {(each["kind"], each["metadata"]["name"]): each for each in build(base_of(overlay))}
    after = {(each["kind"], each["metadata"]["name"]): each for each in build(overlay)}
    # A patch puts what it names first, so the one that the README of trainer-kustomize shows moves a container.
    moves = name == "trainer-kustomize"
    gone = {key: lost(value, after.get(key), moves=moves) for key, value in before.items()}
    assert gone == {key: [] for key in before}
    assert after != before
    assert not any(kind == "Values" for kind, _ in after)


def container(runtime: dict[str, Any], name: str = "node") -> Any:
    return at(pod(runtime, "node"), "containers", name)


def metadata(runtime: dict[str, Any], job: str) -> Any:
    return at(runtime, *JOBS, job, "template", "spec", "template", "metadata")


def variables(items: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["name"], each["value"]) for each in items]


NCCL = [("NCCL_DEBUG", "INFO"), ("NCCL_DEBUG_SUBSYS", "INIT,NET,GRAPH"), ("TORCH_DISTRIBUTED_DEBUG", "DETAIL")]
SPOT = {"key": "cloud.google.com/gke-spot", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
RESTRICTED = {
    "runAsNonRoot": True,
    "runAsUser": 1000,
    "runAsGroup": 1000,
    "fsGroup": 1000,
    "seccompProfile": {"type": "RuntimeDefault"},
}
CONFINED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def _coscheduling(runtime: dict[str, Any]) -> None:
    assert runtime["spec"]["podGroupPolicy"] == {"coscheduling": {"scheduleTimeoutSeconds": 300}}
    names = {pod(runtime, job)["schedulerName"] for job in ("dataset-initializer", "node")}
    assert names == {"scheduler-plugins-scheduler"}


def _volcano(runtime: dict[str, Any]) -> None:
    assert runtime["spec"]["podGroupPolicy"] == {"volcano": {}}
    assert {pod(runtime, job)["schedulerName"] for job in ("dataset-initializer", "node")} == {"volcano"}


def _topology(runtime: dict[str, Any]) -> None:
    rack = {"kueue.x-k8s.io/podset-preferred-topology": "cloud.provider.com/topology-rack"}
    assert metadata(runtime, "node")["annotations"] == {"example.org/owner": "vision"} | rack
    assert metadata(runtime, "dataset-initializer")["annotations"] == rack


def _restricted(runtime: dict[str, Any]) -> None:
    assert pod(runtime, "node")["securityContext"] == {"supplementalGroups": [5]} | RESTRICTED
    assert pod(runtime, "dataset-initializer")["securityContext"] == RESTRICTED
    assert container(runtime, "proxy")["securityContext"] == CONFINED
    both = {"add": ["SYS_NICE"], "drop": ["ALL"]}
    assert container(runtime)["securityContext"] == CONFINED | {"capabilities": both}


def _restricted_init_containers(runtime: dict[str, Any]) -> None:
    assert at(pod(runtime, "node"), "initContainers", "prepare", "securityContext") == CONFINED


def _istio_off(runtime: dict[str, Any]) -> None:
    assert metadata(runtime, "node")["labels"] == {"team": "vision", "sidecar.istio.io/inject": "false"}
    assert metadata(runtime, "dataset-initializer")["labels"] == {"sidecar.istio.io/inject": "false"}


def _shared_memory(runtime: dict[str, Any]) -> None:
    memory = {"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}}
    assert pod(runtime, "node")["volumes"][2:] == [memory]
    assert container(runtime)["volumeMounts"][2:] == [{"name": "shared-memory", "mountPath": "/dev/shm"}]
    assert "volumeMounts" not in container(runtime, "proxy")


def _rdma(runtime: dict[str, Any]) -> None:
    amounts = {"nvidia.com/gpu": "8", "rdma/hca_shared_devices_a": 1}
    assert container(runtime)["resources"] == {"limits": amounts, "requests": amounts}
    assert container(runtime)["securityContext"] == {"capabilities": {"add": ["SYS_NICE", "IPC_LOCK"]}}
    assert variables(container(runtime)["env"]) == [("A", "1"), ("B", "$(A)2"), ("NCCL_IB_DISABLE", "0")]


def _nccl_debug(runtime: dict[str, Any]) -> None:
    assert variables(container(runtime)["env"]) == [("A", "1"), ("B", "$(A)2"), *NCCL]


def _spot(runtime: dict[str, Any]) -> None:
    selector = {"cloud.google.com/gke-spot": "true"}
    assert pod(runtime, "node")["nodeSelector"] == {"example.org/pool": "gpu"} | selector
    assert pod(runtime, "dataset-initializer")["nodeSelector"] == selector
    assert pod(runtime, "node")["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists"}, SPOT]
    policy = runtime["spec"]["template"]["spec"]["failurePolicy"]
    assert policy == {"restartStrategy": "BlockingRecreate", "maxRestarts": 10}


def _trainer_kustomize(runtime: dict[str, Any]) -> None:
    assert [job["name"] for job in at(runtime, *JOBS)] == ["dataset-initializer", "node"]
    if runtime["kind"] == "ClusterTrainingRuntime":
        assert ("NCCL_SOCKET_IFNAME", "eth0") in variables(container(runtime)["env"])


ON_RUNTIME = {
    "coscheduling": _coscheduling,
    "volcano": _volcano,
    "topology": _topology,
    "restricted": _restricted,
    "restricted-init-containers": _restricted_init_containers,
    "istio-off": _istio_off,
    "shared-memory": _shared_memory,
    "rdma": _rdma,
    "nccl-debug": _nccl_debug,
    "spot": _spot,
    "trainer-kustomize": _trainer_kustomize,
}


def test_every_component_of_runtimes_is_looked_at() -> None:
    assert set(ON_RUNTIME) == ON_RUNTIMES


@pytest.mark.parametrize("name", ON_RUNTIME)
def test_a_component_of_runtimes_changes_both_kinds(name: str, tmp_path: Path) -> None:
    for runtime in build(laid_out(tmp_path, name)):
        ON_RUNTIME[name](runtime)


@pytest.mark.parametrize("name", sorted(ON_JOBS - {"kueue", "nccl-debug-job"}))
def test_a_component_of_train_jobs_adds_a_patch_of_its_own_manager(name: str, tmp_path: Path) -> None:
    job = the(build(laid_out(tmp_path, name)), "TrainJob")
    managers = [each["manager"] for each in job["spec"]["runtimePatches"]]
    assert managers == ["platform.example.com/gitops", f"trainergen.io/{name}"]


def test_variables_of_a_train_job_are_appended(tmp_path: Path) -> None:
    job = the(build(laid_out(tmp_path, "nccl-debug-job")), "TrainJob")
    assert variables(job["spec"]["trainer"]["env"]) == [("A", "1"), ("B", "2"), *NCCL]


def test_the_queue_of_a_train_job_comes_along(tmp_path: Path) -> None:
    objects = build(laid_out(tmp_path, "kueue"))
    labels = the(objects, "TrainJob")["metadata"]["labels"]
    assert labels == {"team": "vision", "kueue.x-k8s.io/queue-name": the(objects, "LocalQueue")["metadata"]["name"]}


@pytest.mark.parametrize("name", ["shared-memory", "rdma", "nccl-debug"])
def test_a_runtime_without_the_job_fails_the_build(name: str, tmp_path: Path) -> None:
    other = RUNTIME.format(kind="ClusterTrainingRuntime").replace(
        "name: node\n        dep", "name: worker\n        dep"
    )
    done = attempt(laid_out(tmp_path, name, {"runtimes": [other]}))
    assert done.returncode != 0
    assert "replicatedJobs.[name=node].name" in done.stderr


def test_the_generated_component_is_up_to_date() -> None:
    assert generate(["--check"]) == 0
