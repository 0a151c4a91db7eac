"""What all tests share: snapshots in single files under ``tests/snapshots``, and how hypothesis runs.

By default the same examples are tried everywhere, so that a failure is one of the change at hand;
``HYPOTHESIS_PROFILE=explore`` tries new ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation

TESTS = Path(__file__).parent

# NB: how long making an example takes says something of the machine's load, nothing of the code under test.
settings.register_profile("default", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", settings.get_profile("default"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


class SnapshotFile(SingleFileSnapshotExtension):
    """``tests/output/test_text.py``, case ``no findings`` → ``tests/snapshots/output/test_text/no findings.txt``."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """The folder of a test file's snapshots."""
        test = Path(test_location.filepath).resolve().relative_to(TESTS)
        return str(TESTS / "snapshots" / test.with_suffix(""))


@cache
def _snapshot_file(suffix: str) -> type[SnapshotFile]:
    return type(f"SnapshotFile_{suffix}", (SnapshotFile,), {"file_extension": suffix})


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A text snapshot: ``assert text == snapshot``."""
    return snapshot.use_extension(SnapshotFile)


@pytest.fixture
def snapshot_as(snapshot: SnapshotAssertion) -> Callable[[str], SnapshotAssertion]:
    """A text snapshot in a file of the given suffix: ``assert text == snapshot_as("json")``."""
    return lambda suffix: snapshot.use_extension(_snapshot_file(suffix))
