"""What earlier tests left in memory costs the later ones nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _nothing_left_to_search() -> Iterator[None]:
    """A run searches its own objects for garbage, and not the thousands that other tests keep in caches, too."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
