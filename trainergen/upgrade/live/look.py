"""The state of one audit: reads that may fail part by part, and what was found so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from trainergen.upgrade.live import checks
from trainergen.upgrade.live.reader import NotFoundError, ReadError
from trainergen.upgrade.live.report import NotRead

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.releases import Release
    from trainergen.upgrade.live.reader import ClusterReader, Resource

Found = TypeVar("Found")


@dataclass(slots=True)
class Look:
    """One cluster on its way from ``old`` to ``new``."""

    reader: ClusterReader
    old: Release
    new: Release
    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[NotRead] = field(default_factory=list)
    answered: bool = False
    """Whether the cluster let anything be read."""

    def get(self, resource: Resource, name: str) -> JsonObject:
        """One object; raises ReadError."""
        try:
            return self._answered(self.reader.get(resource, name))
        except NotFoundError:
            self.answered = True
            raise

    def all(
        self, part: str, resource: Resource, *, namespace: str = "", selector: str = "", metadata_only: bool = False
    ) -> list[JsonObject] | None:
        """All objects of a kind; None, noted with the reason, when they cannot be had."""
        try:
            found = self.reader.list(resource, namespace=namespace, selector=selector, metadata_only=metadata_only)
            return self._answered(found)
        except ReadError as error:
            self.skip(part, str(error))
            return None

    def served(self, part: str, resource: Resource, *, metadata_only: bool = False) -> list[JsonObject] | None:
        """The same for a kind that need not be there."""
        try:
            return self._answered(self.reader.list(resource, metadata_only=metadata_only))
        except NotFoundError:
            return self._answered([])
        except ReadError as error:
            self.skip(part, str(error))
            return None

    def _answered(self, found: Found) -> Found:
        self.answered = True
        return found

    def skip(self, part: str, reason: str) -> None:
        """Note a part that cannot be evaluated."""
        self.not_evaluated.append(NotRead(part, reason))

    def say(self, finding: Finding) -> None:
        """Report something of the cluster as a whole."""
        self.findings.append(replace(finding, file=self.reader.context))

    def say_of(self, finding: Finding, resource: Resource, obj: JsonObject | tuple[str, str]) -> None:
        """Report something of one object."""
        self.findings.append(checks.about(finding, self.reader.context, resource, obj))
