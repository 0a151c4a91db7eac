"""JSON patches by where they point: operations on fields that are gone, reported with what to write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trainergen.source.writing import block_lines
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE
from trainergen.upgrade.gone import PATCHES, gone_pointers

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.releases import Release
    from trainergen.source.document import Document


def operation_findings(
    document: Document,
    operations: Sequence[JsonValue],
    target: Release,
    wanted: Sequence[Sequence[JsonObject]] = (),
) -> Iterator[Finding]:
    """The operations on fields that are gone; ``wanted`` are for each those that do the same on some upgraded base."""
    pointers = gone_pointers(target)
    for at, operation in enumerate(operations):
        pointer = operation.get("path") if isinstance(operation, dict) else None
        hit = next((each for each in pointers if isinstance(pointer, str) and _leads(pointer, each)), None)
        if hit is not None:
            yield document.place(
                FRAGMENT_ELSEWHERE.at(
                    (at, "path"),
                    f"the patch writes to '{pointer}', which is gone: {pointers[hit]}",
                    help=_text(wanted[at]) if at < len(wanted) and wanted[at] else _help(hit, target),
                )
            )


def _leads(pointer: str, start: str) -> bool:
    return pointer == start or pointer.startswith(start + "/")


def _text(operations: Sequence[JsonObject]) -> str:
    lines = "\n".join(block_lines(list(operations)))
    why = "The objects that it is for need different operations, or it cannot be edited in place."
    return f"{why} For the first of them write:\n{lines}"


def _help(pointer: str, target: Release) -> str:
    if "Overrides" in pointer or pointer in ("/spec/labels", "/spec/annotations"):
        place = f"/spec/{target.behaviours.overrides_field}/0"
        if target.behaviours.overrides_field == PATCHES:
            place += "/trainingRuntimeSpec/template"
        return f"Write to {place} in its place, where the upgraded TrainJob has it."
    return "Take the operation out; write spec.trainer.numProcPerNode of the TrainJobs where a number is needed."
