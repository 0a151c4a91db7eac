"""How Go's JSON encoder treats the zero values of Kubernetes types, read from ``schemas/core/encoding.json``."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, TypedDict

from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


class Shape(TypedDict):
    """One type; it is called as in the definitions of the structural schemas (``core.v1.EnvVar``)."""

    omits: list[str]
    """Scalar fields held by value, which are left out when they are zero."""
    writes: JsonObject
    """Scalar fields that are always written, with their zero value."""


@cache
def go_shapes() -> dict[str, Shape]:
    """The shapes by type name; Trainer's own types are not among them, as they leave out whatever is empty."""
    shapes: dict[str, Shape] = json.loads((data_dir("schemas") / "core" / "encoding.json").read_bytes())
    return shapes
