"""Names of a chart's values."""

from __future__ import annotations

from typing import Any

import pytest

from trainergen.generate.helm.differing import Slot
from trainergen.generate.helm.naming import names

POD = ("spec", "template", "spec", "replicatedJobs", "node", "template", "spec", "template", "spec")


def named(*paths: tuple[str | int, ...], values: list[Any] | None = None) -> list[str]:
    """The names of slots at these paths, dotted."""
    given = values or list(range(len(paths)))
    found = [Slot(path, {"dev": value}, optional=False) for path, value in zip(paths, given, strict=True)]
    return [".".join(names(found)[id(slot)]) for slot in found]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("metadata", "name"), "name"),
        (("metadata", "labels", "kueue.x-k8s.io/queue-name"), "queue"),
        (("spec", "trainer", "numNodes"), "nodes"),
        (("spec", "trainer", "resourcesPerNode"), "resources"),
        (("spec", "trainer", "env", "LEARNING_RATE", "value"), "env.LEARNING_RATE"),
        (("spec", "runtimeRef", "name"), "runtime"),
        (("spec", "initializer", "dataset", "storageUri"), "dataset"),
        ((*POD, "containers", "node", "image"), "image"),
        (("spec", "hard", "requests.cpu"), "requestsCpu"),
        (("data", "3.txt"), "n3Txt"),
    ],
)
def test_a_value_is_called_as_people_call_it(path: tuple[str, ...], name: str) -> None:
    assert named(path) == [name]


def test_two_values_of_one_name_are_told_apart_by_where_they_are() -> None:
    first, second = (*POD, "containers", "node", "image"), (*POD, "initContainers", "setup", "image")

    assert named(first, second) == ["nodeImage", "setupImage"]


def test_what_is_the_same_in_two_places_is_one_value() -> None:
    first, second = (*POD, "containers", "node", "image"), (*POD, "initContainers", "setup", "image")

    assert named(first, second, values=["torch:1", "torch:1"]) == ["image", "image"]


def test_no_value_takes_the_name_of_the_switch() -> None:
    assert named(("spec", "probe", "enabled")) == ["probeEnabled"]


def test_a_value_is_no_mapping_of_others() -> None:
    assert len(set(named(("spec", "env"), ("spec", "trainer", "env", "A", "value")))) == 2
    assert "env" not in named(("spec", "env"), ("spec", "trainer", "env", "A", "value"))


def test_paths_that_differ_in_signs_only_have_different_names() -> None:
    assert len(set(named(("data", "a.b"), ("data", "a-b"), ("data", "a_b")))) == 3
