"""JSON patches by where they point: operations on fields that are gone, reported with what to write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trainergen.source.writing import block_lines
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.source.document import Document

_POINTERS = {
    "/spec/podSpecOverrides": "spec.podSpecOverrides is part of spec.runtimePatches now",
    "/spec/podTemplateOverrides": "spec.podTemplateOverrides is part of spec.runtimePatches now",
    "/spec/labels": "spec.labels is trainingRuntimeSpec.template.metadata.labels of a patch now",
    "/spec/annotations": "spec.annotations is trainingRuntimeSpec.template.metadata.annotations of a patch now",
    "/spec/mlPolicy/torch/numProcPerNode": "runtimes say no numProcPerNode any more, TrainJobs do",
    "/spec/mlPolicy/torch/elasticPolicy": "elasticPolicy is gone, and no release ever acted on it",
}


def operation_findings(
    document: Document, operations: Sequence[JsonValue], wanted: Sequence[Sequence[JsonObject]] = ()
) -> Iterator[Finding]:
    """The operations on fields that are gone; ``wanted`` are for each those that do the same on some upgraded base."""
    for at, operation in enumerate(operations):
        pointer = operation.get("path") if isinstance(operation, dict) else None
        hit = next((each for each in _POINTERS if isinstance(pointer, str) and _leads(pointer, each)), None)
        if hit is not None:
            yield document.place(
                FRAGMENT_ELSEWHERE.at(
                    (at, "path"),
                    f"the patch writes to '{pointer}', which is gone: {_POINTERS[hit]}",
                    help=_text(wanted[at]) if at < len(wanted) and wanted[at] else _help(hit),
                )
            )


def _leads(pointer: str, start: str) -> bool:
    return pointer == start or pointer.startswith(start + "/")


def _text(operations: Sequence[JsonObject]) -> str:
    lines = "\n".join(block_lines(list(operations)))
    why = "The objects that it is for need different operations, or it cannot be edited in place."
    return f"{why} For the first of them write:\n{lines}"


def _help(pointer: str) -> str:
    if "Overrides" in pointer or pointer in ("/spec/labels", "/spec/annotations"):
        place = "/spec/runtimePatches/0/trainingRuntimeSpec/template"
        return f"Write to {place} in its place, where the upgraded TrainJob has it."
    return "Take the operation out; write spec.trainer.numProcPerNode of the TrainJobs where a number is needed."
