"""The result of one upgrade as a value: what is written, what is not and why, and what changes in the cluster."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trainergen.diff.report import JobChanges, NotCompared
    from trainergen.finding import Finding, ObjectRef
    from trainergen.upgrade.audit import Audit
    from trainergen.upgrade.live.report import LiveAudit


@dataclass(frozen=True, slots=True)
class ObjectUpgrade:
    """One object that becomes another, and what was done to it."""

    ref: ObjectRef
    line: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileUpgrade:
    """A file with its bytes before and after, and their difference as a patch.

    ``held`` says why it is not written, empty when it is. ``after`` are files that are written before it.
    """

    name: str
    location: str
    old: bytes
    new: bytes
    objects: tuple[ObjectUpgrade, ...]
    patch: str = ""
    held: str = ""
    after: tuple[str, ...] = ()


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
    live: LiveAudit | None = None
    version: str = ""

    @property
    def to_write(self) -> tuple[FileUpgrade, ...]:
        """The files that get new bytes, those with TrainJobs before the runtimes that they take over from.

        As long as a runtime still says what moves to its TrainJobs, a second run can go on.
        """
        ready = [file for file in self.files if not file.held]
        waiting = sorted(ready, key=lambda file: all(one.ref.kind != "TrainJob" for one in file.objects))
        by_name = {file.name: file for file in waiting}
        found: dict[str, FileUpgrade] = {}
        for file in waiting:
            _put(file, by_name, found, frozenset())
        return tuple(found.values())

    @property
    def tangled(self) -> tuple[str, ...]:
        """The files to write that wait for each other, so that no order is right for all."""
        order = [file.name for file in self.to_write]
        late = [
            (file.name, name) for at, file in enumerate(self.to_write) for name in file.after if name in order[at + 1 :]
        ]
        return tuple(sorted({name for pair in late for name in pair}))

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """The findings on files, and those on the cluster."""
        return self.findings if self.live is None else (*self.findings, *self.live.findings)

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.all_findings)

    def fails(self, fail_on: str) -> bool:
        """Whether there is a finding of this severity or a worse one; ``never`` asks for none."""
        wanted = {"error": {Severity.ERROR}, "warning": {Severity.ERROR, Severity.WARNING}}.get(fail_on, set())
        return any(finding.severity in wanted for finding in self.all_findings)

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


def _put(
    file: FileUpgrade, by_name: Mapping[str, FileUpgrade], found: dict[str, FileUpgrade], above: frozenset[str]
) -> None:
    """Put a file behind those that come before it."""
    if file.name in found or file.name in above:
        return
    for name in file.after:
        if name in by_name:
            _put(by_name[name], by_name, found, above | {file.name})
    found[file.name] = file
