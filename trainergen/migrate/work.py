"""A migration while it runs: the job, the target, and what has been said about it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Check, Finding, Path, Severity
    from trainergen.migrate.ledger import Ledger
    from trainergen.migrate.legacy import LegacyJob
    from trainergen.migrate.options import Choices
    from trainergen.migrate.target import Target


@dataclass(slots=True)
class Say:
    """The target, what becomes of every leaf, and the warnings."""

    target: Target
    ledger: Ledger
    findings: list[Finding] = field(default_factory=list)

    def say(
        self, check: Check, path: Path, message: str, *, remedy: str = "", severity: Severity | None = None
    ) -> None:
        """Add a warning once; the value at its place counts as reported unless it is mapped."""
        finding = check.at(path, message, help=remedy)
        if severity is not None:
            finding = replace(finding, severity=severity)
        if finding not in self.findings:
            self.findings.append(finding)
        if path:
            self.ledger.reported(path, check.id)


@dataclass(slots=True)
class Work(Say):
    """Everything the steps of one job's migration share."""

    job: LegacyJob = field(kw_only=True)
    choices: Choices = field(kw_only=True)
