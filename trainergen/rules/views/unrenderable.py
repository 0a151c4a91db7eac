"""The view of a TrainJob that is accepted and of which the controller makes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainergen.rules.views.source import Source


class Unrenderable(NamedTuple):
    """The TrainJob (or runtime) as written, and what the controller stumbles over."""

    source: Source
    message: str
    help: str
