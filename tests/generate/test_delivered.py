"""What Argo CD and Flux would bring to each environment of the example: exactly its objects, and nothing forbidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.generate.crds import faults, known
from tests.generate.specs import example
from tests.generate.tools import HELMS, by_identity, kustomize, objects, template
from trainergen.generate.delivery import kinds_of
from trainergen.generate.layout import PLATFORM

if TYPE_CHECKING:
    from trainergen.generate.resolved import Environment, Resolved

Objects = list[dict[str, Any]]
FORMATS = [("kustomize", ""), ("plain", ""), *(("helm", major) for major in HELMS)]
REPOSITORY = "https://git.example.com/ml/training.git"


def built(fmt: str, delivery: str, folder: Path) -> Resolved:
    """The example in a repository whose root is ``folder``."""
    workspace = example(format=fmt, delivery=delivery, repository=REPOSITORY, directory="")
    workspace.write(folder)
    return workspace.resolve()


def in_folder(folder: Path) -> Objects:
    """What a folder brings: what its kustomization builds, or else its manifests."""
    assert folder.is_dir(), folder
    if (folder / "kustomization.yaml").is_file():
        return kustomize(folder)
    return [each for file in sorted(folder.glob("*.yaml")) for each in objects(file.read_text())]


def by_helm(chart: Path, major: str, values: dict[str, Any], files: list[Path]) -> Objects:
    """What a release of a chart brings."""
    own = chart.parent / "values-of-the-release.json"
    own.write_text(json.dumps(values))
    given = [argument for file in (*files, own) for argument in ("-f", str(file))]
    return template(major, chart, *given)


def applications(environment: Environment, root: Path) -> Objects:
    """The Applications of an environment, those that the set makes included."""
    found = [
        each
        for file in sorted((root / "argocd" / environment.name).glob("*.yaml"))
        if not file.name.endswith(".patch.yaml")
        for each in objects(file.read_text())
    ]
    for each in [each for each in found if each["kind"] == "ApplicationSet"]:
        (pattern,) = each["spec"]["generators"][0]["git"]["directories"]
        for folder in sorted(root.glob(pattern["path"])):
            path = folder.relative_to(root)
            text = json.dumps(each["spec"]["template"])
            for index, segment in enumerate(path.parts):
                text = text.replace(f"{{{{ index .path.segments {index} }}}}", segment)
            made = json.loads(text.replace("{{ .path.path }}", path.as_posix()))
            assert "{{" not in json.dumps(made)
            found.append({"apiVersion": each["apiVersion"], "kind": "Application", **made})
    return [each for each in found if each["kind"] != "ApplicationSet"]


def synced(application: dict[str, Any], root: Path, major: str) -> Objects:
    """What an Application brings from the repository; nothing of a chart from elsewhere."""
    source = application["spec"]["source"]
    if "path" not in source:
        return []
    folder = root / source["path"]
    if "helm" in source:
        files = [folder / name for name in source["helm"]["valueFiles"]]
        return by_helm(folder, major, source["helm"]["valuesObject"], files)
    return in_folder(folder)


def check_project(project: dict[str, Any], brought: Objects, allowed: Environment) -> None:
    """A project allows the kinds and namespaces of what its Applications bring."""
    listed = {
        (kind["group"], kind["kind"])
        for field in ("clusterResourceWhitelist", "namespaceResourceWhitelist")
        for kind in project["spec"][field]
    }
    assert listed == {(kind.group, kind.kind) for kind in kinds_of(allowed.objects)}
    namespaces = {each["namespace"] for each in project["spec"]["destinations"]}
    assert {each["metadata"]["namespace"] for each in brought if "namespace" in each["metadata"]} <= namespaces


@pytest.mark.parametrize(("fmt", "major"), FORMATS)
def test_argo_cd_brings_the_objects_of_each_environment(fmt: str, major: str, tmp_path: Path) -> None:
    for environment in built(fmt, "argocd", tmp_path).environments:
        made = applications(environment, tmp_path)
        ours = [each for each in made if each["spec"].get("project") == f"vision-{environment.name}"]
        brought = [each for one in ours for each in synced(one, tmp_path, major)]

        assert by_identity(brought) == by_identity(placed.object for placed in environment.objects)
        project = next(each for each in made if each["metadata"]["name"] == f"vision-{environment.name}")
        check_project(project, brought, environment)
        assert [fault for each in made for fault in faults(each)] == []


def applied(folder: Path, root: Path, major: str) -> Objects:
    """What a folder brings to a cluster with Flux: what is behind Kustomizations and HelmReleases in it as well."""
    out = []
    for each in in_folder(folder):
        assert not known(each) or faults(each) == []
        if each["apiVersion"].startswith("kustomize.toolkit"):
            out += applied(root / each["spec"]["path"], root, major)
        elif each["kind"] == "HelmRelease" and "chart" in each["spec"]:
            chart = each["spec"]["chart"]["spec"]
            files = [root / name for name in chart["valuesFiles"]]
            out += by_helm(root / chart["chart"], major, each["spec"]["values"], files)
        elif "fluxcd.io/" not in each["apiVersion"]:
            out.append(each)
    return out


@pytest.mark.parametrize(("fmt", "major"), FORMATS)
def test_flux_brings_the_objects_of_each_environment(fmt: str, major: str, tmp_path: Path) -> None:
    for environment in built(fmt, "flux", tmp_path).environments:
        brought = applied(tmp_path / "flux" / environment.name, tmp_path, major)

        crds = [each for each in brought if each["kind"] == "CustomResourceDefinition"]
        rest = [each for each in brought if each["kind"] != "CustomResourceDefinition"]
        assert len(crds) == len([*(tmp_path / PLATFORM / "crds").glob("trainer*.yaml")]) == 3
        assert by_identity(rest) == by_identity(placed.object for placed in environment.objects)
