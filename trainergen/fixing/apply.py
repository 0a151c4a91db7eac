"""Fixes on the bytes of one file: those that stay clear of each other are applied, the rest has to wait."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterable
from typing import NamedTuple

from trainergen.fix import Edit, Fix, apply_edits


class Applied(NamedTuple):
    """The bytes after a round, with the fixes that are in them and those that are not."""

    data: bytes
    applied: tuple[Fix, ...]
    waiting: tuple[Fix, ...]
    """They touch what an earlier one changes; on the new bytes their edits are void, so they are to be made again."""
    void: tuple[Fix, ...]
    """They leave the file, overlap themselves, or change nothing."""


def apply(data: bytes, fixes: Iterable[Fix]) -> Applied:
    """Apply the fixes that do not touch each other, the first by place first; equal ones count as applied together.

    Two fixes touch when nothing but blank lines and comments lies between their edits: one that takes an entry out
    must know whether its neighbour is still there.
    """
    taken: dict[tuple[Edit, ...], list[Fix]] = {}
    edits: list[Edit] = []
    waiting: list[Fix] = []
    void: list[Fix] = []
    for fix in sorted(fixes, key=_by_place):
        own = tuple(sorted(fix.edits))
        if own in taken:
            taken[own].append(fix)
        elif _is_void(data, own):
            void.append(fix)
        elif any(_touch(data, one, other) for one in own for other in _neighbours(edits, one)):
            waiting.append(fix)
        else:
            taken[own] = [fix]
            for one in own:
                insort(edits, one)
    applied = tuple(fix for equal in taken.values() for fix in equal)
    return Applied(apply_edits(data, edits), applied, tuple(waiting), tuple(void))


def _by_place(fix: Fix) -> tuple[tuple[Edit, ...], str]:
    return tuple(sorted(fix.edits)), fix.title


def _is_void(data: bytes, edits: tuple[Edit, ...]) -> bool:
    try:
        return apply_edits(data, edits) == data
    except ValueError:
        return True


def _neighbours(edits: list[Edit], one: Edit) -> list[Edit]:
    """The last of the edits before ``one`` and the first after it: they are in order, and none touches another."""
    place = bisect(edits, one)
    return edits[max(0, place - 1) : place + 1]


def _touch(data: bytes, one: Edit, other: Edit) -> bool:
    first, second = sorted((one, other))
    if second.start <= first.end:
        return True
    between = data[first.end : second.start].splitlines()
    return all(not line.strip() or line.lstrip().startswith(b"#") for line in between)
