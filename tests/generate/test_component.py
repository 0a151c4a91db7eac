"""The kustomize component: what kustomize does with it, in every release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.overlays.kustomize import JOBS, at, build, kustomization, pod, the, write
from trainergen.api.structural import load
from trainergen.generate.component import Reference, component_files, references
from trainergen.releases import RELEASES

NAMES = [release.name for release in RELEASES]
API = "trainer.kubeflow.org/v1alpha1"
CORE = {
    "Secret": "v1",
    "ConfigMap": "v1",
    "ServiceAccount": "v1",
    "PersistentVolumeClaim": "v1",
    "PriorityClass": "scheduling.k8s.io/v1",
    "TrainingRuntime": API,
    "ClusterTrainingRuntime": API,
    "LocalQueue": "kueue.x-k8s.io/v1beta1",
}
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: my-torch
spec:
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template: {spec: {template: {spec: {containers: [{name: dataset-initializer, image: a:1}]}}}}
      - name: node
        dependsOn: [{name: dataset-initializer, status: Complete}]
        template:
          spec:
            template:
              spec:
                volumes: [{name: data, emptyDir: {}}]
                containers:
                - name: node
                  image: b:1
                  env: [{name: A, value: "1"}, {name: B, value: "2"}]
                - name: sidecar
                  image: c:1
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: viewer}
spec: {template: {spec: {containers: [{name: one, image: a:1}, {name: two, image: b:1}]}}}
"""
PATCHES = [
    {
        "patch": """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: my-torch}
spec:
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
      - name: node
        template: {spec: {template: {spec: {containers: [{name: node, env: [{name: B, value: "3"}]}]}}}}
"""
    },
    {
        "patch": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: viewer}
spec: {template: {spec: {containers: [{name: two, tty: true}]}}}
"""
    },
]


def write_component(folder: Path, release: str) -> None:
    write(folder / "component", {str(file.path): file.text for file in component_files(release)})


def filled(release: str, owner: str) -> dict[str, Any]:
    """An object of a kind with a name in every field that refers to something."""
    schemas = load(release)
    made: dict[str, Any] = {"apiVersion": API, "kind": owner, "metadata": {"name": "it", "namespace": "team"}}
    for each in references(release):
        # A field that names a runtime of either kind names one of the cluster here.
        if each.owner != owner or each.kind == "TrainingRuntime":
            continue
        node, here = schemas.kinds[owner].schema, made
        *parents, last = each.path.split("/")
        for step in parents:
            node = schemas.resolve(schemas.resolve(node)["properties"][step])
            if "items" in node:
                node, here = node["items"], here.setdefault(step, [{"name": "one"}])[0]
            else:
                here = here.setdefault(step, {})
        here[last] = each.kind.lower()
    if owner == "TrainJob":
        made["spec"]["runtimeRef"]["kind"] = "ClusterTrainingRuntime"
        made["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "localqueue"}
    return made


def named(value: Any, path: list[str]) -> list[str]:
    """All texts at ``path``, through lists."""
    if isinstance(value, list):
        return [text for item in value for text in named(item, path)]
    return named(value[path[0]], path[1:]) if path else [value]


@pytest.mark.parametrize("release", NAMES)
def test_every_reference_follows_a_prefix(release: str, tmp_path: Path) -> None:
    write_component(tmp_path, release)
    targets = [
        {"apiVersion": version, "kind": kind, "metadata": {"name": kind.lower(), "namespace": "team"}}
        for kind, version in CORE.items()
        if kind != "TrainingRuntime"
    ]
    owners = [filled(release, kind) for kind in load(release).kinds]
    write(
        tmp_path / "base",
        {
            "all.yaml": yaml.safe_dump_all([*targets, *owners]),
            "kustomization.yaml": kustomization(resources=["all.yaml"]),
        },
    )
    top = kustomization(resources=["../base"], components=["../component"], namePrefix="p-")
    objects = build(write(tmp_path / "top", {"kustomization.yaml": top}))
    by_kind = {each["kind"]: each for each in objects if each["metadata"]["name"] == "p-it"}
    # A reference to a runtime goes to the one of the kind that is there; the other kind's entry is for the other case.
    checked = [each for each in references(release) if each.kind != "TrainingRuntime"]
    assert len(checked) > 80
    wrong = [
        (each, names)
        for each in checked
        if set(names := named(by_kind[each.owner], each.path.split("/"))) != {f"p-{each.kind.lower()}"}
    ]
    assert wrong == []
    assert by_kind["TrainJob"]["metadata"]["labels"] == {"kueue.x-k8s.io/queue-name": "p-localqueue"}


@pytest.mark.parametrize("release", NAMES)
def test_a_patch_with_stubs_keeps_jobs_containers_variables_and_their_order(release: str, tmp_path: Path) -> None:
    write_component(tmp_path, release)
    top = kustomization(resources=["all.yaml"], components=["../component"], patches=PATCHES)
    folder = write(tmp_path / "top", {"all.yaml": f"{RUNTIME}---\n{DEPLOYMENT}", "kustomization.yaml": top})
    objects = build(folder)
    runtime = the(objects, "ClusterTrainingRuntime")
    assert [job["name"] for job in at(runtime, *JOBS)] == ["dataset-initializer", "node"]
    assert at(runtime, *JOBS, "node", "dependsOn") == [{"name": "dataset-initializer", "status": "Complete"}]
    node = pod(runtime, "node")
    assert {each["name"]: each["image"] for each in node["containers"]} == {"node": "b:1", "sidecar": "c:1"}
    assert {each["name"]: each["value"] for each in at(node, "containers", "node", "env")} == {"A": "1", "B": "3"}
    assert node["volumes"] == [{"name": "data", "emptyDir": {}}]
    assert at(pod(runtime, "dataset-initializer"), "containers", 0, "image") == "a:1"
    images = {each["name"]: each["image"] for each in at(the(objects, "Deployment"), *JOBS[:3], "containers")}
    assert images == {"one": "a:1", "two": "b:1"}


def test_without_it_kustomize_loses_what_the_patch_does_not_name(tmp_path: Path) -> None:
    """The reason for the component; it can go on the day when this fails."""
    top = kustomization(resources=["all.yaml"], patches=PATCHES[:1])
    folder = write(tmp_path, {"all.yaml": RUNTIME, "kustomization.yaml": top})
    assert at(pod(the(build(folder), "ClusterTrainingRuntime"), "node"), "containers", "sidecar") is None


def test_an_image_of_a_train_job_is_reached(tmp_path: Path) -> None:
    write_component(tmp_path, "2.3")
    job = {
        "apiVersion": API,
        "kind": "TrainJob",
        "metadata": {"name": "j"},
        "spec": {"runtimeRef": {"name": "r"}, "trainer": {"image": "ghcr.io/example/bert:1"}},
    }
    top = kustomization(
        resources=["job.yaml"],
        components=["../component"],
        images=[{"name": "ghcr.io/example/bert", "newTag": "2"}],
    )
    folder = write(tmp_path / "top", {"job.yaml": yaml.safe_dump(job), "kustomization.yaml": top})
    assert at(build(folder)[0], "spec", "trainer", "image") == "ghcr.io/example/bert:2"


def test_a_cluster_runtime_gets_no_namespace(tmp_path: Path) -> None:
    write_component(tmp_path, "2.3")
    top = kustomization(resources=["all.yaml"], components=["../component"], namespace="team")
    folder = write(tmp_path / "top", {"all.yaml": RUNTIME, "kustomization.yaml": top})
    assert "namespace" not in build(folder)[0]["metadata"]


def test_positions_of_each_release_are_those_that_it_has() -> None:
    roots = {
        release: {each.path.split("/")[1] for each in references(release) if each.owner == "TrainJob"}
        for release in NAMES
    }
    assert {release: names - {"runtimeRef", "initializer", "trainer"} for release, names in roots.items()} == {
        "2.0": {"podSpecOverrides"},
        "2.1": {"podTemplateOverrides"},
        "2.2": {"runtimePatches"},
        "2.3": {"runtimePatches"},
    }
    assert Reference("Secret", "spec/initializer/model/secretRef/name", "TrainJob") in references("2.0")
