"""What is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainergen.built.targets import find_targets
from trainergen.source import discover

if TYPE_CHECKING:
    from tests.built.conftest import Write

COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
FLUX = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n"
CHART = "apiVersion: v2\nname: {}\nversion: 0.1.0\n"


@pytest.mark.parametrize(
    ("files", "built"),
    {
        "overlays are, bases are not": (
            {
                "base/kustomization.yaml": "{}",
                "dev/kustomization.yaml": "resources: [../base]",
                "prod/kustomization.yml": "bases: [../base]",
            },
            ["dev", "prod"],
        ),
        "components are not": (
            {"c/kustomization.yaml": COMPONENT, "a/kustomization.yaml": "components: [../c]"},
            ["a"],
        ),
        "a component that nobody uses is not": ({"c/kustomization.yaml": COMPONENT}, []),
        "a middle layer is not": (
            {
                "a/kustomization.yaml": "{a: 1}",
                "b/kustomization.yaml": "resources: [../a]",
                "c/kustomization.yaml": "resources: [../b]",
            },
            ["c"],
        ),
        "one of those that refer to each other is": (
            {"a/kustomization.yaml": "resources: [../b]", "b/kustomization.yaml": "resources: [../a]"},
            ["a"],
        ),
        "one that refers to itself is": ({"a/kustomization.yaml": "resources: [../a]"}, ["a"]),
        "other files of that name are not": ({"a/kustomization.yaml": FLUX}, []),
        "broken ones are not, since their own build says so": ({"a/kustomization.yaml": "- a"}, []),
        "a file without suffix is": ({"a/Kustomization": "resources: []", "a/job.yaml": ""}, ["a"]),
        "charts are": ({"a/Chart.yaml": CHART.format("a"), "a/templates/x.yaml": ""}, ["a"]),
        "library charts are not": ({"a/Chart.yaml": CHART.format("a") + "type: library\n"}, []),
        "unpacked dependencies are not": (
            {"a/Chart.yaml": CHART.format("a"), "a/charts/b/Chart.yaml": CHART.format("b")},
            ["a"],
        ),
        "dependencies in the repository are not": (
            {
                "a/Chart.yaml": CHART.format("a") + "dependencies: [{name: b, repository: 'file://../b'}]\n",
                "b/Chart.yaml": CHART.format("b"),
            },
            ["a"],
        ),
        "charts that a kustomization renders are not": (
            {"a/kustomization.yaml": "helmCharts: [{name: b}]", "a/charts/b/Chart.yaml": CHART.format("b")},
            ["a"],
        ),
        "patches and files are none": ({"a/patch.yaml": "resources: [b]"}, []),
    }.values(),
)
def test_what_is_part_of_nothing_else_is_built(write: Write, files: dict[str, str], built: list[str]) -> None:
    write(files)
    assert [target.folder for target in find_targets(discover(["."]).files)] == built
