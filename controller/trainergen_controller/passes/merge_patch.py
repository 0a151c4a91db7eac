"""JSON merge patches (RFC 7386) between two values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


def merge_patch(old: JsonObject, new: JsonObject) -> JsonObject:
    """The smallest patch that makes ``new`` of ``old``; empty if they are equal. Lists are replaced as a whole.

    Neither may hold nulls, which a merge patch cannot set.
    """
    patch: JsonObject = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            inner = merge_patch(before, value)
            if inner:
                patch[key] = inner
        elif key not in old or before != value:
            patch[key] = value
    return patch
