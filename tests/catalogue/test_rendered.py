"""What a TrainJob becomes on each runtime of the newest release, in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import trainergen
from trainergen.api.structural import API_VERSION
from trainergen.api.yamltext import to_yaml
from trainergen.catalogue.files import name_of
from trainergen.catalogue.recipes import RECIPES
from trainergen.catalogue.shipped import shipped_in
from trainergen.releases import NEWEST

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from trainergen.catalogue.definition import Recipe

Snapshots = Callable[[str], "SnapshotAssertion"]


def rendered(job: dict[str, Any], runtime: dict[str, Any]) -> str:
    """All objects but the copy of the runtime."""
    made = trainergen.render(job, [runtime], release=NEWEST.name).objects
    return "---\n".join(to_yaml(each) for each in made if not name_of(each).endswith("-runtime-snapshot"))


@pytest.mark.parametrize(
    "runtime",
    [pytest.param(each.at(NEWEST.name), id=name_of(each.at(NEWEST.name))) for each in shipped_in(NEWEST.name)],
)
def test_a_shipped_runtime(runtime: dict[str, Any], snapshot_as: Snapshots) -> None:
    job = {
        "apiVersion": API_VERSION,
        "kind": "TrainJob",
        "metadata": {"name": "tj", "namespace": "team"},
        "spec": {"runtimeRef": {"name": name_of(runtime)}, "trainer": {"numNodes": 2}},
    }
    assert rendered(job, runtime) == snapshot_as("yaml")


@pytest.mark.parametrize("recipe", [pytest.param(recipe, id=recipe.name) for recipe in RECIPES])
def test_a_recipe_with_its_example(recipe: Recipe, snapshot_as: Snapshots) -> None:
    assert rendered(recipe.job.to_dict(), recipe.runtime.to_dict()) == snapshot_as("yaml")
