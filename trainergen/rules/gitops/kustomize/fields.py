"""Fields in parts of Trainer objects that their kind does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject, JsonValue, Path

_UNKNOWN = "TG101"


def unknown_fields(part: JsonValue, kind: str, release: str) -> list[Finding]:
    """What the API server says of unknown fields in a part of an object, and of nothing else."""
    from trainergen.admission.structural import admit_structure
    from trainergen.api.structural import load

    schemas = load(release)
    known = schemas.kinds.get(kind)
    if known is None or not isinstance(part, dict):
        return []
    whole: JsonObject = {**part, "apiVersion": known.api_version, "kind": kind}
    whole["metadata"] = whole.get("metadata", {})
    return [finding for finding in admit_structure(whole, schemas, known).findings if finding.rule == _UNKNOWN]


def wrapped(value: JsonValue, steps: Path) -> JsonValue:
    """An object that has nothing but a value at the place of a JSON pointer; lists on the way have one item."""
    for step in reversed(steps):
        value = [value] if str(step).isdecimal() or step == "-" else {str(step): value}
    return value
