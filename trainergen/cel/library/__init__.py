"""The functions that Kubernetes adds to CEL, written once for both engines on plain Python values.

A function that has no value for its arguments raises ValueError.
"""

from __future__ import annotations

from trainergen.cel.library.function import Function
from trainergen.cel.library.lists import LISTS
from trainergen.cel.library.strings import STRINGS

FUNCTIONS: tuple[Function, ...] = (*LISTS, *STRINGS)

__all__ = ["FUNCTIONS", "Function"]
