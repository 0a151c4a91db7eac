"""What a cluster with the Training Operator 1.9, or the MPI Operator 0.8, says of the legacy kinds."""

from __future__ import annotations

from trainergen.admission.legacy.admit import admit_legacy, is_served, judge_legacy

__all__ = ["admit_legacy", "is_served", "judge_legacy"]
