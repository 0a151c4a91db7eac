"""Telling a slip of the keyboard from a name that is meant to be another one."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SHORTEST_WORD = 5
"""Shorter words are too often meant: ``gpu`` and ``cpu``, ``a`` and ``b``."""


def meant(name: str, known: Iterable[str]) -> str:
    """The known name that ``name`` is a slip of, empty when there is none.

    Names that differ in numbers or in short words are different on purpose (``data-v1``, ``data-v2``).
    """
    return next((other for other in sorted(known) if other != name and _is_slip(name, other)), "")


def _is_slip(name: str, other: str) -> bool:
    if _plain(name) == _plain(other):
        return True
    words, others = re.split(r"[-._]", name), re.split(r"[-._]", other)
    if len(words) != len(others):
        return False
    differing = [pair for pair in zip(words, others, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and _one_slip(*differing[0])


def _plain(name: str) -> str:
    return re.sub(r"[-._]", "", name).casefold()


def _one_slip(word: str, other: str) -> bool:
    """One letter more, less or other, or two that changed places; digits are no letters."""
    if min(len(word), len(other)) < _SHORTEST_WORD or re.sub(r"\D", "", word) != re.sub(r"\D", "", other):
        return False
    longer, shorter = sorted((word, other), key=len, reverse=True)
    start = next((index for index, pair in enumerate(zip(longer, shorter, strict=False)) if pair[0] != pair[1]), -1)
    if start < 0:
        return len(longer) == len(shorter) + 1
    if len(longer) != len(shorter):
        return longer[start + 1 :] == shorter[start:]
    swapped = (
        longer[start : start + 2] == shorter[start : start + 2][::-1] and longer[start + 2 :] == shorter[start + 2 :]
    )
    return swapped or longer[start + 1 :] == shorter[start + 1 :]
