"""What admission says about one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, NotEvaluated


class Admission(NamedTuple):
    """The verdict on one object: its findings, the object as it would be stored, and what could not be decided."""

    findings: tuple[Finding, ...] = ()
    object: JsonObject | None = None
    """The object after decoding, defaulting and mutation; None when it could not be decoded at all."""
    not_evaluated: tuple[NotEvaluated, ...] = ()

    @property
    def refused(self) -> bool:
        """True when the cluster would refuse the object; what was not evaluated counts as neither."""
        return any(finding.refuses for finding in self.findings)
