"""Fixtures of all tests: snapshots in single files under ``tests/snapshots``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation

TESTS = Path(__file__).parent


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
