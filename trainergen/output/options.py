"""What a format may ask besides the report itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Check


def _no_source(_file: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """How to write a report.

    ``source`` gives the text of a file by the name that findings carry, or None when it cannot be had; formats never
    read files themselves. ``checks`` are the known checks by id, for formats that describe the rules they name.
    ``width`` is the number of columns a source line may take before it is cut around the fault.
    """

    colour: bool = False
    source: Callable[[str], str | None] = _no_source
    checks: Mapping[str, Check] = field(default_factory=dict)
    context: int = 1
    width: int = 110
