"""The runtimes that the releases ship, as cluster objects."""

from __future__ import annotations

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
