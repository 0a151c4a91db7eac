"""What is wrong with a specification beyond its form: collected while it is resolved, and told all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from trainergen.errors import TrainergenError
from trainergen.finding import Path, format_path


class Fault(NamedTuple):
    """One fault: the path in the specification, what is wrong, and the way out."""

    path: Path
    message: str
    help: str


class SpecError(TrainergenError):
    """A specification that cannot be resolved; ``faults`` are all that is wrong with it."""

    def __init__(self, faults: Iterable[Fault], place: Callable[[Path], str]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        lines = [f"{place(fault.path)}: {fault.message}" for fault in self.faults]
        super().__init__("\n".join(lines), hint=" ".join(dict.fromkeys(fault.help for fault in self.faults)))


class Faults:
    """The faults found so far."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, path: Path, message: str, remedy: str) -> None:
        """Note a fault."""
        self.found.append(Fault(path, message, remedy))

    def __bool__(self) -> bool:
        return bool(self.found)


def plain_place(path: Path) -> str:
    """The place of a fault in a specification that came from no file."""
    return format_path(path)
