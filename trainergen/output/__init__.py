"""Reports as text: one module a format, found through one table and imported only when asked for."""

from trainergen.output.colour import wants_colour
from trainergen.output.formats import FORMATS, Format, get_format, render
from trainergen.output.options import OutputOptions
from trainergen.output.sources import SourceReader
from trainergen.output.targets import OutputTarget, emit, make_target, parse_target, write_target

__all__ = [
    "FORMATS",
    "Format",
    "OutputOptions",
    "OutputTarget",
    "SourceReader",
    "emit",
    "get_format",
    "make_target",
    "parse_target",
    "render",
    "wants_colour",
    "write_target",
]
