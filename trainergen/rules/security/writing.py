"""Where a rendered value can be edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.rules import Job, Spot
    from trainergen.source import Document

_REFERENCE = ("spec", "runtimeRef", "name")


def is_written(spot: Spot) -> bool:
    """Whether a value is in a file of the run; not so in a shipped runtime, or when a plugin made it up."""
    return spot.path != _REFERENCE


def document_of(job: Job, spot: Spot) -> Document | None:
    """The document that a place of a job is in, None when the value is in no file of the run."""
    if not is_written(spot):
        return None
    for entry in (job.entry, job.runtime.entry):
        if entry is not None and spot.where is entry:
            return entry.document
    return None
