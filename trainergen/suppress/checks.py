"""The check on baselines; those on suppressions are rules (``trainergen/rules/tool``)."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity

STALE_BASELINE = Check(
    "TG906",
    "stale-baseline",
    Layer.LINT,
    "A baseline holds findings that are not there any more.",
    Severity.INFO,
)
