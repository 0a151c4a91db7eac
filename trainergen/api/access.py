"""Reading of plain JSON values whose shape is not certain: what is absent or of another type reads as empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue


def value_at(value: JsonValue, *steps: str) -> JsonValue:
    """The value below ``value`` at the given keys, None when the way ends before."""
    for step in steps:
        if not isinstance(value, dict):
            return None
        value = value.get(step)
    return value


def object_at(value: JsonValue, *steps: str) -> JsonObject:
    """The object below ``value`` at the given keys."""
    for step in steps:  # not by value_at: these are called some hundred times for each TrainJob
        if not isinstance(value, dict):
            return {}
        value = value.get(step)
    return value if isinstance(value, dict) else {}


def list_at(value: JsonValue, *steps: str) -> list[JsonValue]:
    """The list below ``value`` at the given keys."""
    for step in steps:
        if not isinstance(value, dict):
            return []
        value = value.get(step)
    return value if isinstance(value, list) else []


def text_at(value: JsonValue, *steps: str) -> str:
    """The text below ``value`` at the given keys."""
    for step in steps:
        if not isinstance(value, dict):
            return ""
        value = value.get(step)
    return value if isinstance(value, str) else ""


def integer_at(value: JsonValue, *steps: str) -> int | None:
    """The integer below ``value`` at the given keys."""
    found = value_at(value, *steps)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def names_in(items: list[JsonValue]) -> list[str]:
    """The ``name`` of each item."""
    return [text_at(item, "name") for item in items]
