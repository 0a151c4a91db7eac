"""Rendered objects as YAML in which every line says where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.output.rendered.lines import yaml_lines

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.output.rendered.places import Places

WIDEST = 76
"""Comments stand in one column behind lines up to that long; longer lines push theirs out."""


def explained(made: JsonObject, places: Places) -> str:
    """``made``, one of the rendered objects, as YAML with a comment at the end of each line.

    A text of several lines has its comment at its head, for inside it would be a part of the text.
    """
    lines = list(yaml_lines(made))
    column = max((len(line.text) for line in lines if not line.inside and len(line.text) <= WIDEST), default=0)
    return "".join(
        f"{line.text}\n" if line.inside else f"{line.text:<{column}}  # {places.describe(made, line.path)}\n"
        for line in lines
    )
