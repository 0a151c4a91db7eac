"""The functions that Kubernetes adds to CEL, written once for both engines on plain Python values.

A function that has no value for its arguments raises ValueError.
"""

from __future__ import annotations

from trainergen.cel.library.formatting import FORMATTING
from trainergen.cel.library.function import UNSUPPORTED, Function
from trainergen.cel.library.lists import LISTS
from trainergen.cel.library.named_formats import NAMED_FORMATS
from trainergen.cel.library.networks import NETWORKS
from trainergen.cel.library.pairs import PAIRS
from trainergen.cel.library.quantities import QUANTITIES
from trainergen.cel.library.sequences import SEQUENCES
from trainergen.cel.library.sets import SETS
from trainergen.cel.library.strings import STRINGS
from trainergen.cel.library.urls import URLS
from trainergen.cel.library.versions import VERSIONS

FUNCTIONS: tuple[Function, ...] = (
    *FORMATTING,
    *LISTS,
    *NAMED_FORMATS,
    *NETWORKS,
    *PAIRS,
    *QUANTITIES,
    *SEQUENCES,
    *SETS,
    *STRINGS,
    *URLS,
    *VERSIONS,
)

__all__ = ["FUNCTIONS", "UNSUPPORTED", "Function"]
