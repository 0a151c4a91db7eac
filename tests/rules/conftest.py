"""Rule tests take rules from their files, so that a new one can be tested before the index has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rules.running import scanned
from trainergen.engine import checks
from trainergen.rules import registry


@pytest.fixture(autouse=True)
def _rules_as_written(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "all_rules", scanned)
    checks.all_checks.cache_clear()
    yield
    checks.all_checks.cache_clear()
