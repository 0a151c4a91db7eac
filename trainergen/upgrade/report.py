"""The result of one upgrade as a value: what is written, what is not and why, and what changes in the cluster."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.diff.report import JobChanges, NotCompared
    from trainergen.finding import Finding, ObjectRef
    from trainergen.upgrade.audit import Audit


@dataclass(frozen=True, slots=True)
class ObjectUpgrade:
    """One object that becomes another, and what was done to it."""

    ref: ObjectRef
    line: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileUpgrade:
    """A file with its bytes before and after, and their difference as a patch.

    ``held`` says why it is not written, empty when it is.
    """

    name: str
    location: str
    old: bytes
    new: bytes
    objects: tuple[ObjectUpgrade, ...]
    patch: str = ""
    held: str = ""


@dataclass(frozen=True, slots=True)
class Proved:
    """What changes for one TrainJob, each change with the reason why the upgrade brings it.

    ``reasons`` are in the order of ``changes.changes``.
    """

    changes: JobChanges
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    """All that one run found; ``unproved`` are TrainJobs that a side could not render."""

    from_release: str
    to_release: str
    release_reason: str = ""
    files: tuple[FileUpgrade, ...] = ()
    findings: tuple[Finding, ...] = ()
    proofs: tuple[Proved, ...] = ()
    unproved: tuple[NotCompared, ...] = ()
    unchanged: int = 0
    audit: Audit | None = None
    version: str = ""

    @property
    def to_write(self) -> tuple[FileUpgrade, ...]:
        """The files that get new bytes, those with TrainJobs first.

        What a runtime said moves to its TrainJobs: as long as the runtime still says it, a second run can go on.
        """
        ready = [file for file in self.files if not file.held]
        return tuple(sorted(ready, key=lambda file: all(one.ref.kind != "TrainJob" for one in file.objects)))

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def fails(self, fail_on: str) -> bool:
        """Whether there is a finding of this severity or a worse one; ``never`` asks for none."""
        wanted = {"error": {Severity.ERROR}, "warning": {Severity.ERROR, Severity.WARNING}}.get(fail_on, set())
        return any(finding.severity in wanted for finding in self.findings)

    @property
    def reasons(self) -> Counter[str]:
        """How many TrainJobs each reason concerns."""
        return Counter(reason for proof in self.proofs for reason in dict.fromkeys(proof.reasons))

    @property
    def objects(self) -> Iterator[tuple[FileUpgrade, ObjectUpgrade]]:
        """All objects that become others, with their files."""
        for file in self.files:
            for one in file.objects:
                yield file, one
