"""The worked team repository and the pieces for Argo CD and Flux that it uses: built, valid, and clean."""

from __future__ import annotations

import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import lupa
import pytest

import trainergen
from tests.overlays.kustomize import OVERLAYS, at, build, kustomization, the, write

TEAM = OVERLAYS / "team-repository"
FOLDERS = sorted(str(path.parent.relative_to(TEAM)) for path in TEAM.rglob("kustomization.yaml"))
SCHEMAS = Path(__file__).parents[1] / "oracle" / "delivery-crds.json.xz"
SETTINGS = OVERLAYS / "argocd" / "settings"


@cache
def schemas() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lzma.decompress(SCHEMAS.read_bytes()))
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_object_of_another_tool_is_what_its_definition_asks_for(folder: str) -> None:
    objects = build(TEAM / folder)
    assert objects
    for each in objects:
        schema = schemas().get(f"{each['apiVersion']} {each['kind']}")
        if schema is not None:
            jsonschema.validate(each, schema)


def test_the_definitions_cover_all_of_argo_cd_and_flux() -> None:
    kinds = {
        f"{each['apiVersion']} {each['kind']}" for name in ("argocd/prod", "flux/prod") for each in build(TEAM / name)
    }
    assert kinds - set(schemas()) == set()


def repository(folder: Path) -> Path:
    """The overlays without policies, which have values to be replaced, as a repository of their own."""
    for name in ("components", "argocd", "flux", "team-repository"):
        shutil.copytree(OVERLAYS / name, folder / name)
    (folder / ".git").mkdir()
    return folder


def test_the_check_finds_nothing_in_what_is_built(tmp_path: Path) -> None:
    report = trainergen.check(repository(tmp_path), release="2.3", profile="production", build=True)
    assert [(each.rule, each.file, each.message) for each in report.findings] == []
    assert report.not_evaluated == ()
    built = [name for name in FOLDERS if "overlays" in Path(name).parts]
    assert report.documents >= 2 * len(built)


def test_the_check_would_find_what_is_wrong_with_it(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    job = folder / "team-repository" / "teams" / "vision" / "jobs" / "base" / "segmentation.yaml"
    job.write_text(job.read_text().replace("numNodes: 1", "numNodes: 0").replace("name: acme-torch-r1", "name: gone"))
    report = trainergen.check(folder, release="2.3", profile="production", build=True)
    assert {"TG203", "TG301"} & {each.rule for each in report.findings}


def test_the_commands_of_the_readme_succeed(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    (folder / ".git").rmdir()
    who = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = os.environ | who | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "NO_COLOR": "1"}
    lines = re.findall(r"^\$ (.+)$", (TEAM / "README.md").read_text(encoding="utf-8"), re.M)
    assert len(lines) == 4
    start = [
        "git init -qb main ..",
        "git add -A ..",
        "git commit -qm a",
        "git update-ref refs/remotes/origin/main HEAD",
    ]
    for line in (*start, *lines):
        done = subprocess.run(
            ["bash", "-c", line], cwd=folder / "team-repository", env=env, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), line
    assert "nothing differs" in done.stdout


def test_dev_and_prod_differ_in_image_and_nodes_only() -> None:
    found = {env: build(TEAM / "teams/vision/jobs/overlays" / env) for env in ("dev", "prod")}
    jobs = {
        env: next(each for each in objects if "segmentation" in each["metadata"]["name"])
        for env, objects in found.items()
    }
    dev, prod = jobs["dev"]["spec"]["trainer"], jobs["prod"]["spec"]["trainer"]
    assert (dev["image"], dev["numNodes"]) == ("ghcr.io/example/segmentation:1.5.0-rc.1", 1)
    assert (prod["image"], prod["numNodes"]) == ("ghcr.io/example/segmentation:1.4.2", 4)
    assert {each["name"] for each in prod["env"]} == {"NCCL_SOCKET_IFNAME", "WANDB_API_KEY"}
    assert {each["metadata"].get("namespace") for each in found["prod"] if each["kind"] == "TrainJob"} == {"vision"}
    others = {env: {k: v for k, v in job["spec"].items() if k != "trainer"} for env, job in jobs.items()}
    assert others["dev"] == others["prod"]


@pytest.mark.parametrize("env", ["dev", "prod"])
def test_deliveries_lead_to_folders_that_are_there(env: str) -> None:
    argo, flux = build(TEAM / "argocd" / env), build(TEAM / "flux" / env)
    applications = {each["metadata"]["name"]: each["spec"] for each in argo}
    paths = [applications["trainer-runtimes"]["source"]["path"]]
    paths.append(applications["training-teams"]["template"]["spec"]["source"]["path"].replace("{{ .team }}", "vision"))
    paths += [
        at(each, "spec", "path").removeprefix("./")
        for each in flux
        if each["kind"] == "Kustomization" and at(each, "spec", "sourceRef", "name") == "training"
    ]
    assert len(paths) == 5
    assert [path for path in paths if not (TEAM / path / "kustomization.yaml").is_file()] == []
    assert all(env in path for path in paths if "overlays" in path)
    branch = {"dev": "dev", "prod": "main"}[env]
    assert applications["trainer-runtimes"]["source"]["targetRevision"] == branch
    assert {at(each, "spec", "ref", "branch") for each in flux if each["metadata"]["name"] == "training"} == {
        branch,
        None,
    } - {None}


def condition(kind: str, status: str = "True") -> dict[str, str]:
    return {"type": kind, "status": status, "message": f"{kind} it is"}


HEALTH = {
    "nothing has looked at it": (None, "Progressing"),
    "it runs": ([], "Progressing"),
    "it is over": ([condition("{done}")], "Healthy"),
    "it failed": ([condition("Failed")], "Degraded"),
    "it is suspended": ([condition("Suspended")], "Suspended"),
    "it goes on": ([condition("Suspended", "False")], "Progressing"),
    "it went on and is over": ([condition("Suspended", "False"), condition("{done}")], "Healthy"),
}


def shown_in(name: str) -> str:
    """The kustomization that the README of a folder shows."""
    (used,) = re.findall(r"```yaml\n(.*?)```", (OVERLAYS / name / "README.md").read_text(encoding="utf-8"), re.S)
    return str(used)


def argocd_cm(folder: Path) -> dict[str, str]:
    """The ConfigMap of an installation with the settings."""
    base = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {url: https://a.b}\n"
    shutil.copytree(SETTINGS, folder / "argocd" / "settings")
    files = {"cm.yaml": base, "kustomization.yaml": kustomization(resources=["cm.yaml"])}
    write(folder / "argocd-install", files)
    top = write(folder / "top", {"kustomization.yaml": shown_in("argocd")})
    found: dict[str, str] = the(build(top), "ConfigMap")["data"]
    return found


def evaluate(script: str, value: dict[str, Any]) -> dict[str, Any]:
    lua = lupa.LuaRuntime(unpack_returned_tuples=True)
    lua.globals()["obj"] = lua.table_from(value, recursive=True)
    return dict(lua.execute(script).items())


@pytest.mark.parametrize("case", HEALTH)
@pytest.mark.parametrize(
    ("kind", "done"), [("trainer.kubeflow.org_TrainJob", "Complete"), ("jobset.x-k8s.io_JobSet", "Completed")]
)
def test_argo_cd_sees_the_health(kind: str, done: str, case: str, tmp_path: Path) -> None:
    conditions, expected = HEALTH[case]
    value: dict[str, Any] = {"metadata": {"name": "j"}}
    if conditions is not None:
        value["status"] = {"conditions": [each | {"type": each["type"].format(done=done)} for each in conditions]}
    data = argocd_cm(tmp_path)
    assert data["url"] == "https://a.b"
    assert evaluate(data[f"resource.customizations.health.{kind}"], value)["status"] == expected


def test_argo_cd_waits_for_what_is_being_deleted(tmp_path: Path) -> None:
    value = {
        "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"},
        "status": {"conditions": [condition("Complete")]},
    }
    script = argocd_cm(tmp_path)["resource.customizations.health.trainer.kubeflow.org_TrainJob"]
    assert evaluate(script, value)["status"] == "Progressing"


def test_flux_waits_for_training_where_the_component_is_listed(tmp_path: Path) -> None:
    shutil.copytree(OVERLAYS / "flux", tmp_path / "flux")
    objects = build(write(tmp_path / "top", {"kustomization.yaml": shown_in("flux")}))
    waiting = {each["metadata"]["name"] for each in objects if at(each, "spec", "healthCheckExprs")}
    assert waiting == {"training-vision"}
    (team,) = (each for each in objects if each["metadata"]["name"] == "training-vision")
    assert team["spec"]["wait"] is True
    assert team["spec"]["path"] == "./teams/vision/jobs/overlays/prod"
    jsonschema.validate(team, schemas()["kustomize.toolkit.fluxcd.io/v1 Kustomization"])
