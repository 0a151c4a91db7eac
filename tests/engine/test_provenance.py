"""Every line of an explained object that names a place of a file is about what stands there."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.manifests import RUNTIME, USES_RUNTIME
from trainergen.engine.provenance import places_of
from trainergen.engine.rendering import RenderOptions, render_paths
from trainergen.output.rendered.explain import explained

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "valid").glob("*.yaml"))
EXPLAINED = re.compile(r"^(?P<yaml>.*?) +# (?P<words>.*)$")
PLACE = re.compile(r"^(?:TrainJob|runtime|patch(?: of \S+)?,) (?P<file>\S+):(?P<line>\d+)$")
# Counted by the controller from a field that is named, or called otherwise where it came from.
RENAMED = {
    "parallelism": "numNodes",
    "completions": "numNodes",
    "STORAGE_URI": "storageUri",
    "envFrom": "dataset",
}


def told(path: Path) -> list[tuple[str, str]]:
    """Every line of the objects of a file's TrainJobs, with the words about it."""
    run = render_paths(RenderOptions(paths=(str(path),), release="2.3"))
    found: list[tuple[str, str]] = []
    for rendering in run:
        assert rendering.rendered is not None
        places = places_of(rendering, run)
        for made in rendering.rendered.objects:
            for line in explained(made, places).splitlines():
                match = EXPLAINED.match(line)
                if match:
                    found.append((match["yaml"], match["words"]))
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_key_or_value_of_a_line_stands_at_the_place_it_names(path: Path) -> None:
    lines = path.read_text().splitlines()
    placed = 0
    all_told = told(path)
    for (text, words), (_, next_words) in pairwise([*all_told, ("", "")]):
        match = PLACE.match(words)
        if not match or (text.endswith(":") and words == next_words):
            # A map or list that no document has as such is put where its first part is.
            continue
        placed += 1
        assert match["file"] == str(path)
        there = lines[int(match["line"]) - 1]
        key, _, value = text.strip().removeprefix("- ").partition(": ")
        key = key.removesuffix(":")
        named = [word for word in (key, RENAMED.get(key, ""), value.strip('"')) if word]
        # What a TrainJob is called stands in many places.
        assert any(word in there for word in named) or key in ("name", "runtime"), (text, words, there)
    assert placed > 10


def test_every_line_outside_texts_is_told_of() -> None:
    for path in EXAMPLES:
        run = render_paths(RenderOptions(paths=(str(path),), release="2.3"))
        for rendering in run:
            assert rendering.rendered is not None
            jobset = rendering.rendered.objects[-1]
            for line in explained(jobset, places_of(rendering, run)).splitlines():
                assert EXPLAINED.match(line), line


def test_lists_and_maps_that_only_others_filled_are_not_blamed_on_the_runtime(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{RUNTIME}---\n{USES_RUNTIME}")
    words = {text.strip(): about for text, about in told(tmp_path / "a.yaml")}
    assert words["env:"] == words["ports:"] == "plugin Torch"
    assert words["containers:"] == f"runtime {tmp_path / 'a.yaml'}:20"


def test_what_nobody_wrote_is_a_default_or_of_the_cluster(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{RUNTIME}---\n{USES_RUNTIME}")
    words = {text.strip(): about for text, about in told(tmp_path / "a.yaml")}
    assert words['uid: "11111111-2222-4333-8444-555555555555"'] == "set by the cluster"
    assert words["groupName: default"] == "default of TrainingRuntime team-torch"
    assert words["suspend: false"] == "default of TrainJob"
    assert words["blockOwnerDeletion: true"] == "controller, owner"


def test_patches_name_their_manager_and_place() -> None:
    words = dict(told(next(path for path in EXAMPLES if path.name == "llm-finetune.yaml")))
    (about,) = {text for line, text in words.items() if line.strip() == "node.example.com/pool: h100"}
    assert re.fullmatch(r"patch of platform\.example\.com/gitops, \S+llm-finetune\.yaml:78", about)
