"""What the releases shipped, from ``tests/oracle``."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from trainergen.releases import RELEASES

ORACLE = Path(__file__).parent.parent / "oracle"
RELEASE_NAMES = [release.name for release in RELEASES]


@cache
def _read(name: str) -> Any:
    return json.loads(lzma.decompress((ORACLE / name).read_bytes()))


@pytest.fixture
def recorded_crds(release: str) -> dict[str, Any]:
    """The CRDs of the release by plural name, without descriptions."""
    return dict(_read(f"crds/{release}.json.xz"))


@pytest.fixture
def shipped_runtimes(release: str) -> dict[str, Any]:
    """The objects in the runtime files of the release, by file name."""
    texts = _read("runtimes.json.xz")[release]
    return {name: yaml.safe_load(text) for name, text in texts.items()}


@pytest.fixture(params=RELEASE_NAMES)
def release(request: pytest.FixtureRequest) -> str:
    """The name of each release in turn."""
    return str(request.param)
