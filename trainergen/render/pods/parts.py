"""Walking into rendered objects along paths that are known to exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path


def part(owner: JsonObject, path: Path) -> JsonValue:
    """What lies at ``path`` of ``owner``; None where the way ends before."""
    value: JsonValue = owner
    for step in path:
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value
