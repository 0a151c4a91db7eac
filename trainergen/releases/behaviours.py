"""The named behaviours of a Trainer release; each release derives its set from the one before."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Behaviours:
    """What admission and the renderer ask instead of comparing version numbers."""

    overrides_field: str
    """The ``spec`` field of a TrainJob that patches the runtime: ``podSpecOverrides`` and its successors."""
