"""What a fix is: stretches of bytes of one file and what to write there instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Grade = Literal["none", "safe", "unsafe"]
"""``safe`` keeps the meaning of the manifest; ``unsafe`` changes it, so a person has to look."""


class Edit(NamedTuple):
    """Write ``replacement`` over the bytes ``start`` to ``end`` (exclusive) of the file; equal ends insert."""

    start: int
    end: int
    replacement: bytes


class Fix(NamedTuple):
    """All edits that mend one finding, applied together or not at all, in the file that the finding is placed in.

    ``title`` says what is done, as a command (``set numNodes to 1``). An empty ``grade`` means that of the rule.
    """

    title: str
    edits: tuple[Edit, ...]
    grade: str = ""


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes after the edits; ValueError when two of them touch the same bytes or one lies outside."""
    out: list[bytes] = []
    done = 0
    for edit in sorted(edits):
        if edit.start < done or edit.end < edit.start or edit.end > len(data):
            raise ValueError(f"edit of bytes {edit.start} to {edit.end} overlaps another or leaves the file")
        out += [data[done : edit.start], edit.replacement]
        done = edit.end
    return b"".join([*out, data[done:]])


def fix(title: str, *edits: Edit | None, grade: str = "") -> Fix | None:
    """A fix of these edits; None when one of them is, since a place that cannot be edited leaves nothing to offer."""
    made = tuple(edit for edit in edits if edit is not None)
    return Fix(title, made, grade) if len(made) == len(edits) else None
