"""What the check says of the components, release by release, in a small repository with a shipped runtime."""

from __future__ import annotations

from pathlib import Path

import pytest

import trainergen
from tests.overlays.kustomize import OVERLAYS, kustomization, write
from tests.overlays.test_components import NAMES, NAMESPACE, ON_JOBS, laid_out

SINCE = {"volcano": "2.1", "data-cache": "2.1"} | dict.fromkeys(ON_JOBS - {"kueue", "nccl-debug-job"}, "2.2")
RELEASES = ("2.0", "2.1", "2.2", "2.3")


def shipped(release: str) -> str:
    """The first runtime that a release ships, as one of the team's own."""
    text = (OVERLAYS.parent / "runtimes" / release / "torch-distributed.yaml").read_text(encoding="utf-8")
    return text.replace("name: torch-distributed", "name: team-torch", 1)


PLAIN_JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bert-r1, namespace: vision}
spec:
  runtimeRef: {name: team-torch}
  trainer: {numNodes: 2, image: "ghcr.io/example/bert:1.0.0", command: [torchrun, train.py]}
"""


def rules_of(folder: Path, release: str, *components: str) -> set[str]:
    """What the check says of runtime, TrainJob and namespace with these components."""
    used = [f"../components/{name}" for name in components]
    text = kustomization(resources=["../runtimes", "../jobs", "../namespace"], components=used)
    write(folder / "overlay", {"kustomization.yaml": text})
    report = trainergen.check(folder, release=release, profile="production", build=True)
    assert [each for each in report.not_evaluated if each.check == "TG025"] == []
    return {finding.rule for finding in report.findings}


def repository(folder: Path, release: str, *components: str) -> None:
    (folder / ".git").mkdir()
    bases = {"runtimes": [shipped(release)], "jobs": [PLAIN_JOB], "namespace": [NAMESPACE]}
    for name in components:
        laid_out(folder, name, bases)


CASES = [
    (name, release)
    for name in NAMES
    for release in RELEASES
    if release >= SINCE.get(name, "2.0") and name not in ("trainer-kustomize", "restricted-init-containers")
]


@pytest.mark.parametrize(("name", "release"), CASES)
def test_a_component_brings_no_finding(name: str, release: str, tmp_path: Path) -> None:
    repository(tmp_path, release, name)
    # The Pods of the shipped runtime are not restricted, so that a namespace which asks for it does not get them.
    expected = {"TG610"} if name == "restricted-namespace" else set()
    assert rules_of(tmp_path, release, name) - rules_of(tmp_path, release) == expected


@pytest.mark.parametrize("pods", ["restricted", "restricted-job"])
def test_restricted_pods_come_up_in_a_restricted_namespace(pods: str, tmp_path: Path) -> None:
    repository(tmp_path, "2.3", pods, "restricted-namespace")
    assert "TG610" not in rules_of(tmp_path, "2.3", pods, "restricted-namespace")


RECIPES = ("deepspeed", "finetune-llama3.2-1b", "torch-data-cache", "torch-fsdp")
ON_PODS = sorted(set(NAMES) - {"trainer-kustomize", "restricted-init-containers", "restricted-namespace", "data-cache"})


def known(recipe: str, component: str) -> set[str]:
    """What the README of a component says that it does to such a runtime."""
    if component in ("coscheduling", "volcano") and recipe != "torch-fsdp":
        return {"TG502"}
    return {"TG611"} if component == "rdma" else set()


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_component_leaves_a_recipe_clean(recipe: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    folder = OVERLAYS.parent / "runtimes" / "recipes"
    runtime, job = (folder / f"{recipe}{end}.yaml" for end in ("", ".trainjob"))
    bases = {"runtimes": [runtime.read_text()], "jobs": [job.read_text()], "namespace": [NAMESPACE]}
    found = {}
    for name in ON_PODS:
        laid_out(tmp_path, name, bases)
        found[name] = rules_of(tmp_path, "2.3", name)
    assert found == {name: known(recipe, name) for name in ON_PODS}
