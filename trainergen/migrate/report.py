"""The result of one migration as a value: the legacy objects of each file, what they become, and what is left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Finding
    from trainergen.migrate.result import Migration
    from trainergen.source.document import Document


@dataclass(frozen=True, slots=True)
class MigratedObject:
    """A legacy object of a file, its migration, and its warnings with their places."""

    document: Document
    migration: Migration
    warnings: tuple[Finding, ...]

    @property
    def title(self) -> str:
        """Kind, namespace and name."""
        ref = self.document.ref
        return f"{ref.kind} {ref.namespace}/{ref.name}" if ref.namespace else f"{ref.kind} {ref.name}"

    @property
    def becomes(self) -> tuple[tuple[str, str], ...]:
        """Kind and name of each object that it becomes, in the order to apply them."""
        found = []
        for each in self.migration.objects:
            metadata = each["metadata"]
            assert isinstance(metadata, dict)
            found.append((str(each["kind"]), str(metadata.get("name", metadata.get("generateName", "")))))
        return tuple(found)

    @property
    def ordered(self) -> list[Finding]:
        """The warnings, the worst first, then by their places."""
        return sorted(self.warnings, key=lambda each: (list(Severity).index(each.severity), each.line, each.column))


@dataclass(slots=True)
class FileMigration:
    """A file with legacy objects.

    ``new`` is what it becomes, None when something keeps it from being written; ``patch`` shows what it becomes, or
    would become if the ``losses`` were accepted.
    """

    name: str
    location: str
    old: bytes
    objects: list[MigratedObject] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    losses: list[Finding] = field(default_factory=list)
    new: bytes | None = None
    patch: str = ""

    @property
    def held(self) -> str:
        """Why it is not written, empty when it is."""
        if self.new is not None:
            return ""
        if self.findings:
            return "see to what was found in it first"
        names = ", ".join(dict.fromkeys(loss.name for loss in self.losses))
        return f"accept the loss with --accept {names}" if names else "its form cannot be rewritten"


@dataclass(slots=True)
class MigrateReport:
    """The files with legacy objects, what kept others from being read, and the plan in order."""

    target: str
    files: list[FileMigration] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    steps: tuple[str, ...] = ()

    @property
    def warnings(self) -> list[Finding]:
        """Everything that was found, file by file."""
        inside = [each for file in self.files for one in file.objects for each in one.warnings]
        return [*self.findings, *(each for file in self.files for each in file.findings), *inside]

    @property
    def held(self) -> bool:
        """True when a file is not written."""
        return any(file.new is None for file in self.files)

    @property
    def objects(self) -> int:
        """How many legacy objects there are."""
        return sum(len(file.objects) for file in self.files)

    @property
    def written(self) -> int:
        """How many files can be written."""
        return sum(file.new is not None for file in self.files)


def severities(findings: Iterable[Finding]) -> dict[Severity, int]:
    """How many findings of each severity there are."""
    counts = dict.fromkeys(Severity, 0)
    for finding in findings:
        counts[finding.severity] += 1
    return counts
