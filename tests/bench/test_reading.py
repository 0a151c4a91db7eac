"""Reading against PyYAML's C loader, for the same bytes in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
import yaml

from tests.bench.manifests import TYPICAL
from trainergen.source import read_documents

pytestmark = pytest.mark.bench

FILES = [TYPICAL.format(index=index, team=index % 7, nodes=index % 9).encode() for index in range(500)]


def seconds(read: Callable[[bytes], object]) -> float:
    """The best of five runs over all files."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for data in FILES:
            read(data)
        best = min(best, time.perf_counter() - start)
    return best


def test_reading_takes_no_longer_than_the_c_loader() -> None:
    loader = seconds(lambda data: yaml.load(data, yaml.CSafeLoader))
    ours = seconds(lambda data: read_documents(data, file="job.yaml"))
    assert ours <= loader * 1.2
