"""What kubectl builds of a generated overlay is the plain output of that environment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.generate.specs import content, example, with_job, with_runtime, workspace
from tests.generate.tools import by_identity, kustomize
from trainergen.generate.layout import delivered_folder, units
from trainergen.releases import RELEASES

if TYPE_CHECKING:
    from trainergen.generate import Workspace

AWKWARD = [
    "yes",
    "1e3",
    "0o17",
    "2026-01-01",
    "",
    " leading",
    "trailing ",
    "a: b # c",
    "tab\there",
    "two\nlines\n",
    "no end\nof line",
    "{{ .Values.x }} ${VAR} $(VAR) $VAR",
    "'single' \"double\" \\back",
    "ünïcode 漢字 \u2028 \U0001f600",
    "~",
    "-",
    "- x",
    "*a",
    "!tag",
    "%",
    "@",
    "x" * 300,
    "with spaces " * 20 + "end",
]
DIFFERENT = {
    "numbers and lists": {
        "jobs": with_job(nodes=2, env={"A": "1"}, environments={"prod": {"nodes": 8, "env": {"B": "2"}, "args": ["x"]}})
    },
    "images in jobs and runtimes": {
        "environments": {
            "dev": {"registry": "dev.example.com"},
            "prod": {"registries": {"docker.io": "prod.example.com"}},
        },
        "jobs": with_job(image="pytorch/pytorch:1", environments={"prod": {"image": "pytorch/pytorch:2"}}),
    },
    "one image becomes two": {
        "jobs": {
            **with_job(image="torch:1", environments={"prod": {"image": "torch:2"}}),
            "other": {"runtime": "torch", "image": "torch:1"},
        }
    },
    "jobs in some environments only": {
        "jobs": {**content()["jobs"], "nightly": {"runtime": "torch", "only": ["prod"], "image": "torch:1"}}
    },
    "volumes, pools and secrets": {
        "environments": {
            "dev": {},
            "prod": {
                "node-pools": {"a": {"labels": {"pool": "a"}, "taints": [{"key": "gpu"}]}},
                "node-pool": "a",
                "quota": {"requests.cpu": 10},
                "labels": {"cost": "7"},
            },
        },
        "runtimes": with_runtime(storage={"data": {"mount": "/data", "claim": "data", "size": "1Ti"}}),
        "jobs": with_job(
            secrets={"TOKEN_FROM": "hub/token"}, environments={"prod": {"node-pool": "a", "gpus": 8, "deadline": "1d"}}
        ),
    },
    "cluster-scoped runtimes": {
        "runtimes": with_runtime(scope="cluster", environments={"prod": {"gpus": 4, "image": "torch:9"}})
    },
    "runtimes with several jobs": {
        "runtimes": {
            "tune": {"from": "torchtune-llama3.2-1b", "environments": {"prod": {"gpus": 4, "env": {"A": "b"}}}},
        },
        "jobs": {"tune": {"runtime": "tune", "data": "hf://a/b", "model": {"uri": "hf://c/d", "secret": "hub"}}},
    },
    "awkward texts": {
        "jobs": with_job(
            args=AWKWARD,
            env={f"V{number}": text for number, text in enumerate(AWKWARD)},
            environments={"prod": {"args": AWKWARD[::-1], "env": {"V0": "other", "V3": "0x10"}}},
        )
    },
    "neighbours": {
        "runtimes": with_runtime(storage={"out": {"mount": "/out", "claim": "out", "size": "1Ti"}}),
        "jobs": {
            "tune": {
                "runtime": "torch",
                "entrypoint": "torchrun /app/train.py",
                "args": ["--lr=${lr}"],
                "experiment": {
                    "metric": "loss",
                    "goal": "minimize",
                    "parameters": {"lr": {"min": 0.001, "max": 0.1}},
                },
                "environments": {"prod": {"nodes": 4}},
            },
            "step": {
                "runtime": "torch",
                "entrypoint": "torchrun /app/train.py",
                "workflow": {},
                "environments": {"prod": {"nodes": 4, "image": "torch:2"}},
            },
            "whole": {
                "runtime": "torch",
                "entrypoint": "torchrun /app/train.py",
                "package": {"to": "r.example.com/kit:1", "claim": "out", "secret": "registry"},
                "serving": {"uri": "pvc://out/model"},
            },
        },
        "environments": {
            "dev": {"queue": {"name": "q", "cluster-queue": "a", "quota": {"cpu": 8}}, "registry": "dev.example.com"},
            "prod": {"queue": {"name": "q", "cluster-queue": "b", "quota": {"cpu": 80}}, "registry": "r.example.com"},
        },
    },
    "downloads and a data cache": {
        "environments": {"dev": {"pod-security": "baseline"}, "prod": {"pod-security": "baseline"}},
        "runtimes": {
            "torch": {"from": "torch-distributed", "downloads": {"of": ["data"], "size": "1Ti"}},
            "cached": {"from": "torch-data-cache", "environments": {"prod": {"gpus": 8}}},
        },
        "jobs": with_job(data="hf://a/b", environments={"prod": {"data": "hf://a/c"}}),
    },
    "a sweep": {"jobs": with_job(args=["--lr=${lr}"], sweep={"lr": ["0.1", "1e-3"]})},
}


def check_equal(workspace: Workspace, folder: Path) -> None:
    """Compare each overlay with the objects of its unit."""
    workspace.write(folder)
    resolved = workspace.resolve(workspace.history(folder))
    for environment in resolved.environments:
        for unit in units(resolved):
            wanted: list[Any] = [placed.object for placed in unit.objects(environment)]
            built = kustomize(folder / delivered_folder(resolved, unit, environment)) if wanted else []
            assert by_identity(built) == by_identity(wanted), (environment.name, unit.name)


def test_each_overlay_of_the_example_builds_the_plain_output(tmp_path: Path) -> None:
    check_equal(example(format="kustomize"), tmp_path)


@pytest.mark.parametrize("changed", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_overlays_bring_about_every_difference(changed: dict[str, Any], tmp_path: Path) -> None:
    environments = {"environments": {"dev": {}, "prod": {}}}
    check_equal(workspace(**{**environments, **changed}), tmp_path)


@pytest.mark.parametrize("release", [each.name for each in RELEASES])
def test_overlays_of_every_release_build(release: str, tmp_path: Path) -> None:
    environments = {"dev": {"node-pools": {"a": {"labels": {"x": "y"}}}}, "prod": {"size": {"nodes": 4}}}
    jobs = with_job(nodes=2, storage={"d": {"mount": "/d", "claim": "d"}}, environments={"dev": {"node-pool": "a"}})
    check_equal(workspace(release=release, environments=environments, jobs=jobs), tmp_path)


def test_one_environment_has_a_base_and_an_overlay_too(tmp_path: Path) -> None:
    check_equal(workspace(), tmp_path)


def test_jobs_of_a_runtime_keep_their_order_when_one_is_patched(tmp_path: Path) -> None:
    changed = DIFFERENT["runtimes with several jobs"]
    built = workspace(environments={"dev": {}, "prod": {}}, **changed)
    built.write(tmp_path)
    (runtime,) = (
        each for each in kustomize(tmp_path / "teams/team/namespace/overlays/prod") if each["kind"] == "TrainingRuntime"
    )
    names = [job["name"] for job in runtime["spec"]["template"]["spec"]["replicatedJobs"]]
    assert names == ["dataset-initializer", "model-initializer", "node"]


def test_a_patch_of_the_users_own_merges_by_the_component(tmp_path: Path) -> None:
    built = workspace()
    built.write(tmp_path)
    overlay = tmp_path / "teams/team/namespace/overlays/dev"
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "kustomization.yaml").write_text(
        f"resources: [../{overlay.relative_to(tmp_path)}]\n"
        "patches: [{path: patch.yaml, target: {kind: TrainingRuntime, name: team-torch-.*}}]\n"
    )
    (mine / "patch.yaml").write_text(
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\n"
        "metadata: {name: any}\n"
        "spec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: ["
        "{name: node, env: [{name: MINE, value: x}]}]}}}}}]}}}\n"
    )
    (runtime,) = (each for each in kustomize(mine) if each["kind"] == "TrainingRuntime")
    (node,) = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"][
        "containers"
    ]
    assert node["image"] == "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime"
    assert {each["name"] for each in node["env"]} >= {"HOME", "MINE"}
