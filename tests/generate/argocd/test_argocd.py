"""What is written for Argo CD, against its CRDs and against what the tree holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.generate.crds import faults
from tests.generate.sample import sample
from tests.generate.tools import objects
from trainergen.generate.argocd import files
from trainergen.generate.workspace_files import Tree

FORMATS = ("kustomize", "helm", "plain")


def written(**changed: Any) -> Tree:
    return Tree(files(sample(**{"format": "kustomize", **changed})))


def found(tree: Tree, kind: str) -> list[dict[str, Any]]:
    return [each for file in tree for each in objects(file.text) if each["kind"] == kind]


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("release", ["2.0", "2.1", "2.2", "2.3"])
def test_every_object_is_valid_against_the_crds_of_argo_cd(fmt: str, release: str) -> None:
    tree = written(format=fmt, release=release)

    checked = [each for file in tree if not file.path.name.endswith(".patch.yaml") for each in objects(file.text)]

    assert len(checked) >= 10
    assert [fault for each in checked for fault in faults(each)] == []


def test_waves_go_from_projects_over_crds_and_controllers_to_jobs() -> None:
    tree = written()
    dev = [each for file in tree if file.path.parent.name == "dev" for each in objects(file.text)]

    waves = {
        each["metadata"]["name"]: int(each["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"])
        for each in dev
        if each["kind"] in ("Application", "ApplicationSet")
    }

    assert sorted(waves, key=lambda name: waves[name]) == [
        "trainer-dev-crds",
        "trainer-dev",
        "vision-dev-runtimes",
        "vision-dev-namespace",
        "ml-training-dev-jobs",
    ]
    assert len(set(waves.values())) == len(waves)


def test_a_project_allows_the_kinds_that_the_environment_has_and_no_others() -> None:
    project = next(each for each in found(written(), "AppProject") if each["metadata"]["name"] == "vision-prod")

    assert [kind["kind"] for kind in project["spec"]["clusterResourceWhitelist"]] == [
        "Namespace",
        "ClusterTrainingRuntime",
    ]
    assert [kind["kind"] for kind in project["spec"]["namespaceResourceWhitelist"]] == [
        "ConfigMap",
        "ServiceAccount",
        "TrainJob",
    ]
    assert project["spec"]["destinations"] == [{"server": "https://prod.example.com", "namespace": "vision-prod"}]


@pytest.mark.parametrize(
    ("fmt", "source"),
    [
        ("kustomize", {"path": "deploy/teams/vision/namespace/overlays/dev"}),
        ("plain", {"path": "deploy/dev/namespace"}),
        (
            "helm",
            {
                "path": "deploy/charts/vision",
                "helm": {
                    "releaseName": "vision-dev-namespace",
                    "valueFiles": ["values-dev.yaml"],
                    "valuesObject": {"parts": {"jobs": False, "namespace": True, "runtimes": False}},
                    "skipTests": True,
                },
            },
        ),
    ],
)
def test_an_application_points_into_the_repository(fmt: str, source: dict[str, Any]) -> None:
    application = next(
        each
        for each in found(written(format=fmt, directory="deploy"), "Application")
        if each["metadata"]["name"] == "vision-dev-namespace"
    )

    assert application["spec"]["source"] == {
        "repoURL": "https://git.example.com/ml/training.git",
        "targetRevision": "main",
        **source,
    }


def test_jobs_are_neither_healed_nor_does_a_change_by_kueue_count() -> None:
    template = found(written(), "ApplicationSet")[0]["spec"]["template"]

    assert template["spec"]["syncPolicy"]["automated"]["selfHeal"] is False
    assert "RespectIgnoreDifferences=true" in template["spec"]["syncPolicy"]["syncOptions"]
    assert template["spec"]["ignoreDifferences"][0]["jsonPointers"] == ["/spec/suspend"]


def test_the_set_of_jobs_names_applications_by_the_folder_of_the_team() -> None:
    deep = found(written(directory="clusters/eu"), "ApplicationSet")[0]["spec"]

    assert deep["generators"][0]["git"]["directories"] == [{"path": "clusters/eu/teams/*/jobs/overlays/dev"}]
    assert deep["template"]["metadata"]["name"] == "{{ index .path.segments 3 }}-dev-jobs"
    assert deep["template"]["spec"]["project"] == "{{ index .path.segments 3 }}-dev"


@pytest.mark.parametrize(
    ("cluster", "destination"),
    [
        ("", {"server": "https://kubernetes.default.svc"}),
        ("gpu-eu", {"name": "gpu-eu"}),
        ("https://10.0.0.1:6443", {"server": "https://10.0.0.1:6443"}),
    ],
)
def test_a_cluster_is_named_as_the_specification_has_it(cluster: str, destination: dict[str, str]) -> None:
    resolved = sample(format="plain")
    dev = replace(resolved.environments[0], cluster=cluster)
    applications = found(Tree(files(replace(resolved, environments=(dev,)))), "Application")

    jobs = next(each for each in applications if each["metadata"]["name"] == "vision-dev-jobs")
    assert jobs["spec"]["destination"] == {**destination, "namespace": "vision-dev"}


def test_without_installation_there_is_nothing_of_the_trainer_itself() -> None:
    tree = written(install=False)

    assert "argocd/dev/trainer.yaml" not in tree
    assert len(found(tree, "AppProject")) == 2


@pytest.mark.parametrize(
    ("release", "secrets"),
    [
        ("2.2", ["kubeflow-trainer-webhook-cert", "jobset-webhook-server-cert"]),
        ("2.3", ["jobset-webhook-server-cert"]),
    ],
)
def test_certificates_that_the_chart_declares_empty_are_left_to_the_controllers(
    release: str, secrets: list[str]
) -> None:
    applications = found(written(release=release), "Application")
    trainer = next(each for each in applications if each["metadata"]["name"] == "trainer-dev")

    ignored = trainer["spec"]["ignoreDifferences"]
    assert [each["name"] for each in ignored if each["kind"] == "Secret"] == secrets


def test_only_a_release_with_crds_among_the_templates_has_a_unit_for_them() -> None:
    names = {
        release: [each["metadata"]["name"] for each in found(written(release=release), "Application")]
        for release in ("2.2", "2.3")
    }

    assert "trainer-dev-crds" in names["2.3"]
    assert "trainer-dev-crds" not in names["2.2"]


def test_the_application_of_applications_leaves_the_patch_out() -> None:
    root = objects(written()["argocd/dev.yaml"])[0]

    assert root["spec"]["source"]["path"] == "argocd/dev"
    assert Path("argocd-cm.patch.yaml").match(root["spec"]["source"]["directory"]["exclude"])


def test_one_cluster_gets_the_trainer_once() -> None:
    resolved = sample(format="plain")
    shared = tuple(replace(each, cluster="https://gpu.example.com") for each in resolved.environments)

    tree = Tree(files(replace(resolved, environments=shared)))

    assert "argocd/dev/trainer.yaml" in tree
    assert "argocd/prod/trainer.yaml" not in tree


@pytest.mark.parametrize(
    ("repository", "directory", "name"),
    [
        ("https://git.example.com/ml/training.git", "", "ml-training-dev"),
        ("git@git.example.com:ml/training.git", "", "ml-training-dev"),
        ("ssh://git@git.example.com/ml/training", "clusters/eu", "ml-training-clusters-eu-dev"),
        (f"https://git.example.com/{'group/' * 12}training", "", "group-group-group-group-group-training-dev"),
    ],
)
def test_what_teams_share_is_named_after_the_repository(repository: str, directory: str, name: str) -> None:
    root = objects(written(repository=repository, directory=directory)["argocd/dev.yaml"])[0]

    assert root["metadata"]["name"] == name


def test_teams_that_share_a_tree_write_alike_what_they_share() -> None:
    vision, audio = written(), written(name="audio")

    shared = {file.path for file in vision} & {file.path for file in audio}

    assert {str(path) for path in shared} == {
        f"argocd/{name}"
        for environment in ("dev", "prod")
        for name in (
            f"{environment}.yaml",
            f"{environment}/argocd-cm.patch.yaml",
            f"{environment}/jobs-applicationset.yaml",
            f"{environment}/trainer.yaml",
        )
    }
    assert all(vision[path] == audio[path] for path in shared)
