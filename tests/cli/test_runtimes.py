"""``trainergen runtimes``: what is listed, and what is printed of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from trainergen.api.yamltext import from_yaml
from trainergen.catalogue.recipes import RECIPES
from trainergen.datafiles import data_dir
from trainergen.releases.catalogue import shipped_runtimes

Run = Callable[..., Ran]


def test_the_list_has_a_section_for_each_origin(trainergen: Run) -> None:
    ran = trainergen("runtimes", "--release", "2.3")
    assert ran.code == 0
    shipped, examples, recipes = ran.out.split("\n\n")
    assert shipped.startswith("Runtimes of Trainer 2.3 (--release)\n  deepspeed-distributed ")
    assert "  torch-distributed             torch       1 node(s)  pytorch/pytorch:2.13.0" in shipped
    assert examples.splitlines()[0] == "Examples of Trainer 2.3, which no installation brings along"
    assert [line.split()[0] for line in examples.splitlines()[1:]] == ["flux-distributed"]
    assert [line.split()[0] for line in recipes.splitlines()[1:]] == sorted(recipe.name for recipe in RECIPES)


def test_a_release_without_examples_and_recipes_has_one_section(trainergen: Run) -> None:
    out = trainergen("runtimes", "--release", "2.0").out
    assert out.startswith("Runtimes of Trainer 2.0 (--release)\n")
    assert "\n\n" not in out


def test_the_list_is_json_for_programs(trainergen: Run) -> None:
    listed = json.loads(trainergen("runtimes", "--release", "2.1", "--format", "json").out)
    assert list(listed) == ["release", "runtimes", "examples", "recipes"]
    assert [each["name"] for each in listed["runtimes"]] == list(shipped_runtimes("2.1"))
    assert listed["examples"] == []
    assert [each["name"] for each in listed["recipes"]] == ["deepspeed", "mlx", "mpi-horovod"]
    assert listed["recipes"][0] == {
        "name": "deepspeed",
        "framework": "deepspeed",
        "nodes": 1,
        "jobs": ["node", "launcher"],
        "images": ["ghcr.io/kubeflow/trainer/deepspeed-runtime:v2.3.0"],
    }


@pytest.mark.parametrize(
    ("name", "release", "file"),
    [
        ("torch-distributed", "2.0", "2.0/torch-distributed.yaml"),
        ("flux-runtime", "2.2", "2.2/flux-runtime.yaml"),
        ("torch-ddp", "2.3", "recipes/torch-ddp.yaml"),
    ],
)
def test_a_runtime_is_printed_as_it_is_committed(trainergen: Run, name: str, release: str, file: str) -> None:
    ran = trainergen("runtimes", "show", name, "--release", release)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (data_dir("runtimes") / file).read_text("utf-8")


def test_the_release_may_stand_before_show(trainergen: Run) -> None:
    assert trainergen("runtimes", "--release", "2.0", "show", "mpi-distributed").code == 0


def test_the_job_of_a_recipe_can_be_checked_on_it(trainergen: Run, tmp_path: Path) -> None:
    for option in ((), ("--job",)):
        shown = trainergen("runtimes", "show", "jax", "--release", "2.3", *option).out
        (tmp_path / f"jax{''.join(option)}.yaml").write_text(shown)
    value = from_yaml((tmp_path / "jax--job.yaml").read_text())
    assert isinstance(value, dict)
    assert value["kind"] == "TrainJob"
    ran = trainergen("check", "--layer", "yaml,schema,cel,webhook", "--fail-on", "not-evaluated", "--release", "2.3")
    assert ran.code == 0, ran.out


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (
            ("torch-distribted",),
            (
                "there is no runtime 'torch-distribted' in Trainer 2.3 nor among the recipes"
                " (did you mean 'torch-distributed'?)"
            ),
            "List them with trainergen runtimes.",
        ),
        (("mpi-distributed",), "Trainer 2.3 has no runtime 'mpi-distributed', which is in 2.0", "Add --release 2.0."),
        (
            ("jax", "--release", "2.1"),
            "Trainer 2.1 has no runtime 'jax', which is in 2.2, 2.3",
            "Add --release 2.3.",
        ),
        (
            ("jax-distributed", "--job"),
            "'jax-distributed' is no recipe, and only recipes have an example TrainJob",
            "Leave out --job to print the runtime, or list the recipes with trainergen runtimes.",
        ),
    ],
)
def test_an_unknown_runtime_has_a_way_out(trainergen: Run, arguments: tuple[str, ...], message: str, hint: str) -> None:
    ran = trainergen("runtimes", "--release", "2.3", "show", *arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err == f"error: {message}\nhint: {hint}\n"
