"""Paths of built objects in what they were."""

from __future__ import annotations

import pytest

from trainergen.built.alignment import Aligned, aligned, path_in
from trainergen.finding import JsonValue, Path, format_path

BUILT: JsonValue = {
    "jobs": [{"name": "node", "image": "b"}, {"name": "init", "args": ["x", "y"]}],
    "limits": {"nvidia.com/gpu": 1},
}
SOURCE: JsonValue = {"jobs": [{"name": "init", "args": ["y"]}, {"name": "node"}], "limits": {}}


@pytest.mark.parametrize(
    ("path", "there"),
    {
        "an item is found by its name": (("jobs", 0, "name"), Aligned(("jobs", 1, "name"), False)),
        "a key that is not there ends the path": (("jobs", 0, "image"), Aligned(("jobs", 1), False)),
        "a text is found by itself": (("jobs", 1, "args", 1), Aligned(("jobs", 0, "args", 0), False)),
        "another text is the one in its place": (("jobs", 1, "args", 0), Aligned(("jobs", 0, "args", 0), False)),
        "the same steps are the same": (("limits",), Aligned(("limits",), True)),
        "the object itself is there": ((), Aligned((), True)),
        "a step that nothing has is nowhere": (("none", 3), Aligned((), True)),
        "a number beyond the end is nowhere": (("jobs", 7), Aligned(("jobs",), True)),
    }.values(),
)
def test_a_path_leads_as_far_as_it_can(path: Path, there: Aligned) -> None:
    assert aligned(BUILT, SOURCE, path) == there


@pytest.mark.parametrize("path", [(), ("jobs",), ("jobs", 1, "args", 0), ("limits", "nvidia.com/gpu")])
def test_a_written_path_is_read_back(path: Path) -> None:
    assert path_in(BUILT, format_path(path)) == path


def test_a_written_path_is_read_as_far_as_it_leads() -> None:
    assert path_in(BUILT, "jobs[0].image.deeper") == ("jobs", 0, "image")
