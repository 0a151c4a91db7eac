"""The wording of faults in an object's metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission import checks
from trainergen.admission.messages import Wording, field_name, shown
from trainergen.admission.metadata import ANNOTATIONS_LIMIT, LABEL_LIMIT, NAME_LIMIT

if TYPE_CHECKING:
    from trainergen.admission.faults import Fault

_CHARACTERS = "letters, digits, '-', '_' and '.', with a letter or digit at both ends"
_KEY = f"a key is up to {LABEL_LIMIT} {_CHARACTERS}, optionally after a domain and a slash, as in example.com/team"


def metadata_wording(fault: Fault) -> Wording:
    """Message and help for a fault of a metadata check."""
    if fault.check is checks.INVALID_NAME:
        return _name(fault)
    if fault.check is checks.INVALID_LABEL:
        return _label(fault)
    if fault.check is checks.INVALID_ANNOTATION:
        return _annotation(fault)
    if fault.check is checks.INVALID_OWNER:
        return _owner(fault)
    if fault.check is checks.INVALID_FINALIZER:
        return _finalizer(fault)
    return _kept(fault)


def _name(fault: Fault) -> Wording:
    seen = f"{field_name(fault)} is {shown(fault.value)}"
    if fault.wanted == "namespace":
        rule = f"up to {LABEL_LIMIT} lower-case letters, digits and '-', with a letter or digit at both ends"
        return f"{seen}, which is no namespace name", f"Use {rule}."
    rule = f"up to {NAME_LIMIT} lower-case letters, digits, '-' and '.', with a letter or digit at both ends"
    return f"{seen}, which is no object name", f"Use {rule}{_suggested(fault.value)}."


def _suggested(value: object) -> str:
    """A name that would do, when a plain rewriting gives one."""
    if not isinstance(value, str) or not value.isascii():
        return ""
    name = "".join(c if c.isalnum() or c in "-." else "-" for c in value.lower()).strip("-.")
    return f", for example {name}" if name and name != value and len(name) <= LABEL_LIMIT else ""


def _label(fault: Fault) -> Wording:
    if fault.wanted == "key":
        return f"{shown(fault.value)} is no label key", f"Rename the label: {_KEY}."
    message = f"label '{fault.path[-1]}' has the value {shown(fault.value)}, which no label may have"
    return message, f"Use up to {LABEL_LIMIT} {_CHARACTERS}; anything else belongs in an annotation."


def _annotation(fault: Fault) -> Wording:
    if fault.wanted == "key":
        return f"{shown(fault.value)} is no annotation key", f"Rename the annotation: {_KEY}."
    message = f"the annotations take {fault.value:,} bytes, but {ANNOTATIONS_LIMIT:,} are allowed in all"
    return message, "Move large content to a ConfigMap."


def _owner(fault: Fault) -> Wording:
    if fault.wanted == "single":
        return "a second owner is marked as controller", "Mark at most one owner as controller."
    if fault.wanted == "version":
        return f"apiVersion is {shown(fault.value)}, which is no group and version", "Write it like apps/v1."
    message = f"the owner reference lacks {fault.path[-1]}"
    return message, "Leave owner references out of manifests: controllers set them on what they create."


def _finalizer(fault: Fault) -> Wording:
    if fault.wanted == "collectors":
        return "finalizers 'orphan' and 'foregroundDeletion' exclude each other", "Remove one of them."
    return f"{shown(fault.value)} is no finalizer name", f"Rename it: {_KEY}."


def _kept(fault: Fault) -> Wording:
    name = field_name(fault)
    if fault.check is checks.IMMUTABLE_METADATA:
        message = f"metadata.{name} changes from {shown(str(fault.wanted))} to {shown(fault.value)}"
        return message, "Keep it, or delete the old object and create a new one."
    wanted = "a time like 2026-01-31T10:00:00Z" if fault.wanted == "time" else "zero or more"
    return f"{name} is {shown(fault.value)}, but must be {wanted}", f"Remove {name}: the API server sets it."
