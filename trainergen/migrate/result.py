"""The result of a migration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.finding import Severity

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject
    from trainergen.migrate.ledger import Mapped


@dataclass(frozen=True, slots=True)
class Migration:
    """What a legacy object becomes.

    ``objects`` are in the order to apply them; without any, the object has no counterpart. ``warnings`` are what is
    lost or changed, at places of the legacy object; ``notes`` what scripts and dashboards must change. ``mapping`` has
    an entry for every leaf of the input, ``marks`` for the places that were looked at.
    """

    source: JsonObject
    objects: tuple[JsonObject, ...]
    warnings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    mapping: tuple[Mapped, ...] = ()
    marks: tuple[Mapped, ...] = ()

    def losses(self, accepted: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
        """The warnings that keep the objects from being written unless their id or name is accepted."""
        return tuple(
            each
            for each in self.warnings
            if each.severity is Severity.ERROR and not {each.rule, each.name, "all"} & accepted
        )
