"""What is said of a difference: its impacts, the reason for them, and who would refuse it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from trainergen.diff.change import Impact

RECREATE = "Delete and recreate the TrainJob, or give it a new name."
OTHER_PODS = "the Pods would be others"
"""The reason that says no more than the impact itself."""


class Effect(NamedTuple):
    """An impact and the reason for it; ``refusal`` says who would refuse the change of what exists, and why."""

    impact: Impact
    reason: str
    refusal: str = ""

    @property
    def impacts(self) -> tuple[Impact, ...]:
        """All impacts, the worst first."""
        return (Impact.REFUSED, self.impact) if self.refusal else (self.impact,)


OTHER_VERSION = Effect(Impact.COSMETIC, "the same object, written in another version of its API")


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known of the TrainJob in the cluster.

    ``reapplied``: it exists and is or gets suspended, so that the controller applies its JobSet again. That of a
    TrainJob that runs is left alone.
    """

    reapplied: bool = False
