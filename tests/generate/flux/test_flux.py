"""What is written for Flux, against its CRDs and against what the tree holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.generate.crds import faults, known
from tests.generate.sample import sample
from tests.generate.tools import kustomize, objects, write
from trainergen.generate import helm, install, plain
from trainergen.generate import kustomize as kustomize_tree
from trainergen.generate.flux import files
from trainergen.generate.flux.health import timeout
from trainergen.generate.layout import JOBS
from trainergen.generate.resolved import Placed
from trainergen.generate.workspace_files import Tree

FORMATS = ("kustomize", "helm", "plain")
WRITERS = {"kustomize": kustomize_tree.files, "helm": helm.files, "plain": plain.files}

EXPERIMENT = {
    "kind": "Experiment",
    "spec": {
        "maxTrialCount": 7,
        "parallelTrialCount": 2,
        "trialTemplate": {"trialSpec": {"spec": {"activeDeadlineSeconds": 7200}}},
    },
}


def written(**changed: Any) -> Tree:
    return Tree(files(sample(**{"delivery": "flux", **changed})))


def found(tree: Tree, kind: str, environment: str = "dev") -> dict[str, dict[str, Any]]:
    """The objects of a kind of Flux in an environment, by name."""
    files_of = [file for file in tree if environment in file.path.parts or "controller" in file.path.parts]
    every = [each for file in files_of for each in objects(file.text)]
    return {each["metadata"]["name"]: each for each in every if each["kind"] == kind and known(each)}


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("release", ["2.0", "2.1", "2.2", "2.3"])
def test_every_object_is_valid_against_the_crds_of_flux(fmt: str, release: str) -> None:
    tree = written(format=fmt, release=release, await_jobs=True)

    checked = [each for file in tree for each in objects(file.text) if known(each)]

    assert len(checked) >= 12
    assert [fault for each in checked for fault in faults(each)] == []


@pytest.mark.parametrize("fmt", FORMATS)
def test_what_the_kustomizations_of_a_cluster_point_at_builds(fmt: str, tmp_path: Path) -> None:
    resolved = sample(delivery="flux", format=fmt)
    tree = Tree([*files(resolved), *install.files(resolved), *WRITERS[fmt](resolved)])
    write(tree, tmp_path)

    for name, kustomization in found(tree, "Kustomization").items():
        folder = tmp_path / kustomization["spec"]["path"]
        if (folder / "kustomization.yaml").is_file():
            assert kustomize(folder), name
        else:
            assert fmt == "plain"
            assert [*folder.glob("*.yaml")], name


@pytest.mark.parametrize("fmt", FORMATS)
def test_everything_waits_for_what_it_needs(fmt: str) -> None:
    made = found(written(format=fmt), "Kustomization")

    waits_for = {name: [one["name"] for one in each["spec"].get("dependsOn", [])] for name, each in made.items()}

    assert waits_for == {
        "trainer-crds": [],
        "trainer": ["trainer-crds"],
        "vision-dev-runtimes": ["trainer"],
        "vision-dev-namespace": ["vision-dev-runtimes"],
        "vision-dev-jobs": ["trainer", "vision-dev-runtimes", "vision-dev-namespace"],
    }
    assert [name for name, each in made.items() if not each["spec"]["wait"]] == ["vision-dev-jobs"]


def test_crds_and_controllers_are_never_pruned() -> None:
    made = found(written(), "Kustomization")

    assert [name for name, each in made.items() if not each["spec"]["prune"]] == ["trainer-crds", "trainer"]


def test_the_release_of_the_trainer_upgrades_the_crds_of_jobset_and_has_none_of_its_own() -> None:
    release = found(written(), "HelmRelease")["trainer"]["spec"]

    assert release["install"]["crds"] == release["upgrade"]["crds"] == "CreateReplace"
    assert release["values"]["crds"] == {"enabled": False}


@pytest.mark.parametrize(
    ("fmt", "path"),
    [
        ("kustomize", "./deploy/teams/vision/jobs/overlays/dev"),
        ("plain", "./deploy/dev/jobs"),
        ("helm", "./deploy/teams/vision/releases/dev/jobs"),
    ],
)
def test_a_kustomization_points_into_the_repository(fmt: str, path: str) -> None:
    made = found(written(format=fmt, directory="deploy"), "Kustomization")

    assert made["vision-dev-jobs"]["spec"]["path"] == path


def test_a_release_takes_the_chart_and_the_values_of_its_environment_from_the_repository() -> None:
    release = found(written(format="helm", directory="deploy"), "HelmRelease", "prod")["vision-prod-runtimes"]

    assert release["spec"]["chart"]["spec"] == {
        "chart": "./deploy/charts/vision",
        "reconcileStrategy": "Revision",
        "sourceRef": {"kind": "GitRepository", "name": "ml-training-deploy-prod", "namespace": "flux-system"},
        "valuesFiles": ["deploy/charts/vision/values.yaml", "deploy/charts/vision/values-prod.yaml"],
    }
    assert release["spec"]["values"] == {"parts": {"jobs": False, "namespace": False, "runtimes": True}}


@pytest.mark.parametrize(
    ("revision", "reference"),
    [
        ("main", {"branch": "main"}),
        ("v1.4.0", {"tag": "v1.4.0"}),
        ("refs/pull/7/head", {"name": "refs/pull/7/head"}),
        ("0123456789abcdef0123456789abcdef01234567", {"commit": "0123456789abcdef0123456789abcdef01234567"}),
    ],
)
def test_a_revision_may_be_a_branch_a_tag_a_commit_or_a_reference(revision: str, reference: dict[str, str]) -> None:
    resolved = sample(delivery="flux")
    dev = replace(resolved.environments[0], revision=revision)

    repository = found(Tree(files(replace(resolved, environments=(dev,)))), "GitRepository")["ml-training-dev"]

    assert repository["spec"]["ref"] == reference


def test_jobs_that_are_waited_for_have_health_and_longer_than_the_longest_of_them() -> None:
    kustomization = found(written(await_jobs=True), "Kustomization")["vision-dev-jobs"]["spec"]

    assert kustomization["wait"] is True
    assert kustomization["timeout"] == "25h"
    assert [each["kind"] for each in kustomization["healthCheckExprs"]] == ["TrainJob"]


def test_a_release_with_jobs_waits_for_them_only_if_that_is_wanted() -> None:
    left = found(written(format="helm"), "HelmRelease")["vision-dev-jobs"]["spec"]
    awaited = found(written(format="helm", await_jobs=True), "HelmRelease")["vision-dev-jobs"]["spec"]

    assert left["install"]["disableWait"] is True
    assert "healthCheckExprs" not in left
    assert awaited["install"]["disableWait"] is False
    assert awaited["timeout"] == "25h"
    assert [each["kind"] for each in awaited["healthCheckExprs"]] == ["TrainJob"]


def test_one_cluster_gets_the_trainer_once_and_all_wait_for_it() -> None:
    resolved = sample(delivery="flux")
    shared = tuple(replace(each, cluster="https://gpu.example.com") for each in resolved.environments)

    tree = Tree(files(replace(resolved, environments=shared)))

    assert "flux/dev/trainer.yaml" in tree
    assert "flux/prod/trainer.yaml" not in tree
    assert "trainer" not in found(tree, "Kustomization", "prod")
    waiting = found(tree, "Kustomization", "prod")["vision-prod-runtimes"]["spec"]["dependsOn"]
    assert waiting == [{"name": "trainer"}]


def test_a_repository_that_is_not_public_is_read_with_a_secret() -> None:
    repository = found(written(credentials="deploy-key"), "GitRepository")["ml-training-dev"]

    assert repository["spec"]["secretRef"] == {"name": "deploy-key"}
    assert "secretRef" not in found(written(), "GitRepository")["ml-training-dev"]["spec"]


@pytest.mark.parametrize("fmt", FORMATS)
def test_teams_that_share_a_tree_write_alike_what_they_share(fmt: str) -> None:
    vision, audio = written(format=fmt), written(format=fmt, name="audio")

    shared = {file.path for file in vision} & {file.path for file in audio}

    assert {str(path) for path in shared} == {
        "platform/controller/helmrelease.yaml",
        "platform/controller/kustomization.yaml",
        *(f"flux/{environment}/{name}.yaml" for environment in ("dev", "prod") for name in ("sources", "trainer")),
    }
    assert all(vision[path] == audio[path] for path in shared)


@pytest.mark.parametrize(
    ("objects_of", "hours"),
    [
        ([{"kind": "TrainJob", "spec": {"activeDeadlineSeconds": 5400}}], 3),
        ([{"kind": "TrainJob", "spec": {}}], 25),
        ([{"kind": "Job", "spec": {"activeDeadlineSeconds": 36000}}, {"kind": "TrainJob", "spec": {}}], 25),
        ([EXPERIMENT], 9),
    ],
    ids=["a deadline", "none", "a Job beside it", "the trials of an Experiment one after another"],
)
def test_there_is_time_for_what_takes_longest(objects_of: list[dict[str, Any]], hours: int) -> None:
    resolved = sample(delivery="flux", await_jobs=True)
    placed = [Placed("jobs", str(n), {"apiVersion": "v1", **each}) for n, each in enumerate(objects_of)]
    dev = replace(resolved.environments[0], objects=tuple(placed))

    assert timeout(resolved, dev, JOBS) == f"{hours}h"
