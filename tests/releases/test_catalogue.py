"""The runtimes that the releases ship, as cluster objects."""

from __future__ import annotations

import importlib.util
import json
import lzma
from pathlib import Path

import pytest
import yaml

from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(lzma.decompress((ROOT / "tests" / "oracle" / "runtimes.json.xz").read_bytes()))
"""The text of the runtime files by release and file name."""


@pytest.mark.parametrize("release", [release.name for release in RELEASES])
def test_the_catalogue_holds_what_the_release_ships(release):
    """Object by object."""
    shipped = [document for text in RECORDED[release].values() for document in yaml.safe_load_all(text)]
    assert shipped_runtimes(release) == {runtime["metadata"]["name"]: runtime for runtime in shipped}


def test_the_tool_takes_the_cluster_runtimes_of_a_folder(tmp_path):
    """Other documents are left out, and the result is sorted by name."""
    spec = importlib.util.spec_from_file_location("snapshot_runtimes", ROOT / "tools" / "snapshot_runtimes.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    (tmp_path / "sub").mkdir()
    runtime = "kind: ClusterTrainingRuntime\nmetadata: {name: %s}\n"
    (tmp_path / "sub" / "b.yaml").write_text(f"{runtime % 'b'}---\n{runtime % 'a'}")
    (tmp_path / "c.yaml").write_text("kind: Kustomization\n---\n")
    assert [found["metadata"]["name"] for found in tool.snapshot(tmp_path)] == ["a", "b"]
