"""The pages on deliveries and neighbours show specifications that build."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.generate import Workspace
from trainergen.generate.emitting import manifest

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

DOCS = Path(__file__).parents[3] / "docs"


def load(page: str, folder: Path) -> Workspace:
    """The workspace of the specification on a page."""
    (text,) = re.findall(r"```yaml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    (folder / "trainergen.yaml").write_text(text)
    return Workspace.load(folder / "trainergen.yaml")


def test_the_neighbours_of_the_page_are_made(tmp_path: Path) -> None:
    dev = load("neighbours.md", tmp_path).resolve().environments[0]

    kinds = {str(placed.object["kind"]) for placed in dev.of("neighbours", "queues")}

    assert kinds >= {"Experiment", "WorkflowTemplate", "Job", "InferenceService", "ClusterQueue", "ResourceFlavor"}
    assert [placed.key for placed in dev.of("jobs")] == ["resnet"]


@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_neighbours_are_as_recorded(environment: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = load("neighbours.md", tmp_path).resolve().environments
    objects = next(each for each in found if each.name == environment).of("queues", "neighbours")

    assert "---\n".join(manifest(placed.object) for placed in objects) == snapshot


@pytest.mark.parametrize("delivery", ["argocd", "flux"])
def test_the_files_that_the_page_names_are_written(delivery: str, tmp_path: Path) -> None:
    tree = load("delivery.md", tmp_path).with_output(delivery=delivery).files()
    page = (DOCS / "delivery.md").read_text(encoding="utf-8")

    named = [name for name in re.findall(r"`((?:argocd|flux)/<env>[^`]*\.yaml)`", page) if name.startswith(delivery)]

    assert len(named) >= 3
    for name in named:
        path = name.replace("<env>", "dev").replace("<name>", "vision")
        # The page's specification has no jobs, so that there is no set of them.
        assert path in tree or "jobs" in path, path
