"""The recorded renderings of the catalogue are also what the controller applies, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from trainergen_controller import reconcile

from tests.controller.passes.cluster import NOW
from trainergen.api.structural import API_VERSION
from trainergen.api.yamltext import to_yaml
from trainergen.catalogue.files import name_of
from trainergen.catalogue.recipes import RECIPES
from trainergen.catalogue.shipped import shipped_in
from trainergen.releases import NEWEST

SNAPSHOTS = Path(__file__).parents[2] / "snapshots" / "catalogue" / "test_rendered"
SHIPPED = {name_of(each.at(NEWEST.name)): each.at(NEWEST.name) for each in shipped_in(NEWEST.name)}
PAIRS = {
    **{
        f"test_a_shipped_runtime[{name}]": (
            {
                "apiVersion": API_VERSION,
                "kind": "TrainJob",
                "metadata": {"name": "tj", "namespace": "team"},
                "spec": {"runtimeRef": {"name": name}, "trainer": {"numNodes": 2}},
            },
            runtime,
        )
        for name, runtime in SHIPPED.items()
    },
    **{
        f"test_a_recipe_with_its_example[{each.name}]": (each.job.to_dict(), each.runtime.to_dict()) for each in RECIPES
    },
}


def test_every_recorded_rendering_of_the_catalogue_is_compared() -> None:
    assert sorted(PAIRS) == sorted(path.stem for path in SNAPSHOTS.iterdir())


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_the_controller_applies_what_was_recorded_for_the_renderer(name: str) -> None:
    job, runtime = PAIRS[name]
    applied = [apply.object for apply in reconcile(job, [runtime], now=NOW, release=NEWEST.name).applies]
    assert name_of(applied[0]).endswith("-runtime-snapshot")
    assert "---\n".join(to_yaml(each) for each in applied[1:]) == (SNAPSHOTS / f"{name}.yaml").read_text()
