"""What goes wrong inside a document, before it is a finding: characters of the text instead of lines and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from trainergen.finding import Check, Path

# A document with more faults than anybody reads is given up.
MOST_PROBLEMS: Final = 1_000


class Problem(NamedTuple):
    """A fault at the characters ``start`` to ``end`` of the text that was parsed."""

    check: Check
    message: str
    help: str
    start: int
    end: int
    path: Path = ()
    on_key: bool = False


def problem_at(event: Any, check: Check, message: str, *, remedy: str, path: Path, on_key: bool = False) -> Problem:
    """A problem where a YAML event lies."""
    return Problem(check, message, remedy, event.start_mark.index, event.end_mark.index, path, on_key)


class FaultError(Exception):
    """A document that cannot be read on; carries the problem to report."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem
