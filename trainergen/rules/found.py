"""What rules yield: a place and a message. The engine adds the rule's identity, its severity and the position."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.finding import Severity

if TYPE_CHECKING:
    from typing import Protocol

    from trainergen.finding import Finding, Path
    from trainergen.fix import Fix

    class Placing(Protocol):
        """What knows where its parts are written."""

        def place(self, finding: Finding) -> Finding:
            """The finding with file, line and column."""

    class Located(Protocol):
        """Whatever stands for a text: it can be had when a place is to be found."""

        @property
        def document(self) -> Placing:
            """The text, read again from its file if it was let go."""


class Found(NamedTuple):
    """One thing that a rule found, before it has a position."""

    spot: Spot
    message: str
    help: str
    severity: Severity | None
    fix: Fix | None


class Undecided(NamedTuple):
    """Why a rule could not decide; the engine reports at most one for an object."""

    spot: Spot
    reason: str


class Spot(NamedTuple):
    """A place to report at: a path in a document. A path that does not exist is placed at its nearest parent."""

    where: Located
    path: Path
    on_key: bool = False
    suffix: str = ""
    """What the message gets to say when the value was not written at this place."""

    def report(
        self,
        message: str,
        *,
        help: str = "",  # noqa: A002
        severity: str = "",
        fix: Fix | None = None,
    ) -> Found:
        """A finding here.

        ``message`` is lower case, without full stop, says the value seen and what is expected, and quotes values as
        ``'…'``; ``help`` is one sentence on what to do. ``severity`` only where it differs from the rule's.
        """
        return Found(self, message + self.suffix, help, Severity(severity) if severity else None, fix)

    def undecided(self, reason: str) -> Undecided:
        """Say that a rule could not be decided here; ``reason`` names what is missing."""
        return Undecided(self, reason)

    @property
    def key(self) -> Spot:
        """The same place, pointing at the key instead of the value."""
        return self._replace(on_key=True)
