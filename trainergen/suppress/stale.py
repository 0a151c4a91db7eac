"""The finding that a baseline holds more than there is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.suppress.checks import STALE_BASELINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainergen.finding import Finding
    from trainergen.suppress.baseline import Baseline, KnownFinding

_NAMED = 3


def stale_finding(baseline: Baseline, stale: Sequence[KnownFinding]) -> Finding:
    """One finding for all entries that are gone, placed at the baseline."""
    count = sum(entry.times for entry in stale)
    named = [f"{entry.rule} in '{entry.file}'" for entry in stale[:_NAMED]]
    more = len(stale) - len(named)
    words = ", ".join(named) + (f" and {more} more" if more else "")
    what = "1 known finding is gone" if count == 1 else f"{count} known findings are gone"
    finding = STALE_BASELINE.at(
        (), f"{what}: {words}", help="Write the baseline again with 'trainergen baseline', so that they stay gone."
    )
    return replace(finding, file=baseline.file, line=1, column=1, end_line=1, end_column=1)
